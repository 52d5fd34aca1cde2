/** The outbox: work for Temporal, written with the change that asks for it. */
import type pg from 'pg';
import type { Queryable } from './pool.ts';

export type OutboxKind = 'item' | 'delivery';

export interface OutboxEntry {
  kind: OutboxKind;
  projectId: string;
  entityId: string;
  /** domain/queues.ts PRIORITY. */
  priority: number;
  requestId: string | null;
}

export interface ClaimedEntry extends OutboxEntry {
  id: string;
  /** For a delivery: milliseconds until its next attempt is due, 0 when it is overdue. */
  waitMs: number;
  /** For a delivery: attempts made so far. */
  attemptsMade: number;
}

/** The channel that wakes the relay. */
export const OUTBOX_CHANNEL = 'outbox';

/** Adds a row and wakes the relay when the transaction commits. */
export async function enqueue(client: Queryable, entry: OutboxEntry): Promise<void> {
  await client.query({
    name: 'outbox-enqueue',
    text: `with added as (
             insert into outbox (kind, project_id, entity_id, priority, request_id) values ($1, $2, $3, $4, $5))
           select pg_notify('${OUTBOX_CHANNEL}', '')`,
    values: [entry.kind, entry.projectId, entry.entityId, entry.priority, entry.requestId],
  });
}

/**
 * Locks the next due rows for the transaction of `client`. Rows that another relay holds are
 * skipped, and a relay that dies lets go of its own with its connection: no lease has to expire.
 */
export async function claimEntries(client: pg.PoolClient, limit: number): Promise<ClaimedEntry[]> {
  const { rows } = await client.query<{
    id: string; kind: OutboxKind; project_id: string; entity_id: string; priority: number; request_id: string | null;
    wait_ms: number; attempts_made: number;
  }>({
    name: 'outbox-claim',
    text: `with claimed as (
             select * from outbox where available_at <= now() order by priority, id limit $1 for update skip locked)
           select c.id, c.kind, c.project_id, c.entity_id, c.priority, c.request_id,
                  coalesce(d.attempt, 0) as attempts_made,
                  greatest(0, coalesce(extract(epoch from d.next_attempt_at - now()) * 1000, 0))::float8 as wait_ms
             from claimed c
             left join deliveries d on d.project_id = c.project_id and d.id = case when c.kind = 'delivery' then c.entity_id::uuid end
            order by c.priority, c.id`,
    values: [limit],
  });
  return rows.map((row) => ({
    id: row.id, kind: row.kind, projectId: row.project_id, entityId: row.entity_id, priority: row.priority,
    requestId: row.request_id, waitMs: Math.ceil(row.wait_ms), attemptsMade: row.attempts_made,
  }));
}

/** Removes rows whose work Temporal has taken over. */
export async function deleteEntries(client: Queryable, ids: readonly string[]): Promise<void> {
  await client.query('delete from outbox where id = any($1::bigint[])', [ids]);
}

/** Puts rows off that Temporal did not take, so that one bad row cannot block the others. */
export async function postponeEntries(client: Queryable, ids: readonly string[]): Promise<void> {
  await client.query(
    `update outbox set attempts = attempts + 1,
            available_at = now() + least(60, power(2, least(attempts, 6))) * interval '1 second'
      where id = any($1::bigint[])`,
    [ids],
  );
}
