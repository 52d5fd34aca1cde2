/** Connections, and the one way to run a transaction. */
import pg from 'pg';

/** Either a pool or one of its clients: every function of db/ takes it first. */
export type Queryable = Pick<pg.Pool, 'query'>;

export interface PoolOptions {
  databaseUrl: string;
  size: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** A statement that takes longer is a fault, not work; 30 s when it is not given. */
  statementTimeoutMs?: number;
  /**
   * For whoever looks single rows up, all day, in tables that grow: a prepared statement may keep the
   * plan of a day when its table had one page and reading all of it was cheapest.
   */
  looksUpByIndex?: boolean;
  /** How long a connection is waited for; 5 s when it is not given. */
  connectTimeoutMs?: number;
}

/**
 * For whoever answers clients that wait 10 s: waiting for a connection and then for a statement
 * ends before they do.
 */
export const INTAKE_STATEMENT_TIMEOUT_MS = 3_500;

const STATEMENT_TIMEOUT_MS = 30_000;
/** Compiling pays for long statements only; before PostgreSQL 18 a scan that cannot be avoided would look like one. */
const INDEX_PLANS = '-c enable_seqscan=off -c jit=off';
const CONNECT_TIMEOUT_MS = 5_000;
/** PostgreSQL gives a long statement up by itself; one that says nothing by then is out of reach. */
const SILENCE_MS = 500;
const KEEP_ALIVE_MS = 10_000;

/** A pool that survives a restart of PostgreSQL: idle clients that break are dropped in silence. */
export function createPool(options: PoolOptions): pg.Pool {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: options.size,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    // Behind a broken network nothing ever comes, not even an error.
    query_timeout: statementTimeoutMs + SILENCE_MS,
    ...(options.looksUpByIndex && { options: INDEX_PLANS }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  });
  pool.on('error', () => {
    // The client is already out of the pool; whoever needs a connection next sees the fault itself.
  });
  // A client that is checked out has no listener of the pool's: without one of its own, a backend
  // that ends between two statements would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => {});
  });
  return pool;
}

/**
 * Runs `work` in one transaction and commits when it returns. A throw rolls everything back; a
 * client whose rollback fails is destroyed, so no half-open transaction returns to the pool.
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
    // A rollback would wait behind the statement that is not answered.
    if (isSilence(error)) broken = error;
    else await client.query('rollback').catch((fault: Error) => (broken = fault));
    throw error;
  } finally {
    client.release(broken);
  }
}

function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}
