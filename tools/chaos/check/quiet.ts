/** Waits until everything that was accepted has been processed. */
import type pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 500;

/** Counts of unfinished work; all zero when the system is quiet. */
export interface UnfinishedWork {
  items: number;
  outbox: number;
  /** Jobs, except those that wait ten minutes for their second pass: `unmoved` says whether their first is over. */
  jobs: number;
  /** Deliveries that should be under way: neither retries that are not due yet nor deliveries that a webhook holds. */
  deliveries: number;
  /** Rows of people that a link or a deletion has not reached yet. */
  unmoved: number;
  /** Batches of hits, finished visits, conversions and orders that the lake does not have yet. */
  hits: number;
}

async function readUnfinishedWork(pool: pg.Pool): Promise<UnfinishedWork> {
  const { rows } = await pool.query<UnfinishedWork>(`
    with moving as (select project_id, id from identities where merged_into is not null or dead_at is not null)
    select (select count(*)::int from items where status not in ('ready', 'partial', 'failed') and not deleted) as items,
           (select count(*)::int from outbox) as outbox,
           (select count(*)::int from jobs where kind not in ('user-link', 'user-delete')) as jobs,
           (select count(*)::int from deliveries d join webhooks w on w.project_id = d.project_id and w.id = d.webhook_id
             where d.status = 'pending' and not (d.lane = 'retry' and d.next_attempt_at > now())
               and coalesce(w.held_until, '-infinity') < now()) as deliveries,
           (select count(*)::int from events e join moving m on m.project_id = e.project_id and m.id = e.identity_id)
             + (select count(*)::int from event_states s join moving m on m.project_id = s.project_id and m.id = s.identity_id)
             + (select count(*)::int from orders o join moving m on m.project_id = o.project_id and m.id = o.identity_id)
             + (select count(*)::int from profiles p join moving m on m.project_id = p.project_id and m.id = p.identity_id) as unmoved,
           (select count(*)::int from collect_inbox) + (select count(*)::int from lake_batches) + (select count(*)::int from site_visits where lake_batch is null)
             + (select count(*)::int from site_conversions where lake_batch is null) + (select count(*)::int from site_orders where lake_batch is null) as hits`);
  const [unfinished] = rows;
  if (!unfinished) throw new Error('the query for unfinished work returned no row');
  return unfinished;
}

export interface QuietWait {
  /** Duration in seconds. */
  seconds: number;
  /** Work left when the patience ran out; null when all is quiet. */
  left: UnfinishedWork | null;
}

/**
 * Waits until all is quiet, and meanwhile also for a database that is unavailable.
 * @throws when the database still does not answer after twice the patience, or when `signal` is aborted
 */
export async function untilQuiet(pool: pg.Pool, patienceSeconds: number, signal: AbortSignal): Promise<QuietWait> {
  const started = performance.now();
  for (;;) {
    const unfinished = await readUnfinishedWork(pool).catch(() => null);
    const seconds = (performance.now() - started) / 1_000;
    if (unfinished && Object.values(unfinished).every((count) => count === 0)) return { seconds, left: null };
    if (seconds > patienceSeconds && unfinished) return { seconds, left: unfinished };
    if (seconds > 2 * patienceSeconds) throw new Error('the database does not answer');
    await delay(POLL_MS, undefined, { signal });
  }
}
