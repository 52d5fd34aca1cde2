/** The activity of webhooks, hour by hour (migrations/0092_webhook_hours.sql). */
import { DURATION_ENDS_MS } from '../../../domain/webhooks/durationHistogram.ts';
import type { Queryable } from '../../pool.ts';

/**
 * A part of the statement that settles attempts: counts those of the CTE `settled`. Rows are locked in one order, so
 * two workers never deadlock. A span includes its upper end, which `width_bucket` excludes, so half a millisecond is
 * subtracted.
 */
export const COUNT_HOURS = `
  insert into webhook_hours as h (project_id, webhook_id, hour, duration, attempts, failed)
  select project_id, webhook_id, date_trunc('hour', started_at, 'UTC'),
         width_bucket(duration_ms - 0.5, '{${DURATION_ENDS_MS.join(',')}}'::float8[]), count(*), count(error_code)
    from settled where status <> 'dropped' group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (project_id, webhook_id, hour, duration)
     do update set attempts = h.attempts + excluded.attempts, failed = h.failed + excluded.failed`;

/**
 * A part of the statement that reviews backlogs: records the longest of the hour, from the CTE `backlogs`. Webhooks that
 * have been deleted since they were counted are left out.
 */
export const RECORD_BACKLOGS = `
  insert into webhook_backlog_hours as h (project_id, webhook_id, hour, most)
  select b.project_id, b.webhook_id, date_trunc('hour', now(), 'UTC'), b.events
    from (select * from backlogs where events > 0 order by project_id, webhook_id) b
   cross join lateral (
     select from webhooks w where w.project_id = b.project_id and w.id = b.webhook_id for key share skip locked) w
  on conflict (project_id, webhook_id, hour) do update set most = excluded.most where h.most < excluded.most`;

export interface WebhookHour {
  hour: Date;
  /** In the order of their spans. */
  counts: { duration: number; attempts: number; failed: number }[];
  /** Maximum number of events that were undelivered at the same time; 0 when none waited. */
  backlog: number;
}

/**
 * Returns every hour of the last `hours`, including the current one, first to last. It reads at most 37 rows for each.
 */
export async function listWebhookHours(
  pool: Queryable,
  projectId: string,
  webhookId: string,
  hours: number,
): Promise<WebhookHour[]> {
  const { rows } = await pool.query<WebhookHour>(
    `select s.hour, coalesce(b.most, 0) as backlog, coalesce((
              select jsonb_agg(jsonb_build_object('duration', h.duration, 'attempts', h.attempts, 'failed', h.failed) order by h.duration)
                from webhook_hours h where h.project_id = $1 and h.webhook_id = $2 and h.hour = s.hour), '[]') as counts
       from generate_series(date_trunc('hour', now(), 'UTC') - ($3::int - 1) * interval '1 hour',
                            date_trunc('hour', now(), 'UTC'), interval '1 hour') as s (hour)
       left join webhook_backlog_hours b on b.project_id = $1 and b.webhook_id = $2 and b.hour = s.hour
      order by s.hour`,
    [projectId, webhookId, hours],
  );
  return rows;
}

/** Retries are stored in the order of their next attempts; this many are searched for the oldest one. */
const MAX_RETRIES_EXAMINED = 1_000;

export interface Backlog {
  /** Number of undelivered events, counted up to `most`. */
  events: number;
  /** When the oldest of them was recorded, among the retries that were searched. */
  since: Date | null;
}

/** Returns the undelivered events, counted in the lanes' indexes up to `most`. */
export async function readBacklog(
  pool: Queryable,
  projectId: string,
  webhookId: string,
  most: number,
): Promise<Backlog> {
  const inLane = (lane: string): string =>
    `select from deliveries where lane = '${lane}' and project_id = $1 and webhook_id = $2`;
  const { rows } = await pool.query<Backlog>(
    `select (select count(*)::int from (${inLane('first')} union all ${inLane('retry')} limit $3) counted) as events,
            (select min(created_at) from (
               (select created_at from deliveries where lane = 'first' and project_id = $1 and webhook_id = $2 order by id limit 1)
               union all
               (select created_at from deliveries where lane = 'retry' and project_id = $1 and webhook_id = $2 order by next_attempt_at limit ${MAX_RETRIES_EXAMINED})
             ) oldest) as since`,
    [projectId, webhookId, most],
  );
  return rows[0] ?? { events: 0, since: null };
}

/** Removes hours older than `days`, at most `limit` rows of each kind; call again while it removes that many. */
export async function deleteOldWebhookHours(pool: Queryable, days: number, limit: number): Promise<number> {
  const { rows } = await pool.query<{ removed: number }>(
    `with backlogs as (delete from webhook_backlog_hours where ctid = any(array(
            select ctid from webhook_backlog_hours where hour < now() - $1::int * interval '1 day' limit $2))),
          hours as (delete from webhook_hours where ctid = any(array(
            select ctid from webhook_hours where hour < now() - $1::int * interval '1 day' limit $2)) returning 1)
     select count(*)::int as removed from hours`,
    [days, limit],
  );
  return rows[0]?.removed ?? 0;
}
