/** The outbox: work for Temporal, written with the change that requests it. */
import type pg from 'pg';
import type { JobKind } from '../../domain/jobs/jobs.ts';
import { allocateFairly } from '../../domain/jobs/fairShares.ts';
import type { Queryable } from '../pool.ts';
import { UUID } from '../../domain/uuid.ts';

export type OutboxKind = 'item' | 'delivery' | 'exports' | JobKind;

export interface OutboxEntry {
  kind: OutboxKind;
  projectId: string;
  entityId: string;
  /** A priority of domain/jobs/queues.ts PRIORITY. */
  priority: number;
  requestId: string | null;
}

export interface ClaimedEntry extends OutboxEntry {
  id: string;
  /** How many times Temporal refused the row. */
  refusals: number;
  /** For a delivery: milliseconds until its next attempt is due, 0 when it is overdue. */
  waitMs: number;
  /**
   * For a delivery: the due time of that attempt, in epoch milliseconds by the database's clock; null when none is
   * scheduled.
   */
  dueAt: number | null;
  /** For a delivery: the number of attempts made so far, and of those before its present schedule. */
  attemptsMade: number;
  scheduleStart: number;
  /** For a delivery: its webhook, and why its last attempt failed. */
  webhookId: string | null;
  errorCode: string | null;
}

/** The NOTIFY channel that wakes the relay. */
export const OUTBOX_CHANNEL = 'outbox';

/** The parts of a statement that adds rows; db/webhooks/deliveries/outcomes.ts adds rows in a statement of its own. */
export const INSERT_INTO_OUTBOX = 'insert into outbox (kind, project_id, entity_id, priority, request_id)';
export const WAKE_RELAY = `pg_notify('${OUTBOX_CHANNEL}', '')`;

/** Adds rows and wakes the relay when the transaction commits. */
export async function enqueue(client: Queryable, entries: readonly OutboxEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await client.query({
    name: 'outbox-enqueue',
    text: `with added as (
             ${INSERT_INTO_OUTBOX} select * from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::text[]))
           select ${WAKE_RELAY}`,
    values: [
      entries.map((entry) => entry.kind),
      entries.map((entry) => entry.projectId),
      entries.map((entry) => entry.entityId),
      entries.map((entry) => entry.priority),
      entries.map((entry) => entry.requestId),
    ],
  });
}

interface Turn {
  priority: number;
  projectId: string;
  /** Number of rows that are due, counted up to the limit. */
  due: number;
}

/** Returns each waiting pair of priority and project, found by skipping through the index. */
async function listTurns(client: Queryable, limit: number): Promise<Turn[]> {
  const { rows } = await client.query<Turn>({
    name: 'outbox-turns',
    text: `with recursive turn as (
             (select priority, project_id from outbox order by priority, project_id limit 1)
             union all
             select n.priority, n.project_id from turn t cross join lateral (
               select o.priority, o.project_id from outbox o where (o.priority, o.project_id) > (t.priority, t.project_id)
                order by o.priority, o.project_id limit 1) n)
           select t.priority, t.project_id as "projectId", d.due from turn t cross join lateral (
             select count(*)::int as due from (
               select from outbox o where o.priority = t.priority and o.project_id = t.project_id and o.available_at <= now() limit $1) o) d
            where d.due > 0`,
    values: [limit],
  });
  return rows;
}

/** Returns the number of due rows, counted up to a limit. */
export async function countDue(client: Queryable, limit: number): Promise<number> {
  const { rows } = await client.query<{ due: number }>(
    'select count(*)::int as due from (select from outbox where available_at <= now() limit $1) o',
    [limit],
  );
  return rows[0]?.due ?? 0;
}

/**
 * Locks the next due rows for the transaction of `client`: the most urgent first, and among equal ones a share for
 * every project, because Temporal can only be fair with the work it was given. Rows that another relay holds are
 * skipped. A relay that dies releases its rows with its connection, so no lease has to expire.
 */
export async function claimEntries(client: pg.PoolClient, limit: number): Promise<ClaimedEntry[]> {
  const turns = await listTurns(client, limit);
  const shares = allocateFairly(turns, limit);
  const served = turns.flatMap((turn, index) => {
    const slots = shares[index] ?? 0;
    return slots === 0 ? [] : [{ ...turn, slots }];
  });
  if (served.length === 0) return [];
  const { rows } = await client.query<{
    id: string;
    kind: OutboxKind;
    project_id: string;
    entity_id: string;
    priority: number;
    request_id: string | null;
    refusals: number;
    wait_ms: number;
    due_at: number | null;
    attempts_made: number;
    schedule_start: number;
    webhook_id: string | null;
    error_code: string | null;
  }>({
    name: 'outbox-claim',
    // The form of the id is checked, so that one malformed id does not stop the claim of all the others.
    text: `with claimed as materialized (
             select o.* from unnest($1::smallint[], $2::text[], $3::int[]) as s (priority, project_id, slots)
              cross join lateral (
                select * from outbox o where o.priority = s.priority and o.project_id = s.project_id and o.available_at <= now()
                 order by o.id limit s.slots for update skip locked) o)
           select c.id, c.kind, c.project_id, c.entity_id, c.priority, c.request_id, c.refusals,
                  coalesce(d.attempt, 0) as attempts_made, coalesce(d.schedule_start, 0) as schedule_start, d.webhook_id, d.error_code,
                  greatest(0, coalesce(extract(epoch from d.next_attempt_at - now()) * 1000, 0))::float8 as wait_ms,
                  (extract(epoch from d.next_attempt_at) * 1000)::float8 as due_at
             from claimed c
             left join deliveries d on d.project_id = c.project_id and d.id = case when c.kind = 'delivery' and c.entity_id ~ '^${UUID}$' then c.entity_id::uuid end
            order by c.priority, c.id`,
    values: [
      served.map(({ priority }) => priority),
      served.map(({ projectId }) => projectId),
      served.map(({ slots }) => slots),
    ],
  });
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    projectId: row.project_id,
    entityId: row.entity_id,
    priority: row.priority,
    requestId: row.request_id,
    refusals: row.refusals,
    waitMs: Math.ceil(row.wait_ms),
    dueAt: row.due_at === null ? null : Math.ceil(row.due_at),
    attemptsMade: row.attempts_made,
    scheduleStart: row.schedule_start,
    webhookId: row.webhook_id,
    errorCode: row.error_code,
  }));
}

/** Removes rows whose work Temporal has accepted. */
export async function deleteEntries(client: Queryable, ids: readonly string[]): Promise<void> {
  await client.query('delete from outbox where id = any($1::bigint[])', [ids]);
}

/** Postpones rows that are not to be handed over yet. */
export async function postpone(client: Queryable, ids: readonly string[], ms: number): Promise<void> {
  await client.query(
    `update outbox set available_at = clock_timestamp() + $2 * interval '1 millisecond' where id = any($1::bigint[])`,
    [ids, ms],
  );
}

/**
 * Postpones rows that Temporal refused, longer each time, so that one bad row cannot block the others. The delay starts
 * now, because the transaction may have waited long for Temporal.
 */
export async function postponeRefused(client: Queryable, ids: readonly string[]): Promise<void> {
  await client.query(
    `update outbox set attempts = attempts + 1, refusals = refusals + 1,
            available_at = clock_timestamp() + least(60, power(2, least(refusals, 6))) * interval '1 second'
      where id = any($1::bigint[])`,
    [ids],
  );
}

/** Briefly postpones rows that got no answer, which says nothing about the rows themselves. */
export async function postponeUnanswered(client: Queryable, ids: readonly string[]): Promise<void> {
  await client.query(
    `update outbox set attempts = attempts + 1, available_at = clock_timestamp() + interval '2 seconds' where id = any($1::bigint[])`,
    [ids],
  );
}

/** Number of refusals after which a row needs a person's attention. */
export const MANY_REFUSALS = 10;

export interface OutboxState {
  /** Seconds for which the oldest row has waited; rows refused many times are left out. */
  lagSeconds: number;
  /** Number of rows that Temporal has refused more than {@link MANY_REFUSALS} times. */
  refused: number;
}

export async function readOutboxState(pool: Queryable): Promise<OutboxState> {
  const { rows } = await pool.query<OutboxState>({
    name: 'outbox-state',
    text: `select coalesce((select extract(epoch from clock_timestamp() - created_at) from outbox
                             where refusals <= ${MANY_REFUSALS} order by id limit 1), 0)::float8 as "lagSeconds",
                  (select count(*)::int from outbox where refusals > ${MANY_REFUSALS}) as refused`,
  });
  return rows[0] ?? { lagSeconds: 0, refused: 0 };
}
