/** Identities of end users: from the client's identifiers to ours. */
import type pg from 'pg';
import { identifierKey, type Identifier, type IdentityKind } from '../domain/identity.ts';

interface FoundRow {
  kind: IdentityKind;
  external_id: string;
  id: string;
}

/**
 * The identity that each identifier stands for, found or created: of a linked device its user, of a
 * verified and undisputed fingerprint the user seen with it.
 *
 * Takes no lock on what it finds, so that intake never waits for a link or a deletion. Rows written
 * under an identity that dies meanwhile are unreadable at once, and its purge looks again later.
 *
 * @returns ids (decimal) by {@link identifierKey}
 */
export async function resolveIdentities(client: pg.PoolClient, projectId: string, identifiers: readonly Identifier[]): Promise<Map<string, string>> {
  const wanted = distinct(identifiers);
  const found = await findIdentities(client, projectId, wanted);
  await findByLogin(client, projectId, wanted.filter(({ kind }) => kind === 'fingerprint'), found);
  const missing = wanted.filter((identifier) => !found.has(identifierKey(identifier)));
  if (missing.length === 0) return found;
  for (const [key, id] of await createIdentities(client, projectId, missing)) found.set(key, id);
  const late = missing.filter((identifier) => !found.has(identifierKey(identifier)));
  // Another request created them between the two statements; it has committed, so they are visible now.
  if (late.length > 0) for (const [key, id] of await findIdentities(client, projectId, late)) found.set(key, id);
  return found;
}

/** Finds without creating; identifiers that nobody has are missing from the result. */
export async function findIdentities(client: Pick<pg.PoolClient, 'query'>, projectId: string, identifiers: readonly Identifier[]): Promise<Map<string, string>> {
  if (identifiers.length === 0) return new Map();
  const { rows } = await client.query<FoundRow>({
    name: 'identities-find',
    text: `select i.kind, i.external_id, coalesce(i.merged_into, i.id) as id
             from unnest($2::text[], $3::text[]) as w (kind, external_id)
             join identities i on i.project_id = $1 and i.kind = w.kind and i.external_id = w.external_id and i.dead_at is null`,
    values: [projectId, ...columns(identifiers)],
  });
  return byKey(rows);
}

/** A fingerprint is verified when it was seen with a user, and undisputed when that was one user only. */
async function findByLogin(client: pg.PoolClient, projectId: string, fingerprints: readonly Identifier[], found: Map<string, string>): Promise<void> {
  if (fingerprints.length === 0) return;
  const { rows } = await client.query<FoundRow>({
    name: 'identities-by-login',
    text: `select 'fingerprint' as kind, l.fingerprint::text as external_id, min(i.id) as id
             from device_logins l
             join identities i on i.project_id = l.project_id and i.id = l.identity_id and i.dead_at is null
            where l.project_id = $1 and l.fingerprint = any($2::uuid[])
            group by l.fingerprint having count(*) = 1`,
    values: [projectId, fingerprints.map(({ externalId }) => externalId)],
  });
  for (const [key, id] of byKey(rows)) found.set(key, id);
}

/** Ordered, so that two requests with the same new people do not wait for each other in a circle. */
async function createIdentities(client: pg.PoolClient, projectId: string, identifiers: readonly Identifier[]): Promise<Map<string, string>> {
  const { rows } = await client.query<FoundRow>({
    name: 'identities-create',
    text: `insert into identities (project_id, kind, external_id)
           select $1, w.kind, w.external_id from unnest($2::text[], $3::text[]) as w (kind, external_id)
            order by w.kind, w.external_id collate "C"
           on conflict (project_id, kind, external_id) where dead_at is null do nothing
           returning kind, external_id, id`,
    values: [projectId, ...columns(identifiers)],
  });
  return byKey(rows);
}

export interface DeviceLogin {
  fingerprint: string;
  /** A user's identity. */
  identityId: string;
}

/** Records that users were seen on devices. */
export async function recordLogins(client: pg.PoolClient, projectId: string, logins: readonly DeviceLogin[]): Promise<void> {
  if (logins.length === 0) return;
  await client.query({
    name: 'device-logins-record',
    text: `insert into device_logins (project_id, fingerprint, identity_id)
           select distinct $1, l.fingerprint, l.identity_id from unnest($2::uuid[], $3::bigint[]) as l (fingerprint, identity_id)
            order by 2, 3 on conflict do nothing`,
    values: [projectId, logins.map(({ fingerprint }) => fingerprint), logins.map(({ identityId }) => identityId)],
  });
}

function distinct(identifiers: readonly Identifier[]): Identifier[] {
  return [...new Map(identifiers.map((identifier) => [identifierKey(identifier), identifier])).values()];
}

function columns(identifiers: readonly Identifier[]): [string[], string[]] {
  return [identifiers.map(({ kind }) => kind), identifiers.map(({ externalId }) => externalId)];
}

function byKey(rows: readonly FoundRow[]): Map<string, string> {
  return new Map(rows.map((row) => [identifierKey({ kind: row.kind, externalId: row.external_id }), row.id]));
}
