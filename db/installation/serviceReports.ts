/** The reports of the long-running processes (`service_reports`), and how much work is left. */
import { IS_UNFINISHED } from '../itemStatuses.ts';
import type { Queryable } from '../pool.ts';

export interface ServiceReport {
  service: string;
  report: Record<string, unknown>;
  /** Seconds since the last report of the process, by the database's clock. */
  ageSeconds: number;
}

/** Replaces the report of a service. */
export async function writeServiceReport(
  pool: Queryable,
  service: string,
  report: Record<string, unknown>,
): Promise<void> {
  await pool.query({
    name: 'service-report-write',
    text: `insert into service_reports (service, report, updated_at) values ($1, $2, now())
           on conflict (service) do update set report = excluded.report, updated_at = excluded.updated_at`,
    values: [service, report],
  });
}

export async function readServiceReport(pool: Queryable, service: string): Promise<ServiceReport | null> {
  const { rows } = await pool.query<ServiceReport>({
    name: 'service-report-read',
    text: `select service, report, extract(epoch from now() - updated_at)::float8 as "ageSeconds"
             from service_reports where service = $1`,
    values: [service],
  });
  return rows[0] ?? null;
}

/**
 * Returns the seconds since the last change of the oldest item that still waits for its analysis; 0 when none waits.
 * Items that wait for analysis volume do not count.
 */
export async function oldestQueuedSeconds(pool: Queryable): Promise<number> {
  const { rows } = await pool.query<{ seconds: number }>({
    name: 'items-oldest-queued',
    text: `select extract(epoch from now() - updated_at)::float8 as seconds from items
            where status = 'queued' and not deleted and not waiting and jsonb_path_exists(steps, '$.*.state ? (@ == "queued")')
            order by updated_at limit 1`,
  });
  return rows[0]?.seconds ?? 0;
}

export interface QueueDepth {
  outbox: number;
  unfinishedItems: number;
  undelivered: number;
}

/** Reads the depth of the queue. Each count stops at `cap`, so that a scrape stays cheap whatever the backlog is. */
export async function readQueueDepth(pool: Queryable, cap: number): Promise<QueueDepth> {
  const { rows } = await pool.query<QueueDepth>({
    name: 'queue-depth',
    text: `select (select count(*)::int from (select 1 from outbox limit $1) o) as outbox,
                  (select count(*)::int from (select 1 from items
                     where ${IS_UNFINISHED} and not deleted and not waiting limit $1) i) as "unfinishedItems",
                  (select count(*)::int from (select 1 from deliveries where lane in ('first', 'urgent', 'retry') limit $1) d) as undelivered`,
    values: [cap],
  });
  return rows[0] ?? { outbox: 0, unfinishedItems: 0, undelivered: 0 };
}
