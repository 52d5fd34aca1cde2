/**
 * Divides the concurrent requests to one webhook among the running workers, through the database. The sum never exceeds
 * the limit, except in one case: a worker that is alive but whose session was cut (docs/decisions/webhook-lanes.md).
 */
import pg from 'pg';
import type { Queryable } from '../../pool.ts';

/** The share of a worker until its next renewal. */
export interface WorkerShare {
  /** Maximum number of concurrent requests to one webhook in this worker. */
  slots: number;
  /** Its full share was not free: another worker has yet to return some. */
  waits: boolean;
}

export interface ShareRequest {
  workerId: string;
  /** Maximum number of requests to one webhook that the worker has in progress or may start before the answer. */
  inForce: number;
  /** Maximum number of concurrent requests to one webhook over all workers. */
  total: number;
  /** A worker that has no session and has been silent for this long counts as dead. */
  silenceMs: number;
  /** A worker that has been silent for this long counts as dead, whatever the state of its session. */
  expiryMs: number;
}

/** Workers of one database renew their shares one after another. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended('webhook-workers', 0))`;

const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 2_000;

/**
 * Opens a session of its own, whose end shows the others that the worker ended. A session that falls silent during its
 * renewal blocks the others for at most {@link STATEMENT_TIMEOUT_MS}.
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
  client.on('error', () => {}); // The next statement reports the error.
  try {
    await client.connect();
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
  return client;
}

/**
 * Announces the worker, or that it still runs, and takes its share: an equal part of the total, at least one, and never
 * more than the others leave. The share that it has in force stays its own until it announces less, so the sum of the
 * announced shares never exceeds the total, whichever workers start or stop.
 *
 * Dead workers are deleted. The session of a killed worker ends at once, so its share is free after `silenceMs`; it
 * takes longer after a start of PostgreSQL, which ended all sessions.
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
  if (!rows[0]) throw new Error('a webhook worker was announced but got no share');
  return rows[0];
}

/** Announces that the worker has no request in progress and will make none. */
export async function endShare(client: Queryable, workerId: string): Promise<void> {
  await client.query('delete from webhook_workers where id = $1', [workerId]);
}
