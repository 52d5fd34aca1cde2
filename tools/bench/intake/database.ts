/** A separate PostgreSQL for the benchmark, set up as docs/installation.md recommends for a machine of this size. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../scripts/engines/servers/freePort.ts';
import { startPostgres } from '../../scripts/engines/servers/postgres.ts';
import { endWithBench } from '../support/endWithBench.ts';

/** The usual quarter of memory would be 6 GB; the benchmark's tables and indexes fit into less. */
const SETTINGS = { shared_buffers: '4GB', max_wal_size: '16GB', checkpoint_timeout: '15min' };

export interface BenchDatabase {
  url: string;
  /** Process id of the server. */
  pid: number;
  /** A folder that the server may write to. */
  folder: string;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

/** @param more settings in addition to, or instead of, the usual ones */
export async function startBenchDatabase(binDir: string, more: Record<string, string> = {}): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'attune-intake-'));
  await chmod(folder, 0o777);
  const starting = startPostgres({
    binDir,
    dataDir: join(folder, 'postgres'),
    port: await freePort(),
    report: console.error,
    settings: { ...SETTINGS, ...more },
  });
  const stop = endWithBench(starting, async (started) => {
    await started.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const server = await starting;
  const url = new URL(server.url);
  url.pathname = '/attune';
  await runOn(server.url, 'create database attune');
  const client = new pg.Client({ connectionString: url.href, statement_timeout: 0 });
  await client.connect();
  return {
    url: url.href,
    pid: server.pid,
    folder,
    query: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await client.query<Row>(text, values)).rows,
    async stop() {
      await client.end();
      await stop();
    },
  };
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
