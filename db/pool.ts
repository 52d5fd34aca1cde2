/** Connections, and the one way to run a transaction. */
import pg from 'pg';
import { isRefusedAfterError } from './errors.ts';

/** Either a pool or one of its clients: the first argument of every function of db/. */
export type Queryable = Pick<pg.Pool, 'query'>;

export interface PoolOptions {
  databaseUrl: string;
  size: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** Statement timeout in milliseconds; 30 s by default. A statement that takes longer is a fault. */
  statementTimeoutMs?: number;
  /**
   * Avoids sequential scans, for callers who look up single rows in growing tables all day: a prepared statement may
   * keep a plan from the time when its table had one page and a sequential scan was cheapest.
   */
  looksUpByIndex?: boolean;
  /** Sends statements that are begun at the same time (`together`) without waiting for the answers of earlier ones. */
  sendsTogether?: boolean;
  /** Milliseconds to wait for a connection; 5 s by default. */
  connectTimeoutMs?: number;
}

/** For processes whose clients wait 10 s: the wait for a connection and the statement together end before that. */
export const INTAKE_STATEMENT_TIMEOUT_MS = 3_500;

const STATEMENT_TIMEOUT_MS = 30_000;
/** JIT compilation pays only for long statements; before PostgreSQL 18 an unavoidable scan would look like one. */
const INDEX_PLANS = '-c enable_seqscan=off -c jit=off';
const CONNECT_TIMEOUT_MS = 5_000;
/** PostgreSQL cancels a long statement itself; a server that is still silent after this is unreachable. */
const SILENCE_MS = 500;
const KEEP_ALIVE_MS = 10_000;
/**
 * A new backend has to read the catalogue and to plan every statement again, which costs some 50 ms of processor time.
 * The library's default of 10 s would close the connections that only bursts need, so each burst would pay for new
 * ones, and wait.
 */
const IDLE_MS = 300_000;

/** Creates a pool that survives a restart of PostgreSQL: idle clients that break are dropped silently. */
export function createPool(options: PoolOptions): pg.Pool {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: options.size,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    // Behind a broken network nothing ever arrives, not even an error.
    query_timeout: statementTimeoutMs + SILENCE_MS,
    ...(options.looksUpByIndex && { options: INDEX_PLANS }),
    ...(options.sendsTogether && { pipeline: true }),
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  });
  pool.on('error', () => {
    // The client is already removed from the pool; the next user of a connection sees the fault itself.
  });
  // A client that is checked out has no listener of the pool: without its own, a backend that ends between two
  // statements would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => {});
  });
  return pool;
}

/**
 * Returns the parts of an address as node-postgres reads them: in the address they may also be parameters, or missing.
 * The host has no brackets, which an IPv6 address has there.
 */
export function partsOf(databaseUrl: string): Readonly<Record<string, string | number | undefined>> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl });
  return { host, port, user, password, database };
}

/**
 * Runs `work` in one transaction and commits when it returns. A throw rolls everything back; a client whose rollback
 * fails is destroyed, so no half-open transaction returns to the pool.
 */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    // A rollback would wait behind the unanswered statement.
    if (isSilence(error)) broken = error;
    else await client.query('rollback').catch((fault: Error) => (broken = fault));
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Waits for statements of one transaction that were begun at the same time (docs/decisions/sent-together.md). They are
 * executed in the order in which they were begun; after one that fails, PostgreSQL refuses the others.
 * @throws the error that made PostgreSQL refuse the others, even if a refusal arrives sooner, as happens where calls
 * are nested; but only after all have been answered, because none of them may be sent after the rollback
 */
export async function together<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  try {
    return await Promise.all(work);
  } catch (first) {
    const ends = await Promise.allSettled(work);
    const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    throw [first, ...errors].find((error) => !isRefusedAfterError(error)) ?? first;
  }
}

function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}
