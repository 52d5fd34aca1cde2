/** A separate database for each test file: a copy of the migrated template. */
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import pg from 'pg';
import { createPool } from '../../db/pool.ts';
import { askBroker } from './servers/brokerClient.ts';
import { HANG_MS } from './eventually.ts';
import { TEMPLATE_DATABASE, withDatabase } from './servers/template.ts';

const CONNECTION_PAUSE_MS = 10;

/** Limits of the tests' pools, which only end a hang; the product's would fail a test on a busy machine. */
export const PATIENT_POOL = { statementTimeoutMs: 300_000, connectTimeoutMs: 60_000 };

export interface TestDatabase {
  url: string;
  pool: pg.Pool;
  /**
   * Closes the pool and removes the database; call it in afterAll. After a failed test the database is kept and its
   * name printed. Run with ATTUNE_KEEP_DATABASES=true to keep its server too.
   * @throws when the file left other connections open and they do not close in time
   */
  drop(patienceMs?: number): Promise<void>;
}

/** Connections by the address of the server. */
const administrations = new Map<string, pg.Pool>();

/**
 * Runs a statement on the shared server's own database. All files that a worker runs share one connection, because a
 * new one costs more than the statement. The connection does not keep the worker from ending.
 */
function onSharedServer(server: string, statement: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const pool = administrations.get(server) ?? openAdministration(server);
  administrations.set(server, pool);
  return pool.query(statement, values);
}

function openAdministration(server: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: server, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // A test may end the connections of the whole server; the next statement opens another one.
  pool.on('error', () => {});
  return pool;
}

function databaseName(): string {
  const file = basename(expect.getState().testPath ?? 'test', '.test.ts');
  return `${file.replaceAll(/\W+/g, '_').toLowerCase()}_${randomBytes(4).toString('hex')}`;
}

function hasFailed(): boolean {
  return (globalThis as { attuneTestFailed?: boolean }).attuneTestFailed === true;
}

async function keep(url: string): Promise<void> {
  await askBroker('/keep');
  console.error(
    `a test failed; its database is ${url}${process.env['ATTUNE_KEEP_DATABASES'] === 'true' ? '' : ' (gone with this run: set ATTUNE_KEEP_DATABASES=true to keep it)'}`,
  );
}

/**
 * Counts connections that the file opened and did not close. A client that has just ended may need a moment to
 * disconnect, and a backend a moment to notice that its client was killed.
 */
async function openConnections(server: string, name: string, patienceMs: number): Promise<number> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const { rows } = await onSharedServer(
      server,
      `select count(*)::int as open from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
      [name],
    );
    const open = (rows[0] as { open: number }).open;
    if (open === 0 || performance.now() > deadline) return open;
    await pause(CONNECTION_PAUSE_MS);
  }
}

export function createTestDatabase(): Promise<TestDatabase> {
  return createFrom(TEMPLATE_DATABASE);
}

/** Copies a database in its current state, like a restored backup. Closes the idle connections of its pool. */
export async function copyDatabase({ url, pool }: Pick<TestDatabase, 'url' | 'pool'>): Promise<TestDatabase> {
  const name = new URL(url).pathname.slice(1);
  const { url: server } = await askBroker<{ url: string }>('/postgres');
  // A template may have no connections; the pool reconnects at the next query.
  await onSharedServer(server, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  const copy = await createFrom(name);
  await pool.query('select');
  return copy;
}

async function createFrom(template: string): Promise<TestDatabase> {
  const { url: server } = await askBroker<{ url: string }>('/postgres');
  const name = databaseName();
  // The strategy file_copy: the default (wal_log) costs two to four times the CPU.
  await onSharedServer(server, `create database "${name}" template "${template}" strategy file_copy`);
  const url = withDatabase(server, name);
  const pool = createPool({
    databaseUrl: url,
    size: 10,
    applicationName: 'attune-test',
    sendsTogether: true,
    ...PATIENT_POOL,
  });
  return {
    url,
    pool,
    async drop(patienceMs = HANG_MS) {
      await pool.end();
      if (hasFailed()) return keep(url);
      const open = await openConnections(server, name, patienceMs);
      await onSharedServer(server, `drop database "${name}" with (force)`);
      if (open > 0) throw new Error(`the file left ${open} database connections open`);
    },
  };
}
