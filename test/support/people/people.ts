/** People with histories, written directly into the tables, and counts of what is left of them. */
import type pg from 'pg';
import { ensureIdentities } from '../../../db/identities/identities.ts';
import { deleteUser } from '../../../db/people/deleteUser.ts';
import { linkUser, type LinkResult } from '../../../db/people/linkUser.ts';
import { inTransaction } from '../../../db/pool.ts';
import { identifierKey, type Identifier, type IdentityKind } from '../../../domain/people/identity.ts';

export interface People {
  pool: pg.Pool;
  projectId: string;
}

const LEDGER_KEY = Buffer.alloc(32, 'ledger');

/** Returns the live identity of exactly this identifier, and creates it when there is none. */
export async function identityOf({ pool, projectId }: People, kind: IdentityKind, externalId: string): Promise<string> {
  const ids = await inTransaction(pool, (client) => ensureIdentities(client, projectId, [{ kind, externalId }]));
  return ids.get(identifierKey({ kind, externalId })) ?? '';
}

export function link(
  { pool, projectId }: People,
  userId: string,
  anonymousId: string | null,
  fingerprint: string | null = null,
): Promise<LinkResult> {
  return linkUser(pool, { projectId, userId, anonymousId, fingerprint, requestId: 'request' });
}

export function remove({ pool, projectId }: People, kind: IdentityKind, externalId: string): Promise<boolean> {
  return removeAll({ pool, projectId }, [{ kind, externalId }]);
}

export function removeAll({ pool, projectId }: People, identifiers: Identifier[]): Promise<boolean> {
  return deleteUser(pool, { projectId, identifiers, requestId: 'request', ledgerKey: LEDGER_KEY });
}

export interface Bulk {
  facts?: number;
  states?: number;
  orders?: number;
}

/**
 * Adds that many rows of each kind under an identity; their names begin with its id. Facts have the value 2, states
 * 1.
 */
export async function addHistory(
  { pool, projectId }: People,
  identityId: string,
  { facts = 0, states = 0, orders = 0 }: Bulk,
): Promise<void> {
  await pool.query(
    `insert into events (project_id, id, identity_id, item_id, type, value, occurred_at)
     select $1, $2 || '-' || n, $2::bigint, 'item-' || n % 100, 'share', 2, now() - n * interval '1 second' from generate_series(1, $3::int) n`,
    [projectId, identityId, facts],
  );
  await pool.query(
    `insert into event_states (project_id, identity_id, item_id, type, value, occurred_at)
     select $1, $2::bigint, 'item-' || n, 'like', 1, now() from generate_series(1, $3::int) n`,
    [projectId, identityId, states],
  );
  await pool.query(
    `insert into orders (project_id, order_id, identity_id, occurred_at, status, revision, expanded_revision)
     select $1, $2 || '-' || n, $2::bigint, now(), 'created', 1, 1 from generate_series(1, $3::int) n`,
    [projectId, identityId, orders],
  );
}

export interface Stored {
  facts: number;
  states: number;
  orders: number;
}

/** Counts the rows under an identity. */
export async function countHistory({ pool, projectId }: People, identityId: string): Promise<Stored> {
  const { rows } = await pool.query<Stored>(
    `select (select count(*)::int from events where project_id = $1 and identity_id = $2) as facts,
            (select count(*)::int from event_states where project_id = $1 and identity_id = $2) as states,
            (select count(*)::int from orders where project_id = $1 and identity_id = $2) as orders`,
    [projectId, identityId],
  );
  return rows[0] ?? { facts: -1, states: -1, orders: -1 };
}

export async function openJobs({ pool, projectId }: People): Promise<{ kind: string; entity: string }[]> {
  const { rows } = await pool.query<{ kind: string; entity: string }>(
    'select kind, entity_id as entity from jobs where project_id = $1 order by kind, entity_id',
    [projectId],
  );
  return rows;
}
