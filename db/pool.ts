/** Connections, and the one way to run a transaction. */
import pg from 'pg';

/** Either a pool or one of its clients: every function of db/ takes it first. */
export type Queryable = Pick<pg.Pool, 'query'>;

export interface PoolOptions {
  databaseUrl: string;
  size: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
}

/** A statement of the intake or of a worker that takes longer is a fault, not work. */
const STATEMENT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** A pool that survives a restart of PostgreSQL: idle clients that break are dropped in silence. */
export function createPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: options.size,
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
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
    await client.query('rollback').catch((fault: Error) => {
      broken = fault;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
