/** Deletion from the delivery journal: expired deliveries, and those of deleted webhooks. */
import { RUNS } from './journal.ts';
import type { Queryable } from '../../pool.ts';

/**
 * Deletes finished deliveries that are older than `days`, at most `limit` of them, so that one call stays short; call
 * again while it deletes that many. It goes through the runs of each webhook from their old ends: an index on age alone
 * would cost every delivery a further write. A delivery that is requested again at this moment (a resend, a recovery)
 * is skipped, so nobody waits for a lock.
 */
export async function deleteOldDeliveries(pool: Queryable, days: number, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `with old as materialized (
       select o.tid from webhooks w
        cross join (values ${FINAL_RUNS}) run (event, status)
        cross join lateral (
          select f.ctid as tid from deliveries f
           where f.project_id = w.project_id and f.webhook_id = w.id and f.event = run.event and f.status = run.status
             and f.created_at < now() - $1::int * interval '1 day'
           order by f.created_at, f.id limit $2 for update skip locked) o
        limit $2)
     delete from deliveries d using old where d.ctid = old.tid`,
    [days, limit],
  );
  return rowCount ?? 0;
}

/**
 * Deletes the journals of deleted webhooks, including deliveries that still waited: at most `limit` deliveries. When
 * there were fewer, also deletes the deleted webhooks that have none left. Call again while it deletes that many.
 */
export async function purgeDeletedWebhooks(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `with old as materialized (
       select o.tid from webhooks w
        cross join lateral (
          select f.ctid as tid from deliveries f where f.project_id = w.project_id and f.webhook_id = w.id limit $1 for update skip locked) o
        where w.deleted_at is not null
        limit $1)
     delete from deliveries d using old where d.ctid = old.tid`,
    [limit],
  );
  if ((rowCount ?? 0) < limit) await pool.query(EMPTY_WEBHOOKS);
  return rowCount ?? 0;
}

/** A webhook that somebody has locked (the breaker locks in id order) is left for the next time. */
const EMPTY_WEBHOOKS = `
  with empty as materialized (
    select w.project_id, w.id from webhooks w
     where w.deleted_at is not null and not exists (select from deliveries d where d.project_id = w.project_id and d.webhook_id = w.id)
     order by w.project_id, w.id for update skip locked)
  delete from webhooks w using empty e where w.project_id = e.project_id and w.id = e.id`;

/** Every status but `pending` is final; a delivery that is requested again becomes pending. */
const FINAL_RUNS = RUNS.filter(({ status }) => status !== 'pending')
  .map(({ event, status }) => `('${event}', '${status}')`)
  .join(', ');
