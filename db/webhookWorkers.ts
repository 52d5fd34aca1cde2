/**
 * How the running workers of webhooks share the requests to one webhook, by the database. The sum holds at
 * every moment but in one case: a worker that lives but whose session was cut (docs/decisions/webhook-lanes.md).
 */
import pg from 'pg';
import type { Queryable } from './pool.ts';

/** What a worker may do until it asks again. */
export interface WorkerShare {
  /** Requests to one webhook at a time in this worker. */
  slots: number;
  /** Not all of its part was free: another worker has yet to give some back. */
  waits: boolean;
}

/** The database's clock, with the times of `performance.now()` between which it was read. */
export interface ClockReading {
  /** Milliseconds since 1970. */
  databaseTime: number;
  askedAt: number;
  answeredAt: number;
}

export interface ShareRequest {
  workerId: string;
  /** The most requests to one webhook that the worker has under way or may start before the answer. */
  inForce: number;
  /** The most requests to one webhook over all workers. */
  total: number;
  /** A worker whose session is gone and that has said nothing for so long is no more. */
  silenceMs: number;
  /** One that has said nothing for so long is no more, whatever became of its session. */
  expiryMs: number;
}

/** Workers of one database renew one after another. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended('webhook-workers', 0))`;

const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 2_000;

/**
 * A session of its own, whose end tells the others of the worker's. One that falls silent within its
 * turn keeps the others from theirs for {@link STATEMENT_TIMEOUT_MS} at most.
 */
export async function openWorkerSession(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'attune-webhook-share',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  });
  client.on('error', () => {}); // The next statement says it.
  try {
    await client.connect();
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
  return client;
}

/** Reads the database's clock, in one round trip and nothing else. */
export async function readClock(client: Queryable): Promise<ClockReading> {
  const askedAt = performance.now();
  const { rows } = await client.query<{ time: number }>(
    `select extract(epoch from clock_timestamp())::float8 * 1000 as time`,
  );
  const answeredAt = performance.now();
  if (!rows[0]) throw new Error('the database did not tell its time');
  return { databaseTime: rows[0].time, askedAt, answeredAt };
}

/**
 * Announces the worker, or that it still runs, and takes its share: an equal part of the total, at
 * least one, and never more than the others leave. What it has in force stays its own until it says
 * less, so the sum of the announced shares is never above the total, whoever comes or goes.
 *
 * Workers that are no more are forgotten. The session of a worker that was killed ends at once, so its
 * part is free after `silenceMs`; not so soon after a start of PostgreSQL, which ended all sessions.
 * @param client the worker's own session
 */
export async function renewShare(client: pg.Client, request: ShareRequest): Promise<WorkerShare> {
  await client.query('begin');
  await client.query(LOCK);
  const { rows } = await client.query<WorkerShare>({
    name: 'webhook-workers-renew',
    text: `
      with gone as (
        delete from webhook_workers w
         where w.id <> $1
           and (w.renewed_at < now() - $5::int * interval '1 millisecond'
                or w.renewed_at < now() - $4::int * interval '1 millisecond'
                   and pg_postmaster_start_time() < now() - $5::int * interval '1 millisecond'
                   and not exists (select from pg_stat_activity a
                                    where a.pid = w.backend_pid and (a.backend_start is null or a.backend_start = w.backend_start)))
        returning w.id
      ), others as (
        select count(*)::int as count, coalesce(sum(w.slots), 0)::int as slots
          from webhook_workers w where w.id <> $1 and not exists (select from gone g where g.id = w.id)
      ), share as (
        select greatest(1, $3::int / (count + 1)) as part, greatest(0, $3::int - slots) as free from others
      ), renewed as (
        insert into webhook_workers (id, slots, backend_pid, backend_start, renewed_at)
        select $1, greatest($2::int, least(part, free)), pg_backend_pid(), (select backend_start from pg_stat_activity where pid = pg_backend_pid()), now()
          from share
        on conflict (id) do update
           set slots = excluded.slots, backend_pid = excluded.backend_pid, backend_start = excluded.backend_start, renewed_at = excluded.renewed_at
      )
      select least(part, free) as slots, free < part as waits from share`,
    values: [request.workerId, request.inForce, request.total, request.silenceMs, request.expiryMs],
  });
  await client.query('commit');
  if (!rows[0]) throw new Error('a worker of webhooks was announced and got no share');
  return rows[0];
}

/** The worker has no request under way and makes none any more. */
export async function endShare(client: Queryable, workerId: string): Promise<void> {
  await client.query('delete from webhook_workers where id = $1', [workerId]);
}
