/** Identities of end users: maps the client's identifiers to internal ids. */
import type pg from 'pg';
import { identifierKey, type Identifier, type IdentityKind } from '../../domain/people/identity.ts';
import { arrayParameter } from '../arrays.ts';
import type { Queryable } from '../pool.ts';

/** SQL condition on an identity `i` of the project $1: it is the living one of an identifier. */
export const livingIdentity = (kind: string, externalId: string): string =>
  `i.project_id = $1 and i.kind = ${kind} and i.external_id = ${externalId} and i.dead_at is null`;

interface FoundRow {
  kind: IdentityKind;
  external_id: string;
  id: string;
}

/**
 * Returns the identity that each identifier stands for, found or created: the user of a linked device, or the user seen
 * with a verified and undisputed fingerprint.
 *
 * Locks nothing that it finds, so that intake never waits for a link or a deletion. Rows written under an identity that
 * is deleted in the meantime are unreadable at once, and its purge looks again later.
 *
 * @returns ids (decimal) by {@link identifierKey}
 */
export async function resolveIdentities(
  client: pg.PoolClient,
  projectId: string,
  identifiers: readonly Identifier[],
): Promise<Map<string, string>> {
  return (await resolveOrCreate(client, projectId, identifiers)).ids;
}

export interface Resolved {
  /** Ids by {@link identifierKey}. */
  ids: Map<string, string>;
  /** Those of the ids that this transaction created, so that nobody else knows them yet. */
  created: string[];
}

/**
 * Works like {@link resolveIdentities}, and also returns which identities it created, for callers who may have to
 * remove them again ({@link dropUnused}).
 */
export async function resolveOrCreate(
  client: pg.PoolClient,
  projectId: string,
  identifiers: readonly Identifier[],
): Promise<Resolved> {
  const wanted = distinct(identifiers);
  const found = await findIdentities(client, projectId, wanted);
  await findByLogin(
    client,
    projectId,
    wanted.filter(({ kind }) => kind === 'fingerprint'),
    found,
  );
  return withMissing(client, projectId, { wanted, found, find: findIdentities });
}

/**
 * Deletes identities that this very transaction created, unless an event or a login of theirs was stored. It uses
 * look-ups and no joins, as in {@link findIdentities}.
 */
export async function deleteUnused(
  client: pg.PoolClient,
  projectId: string,
  created: readonly string[],
): Promise<void> {
  if (created.length === 0) return;
  await client.query({
    name: 'identities-drop-unused',
    text: `delete from identities i where i.project_id = $1 and i.id = any($2::bigint[])
              and (select e.identity_id from events e where e.project_id = $1 and e.identity_id = i.id limit 1) is null
              and (select s.identity_id from event_states s where s.project_id = $1 and s.identity_id = i.id limit 1) is null
              and (select l.identity_id from device_logins l where l.project_id = $1 and l.identity_id = i.id limit 1) is null`,
    values: [projectId, created],
  });
}

/** Finds identities without creating any; unknown identifiers are missing from the result. */
export async function findIdentities(
  client: Queryable,
  projectId: string,
  identifiers: readonly Identifier[],
): Promise<Map<string, string>> {
  return lookup(client, projectId, identifiers, { name: 'identities-find', id: 'coalesce(i.merged_into, i.id)' });
}

/**
 * Finds an identity as {@link resolveIdentities} does, for callers who only read.
 * @returns the identity's id (decimal); null when the identifier is unknown
 */
export async function findPerson(client: Queryable, projectId: string, identifier: Identifier): Promise<string | null> {
  const found = await findIdentities(client, projectId, [identifier]);
  await findByLogin(client, projectId, identifier.kind === 'fingerprint' ? [identifier] : [], found);
  return found.get(identifierKey(identifier)) ?? null;
}

/**
 * Returns each identifier's own identity, found or created: a linked device keeps its own, and no fingerprint stands
 * for a user.
 * @returns ids (decimal) by {@link identifierKey}
 */
export async function ensureIdentities(
  client: pg.PoolClient,
  projectId: string,
  identifiers: readonly Identifier[],
): Promise<Map<string, string>> {
  const wanted = distinct(identifiers);
  return (
    await withMissing(client, projectId, { wanted, found: await findOwn(client, projectId, wanted), find: findOwn })
  ).ids;
}

function findOwn(
  client: Queryable,
  projectId: string,
  identifiers: readonly Identifier[],
): Promise<Map<string, string>> {
  return lookup(client, projectId, identifiers, { name: 'identities-find-own', id: 'i.id' });
}

async function lookup(
  client: Queryable,
  projectId: string,
  identifiers: readonly Identifier[],
  { name, id }: { name: string; id: string },
): Promise<Map<string, string>> {
  if (identifiers.length === 0) return new Map();
  const { rows } = await client.query<{ ids: string }>({
    name,
    // This is a subquery and not a join: otherwise the planner, without statistics or with a cached plan, compares
    // every identity of the project with every identifier: 480 ms instead of 2 for 500 identifiers among 20,000. The
    // ids are returned as one text, because a row for each would cost both sides more than the look-up.
    text: `select string_agg(coalesce((
             select ${id}::text from identities i
              where ${livingIdentity('w.kind', 'w.external_id')}), ''), ',' order by w.ordinal) as ids
             from unnest($2::text[], $3::text[]) with ordinality as w (kind, external_id, ordinal)`,
    values: [projectId, ...columns(identifiers)],
  });
  const found = new Map<string, string>();
  for (const [index, id] of (rows[0]?.ids ?? '').split(',').entries()) {
    const identifier = identifiers[index];
    if (identifier && id !== '') found.set(identifierKey(identifier), id);
  }
  return found;
}

interface Search {
  wanted: readonly Identifier[];
  found: Map<string, string>;
  find(client: Queryable, projectId: string, identifiers: readonly Identifier[]): Promise<Map<string, string>>;
}

/** A deletion may happen between the two statements of a round, but hardly in every round. */
const MAX_ROUNDS = 5;

/**
 * Creates missing identities. Those that another request created in the meantime are committed by then, and are found.
 */
async function withMissing(
  client: pg.PoolClient,
  projectId: string,
  { wanted, found, find }: Search,
): Promise<Resolved> {
  const created: string[] = [];
  for (let round = 1; ; round += 1) {
    const missing = wanted.filter((identifier) => !found.has(identifierKey(identifier)));
    if (missing.length === 0) return { ids: found, created };
    if (round > MAX_ROUNDS) throw new Error('identities are being deleted as fast as they are created');
    for (const [key, id] of await createIdentities(client, projectId, missing)) {
      found.set(key, id);
      created.push(id);
    }
    const late = missing.filter((identifier) => !found.has(identifierKey(identifier)));
    for (const [key, id] of await find(client, projectId, late)) found.set(key, id);
  }
}

/**
 * Finds users by fingerprint. A fingerprint is verified when it was seen with a user, and undisputed when that was only
 * one user. A second user makes it disputed, so no more than two are read, even of a fingerprint that half the world
 * shares.
 */
async function findByLogin(
  client: Queryable,
  projectId: string,
  fingerprints: readonly Identifier[],
  found: Map<string, string>,
): Promise<void> {
  if (fingerprints.length === 0) return;
  const { rows } = await client.query<FoundRow>({
    name: 'identities-by-login',
    text: `select 'fingerprint' as kind, w.fingerprint::text as external_id, seen.id
             from unnest($2::uuid[]) as w (fingerprint)
            cross join lateral (
              select min(two.identity_id) as id from (
                select l.identity_id from device_logins l
                 where l.project_id = $1 and l.fingerprint = w.fingerprint
                   and (select i.dead_at is null from identities i where i.project_id = $1 and i.id = l.identity_id)
                 limit 2) as two
              having count(*) = 1) as seen`,
    values: [projectId, fingerprints.map(({ externalId }) => externalId)],
  });
  for (const [key, id] of byKey(rows)) found.set(key, id);
}

/** Returns true when exactly one user was seen with a fingerprint. */
export async function isUndisputed(client: Queryable, projectId: string, fingerprint: string): Promise<boolean> {
  const found = new Map<string, string>();
  await findByLogin(client, projectId, [{ kind: 'fingerprint', externalId: fingerprint }], found);
  return found.size === 1;
}

/** Creates identities in order, so that two requests with the same new people do not deadlock. */
async function createIdentities(
  client: pg.PoolClient,
  projectId: string,
  identifiers: readonly Identifier[],
): Promise<Map<string, string>> {
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
export async function recordLogins(
  client: pg.PoolClient,
  projectId: string,
  logins: readonly DeviceLogin[],
): Promise<void> {
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

function columns(identifiers: readonly Identifier[]) {
  return [
    arrayParameter(identifiers.map(({ kind }) => kind)),
    arrayParameter(identifiers.map(({ externalId }) => externalId)),
  ];
}

function byKey(rows: readonly FoundRow[]): Map<string, string> {
  return new Map(rows.map((row) => [identifierKey({ kind: row.kind, externalId: row.external_id }), row.id]));
}
