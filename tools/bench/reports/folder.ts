/**
 * The prepared folder: a PostgreSQL with the product's database and the rival one, the lake, and ClickHouse's tables.
 * It is kept for the next run.
 */
import { access, chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../../db/migrate.ts';
import { createPool } from '../../../db/pool.ts';
import { openLake, type Lake } from '../../../reports/lake/index.ts';
import type { LakeSettings } from '../../../reports/lake/lakeSettings.ts';
import { freePort } from '../../scripts/engines/servers/freePort.ts';
import { resolveDuckdbExtensions, resolveEngine } from '../../scripts/engines/index.ts';
import { startPostgres } from '../../scripts/engines/servers/postgres.ts';
import { endWithBench } from '../support/endWithBench.ts';

/** For 2 cores and 24 GB; the rival's queries may use both cores, as DuckDB and ClickHouse do. */
const POSTGRES = {
  shared_buffers: '4GB',
  effective_cache_size: '12GB',
  work_mem: '512MB',
  maintenance_work_mem: '2GB',
  max_wal_size: '16GB',
  checkpoint_timeout: '30min',
  random_page_cost: '1.1',
  max_parallel_workers_per_gather: '1',
  max_parallel_maintenance_workers: '1',
  hash_mem_multiplier: '2',
};

/** Resources of each of the three engines. */
export const RESOURCES = { threads: 2, memoryMb: 4_096 } as const;

export interface BenchFolder {
  path: string;
  /** The product's database. */
  databaseUrl: string;
  /** The rival's: the same rows as tables of PostgreSQL. */
  rivalUrl: string;
  lakeSettings: LakeSettings;
  pool: pg.Pool;
  openLake(memoryMb?: number): Promise<Lake>;
  /** Runs the step unless it was completed in this folder before; an interrupted step is started again. */
  once(step: string, work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** @param report prints a line of progress */
export async function openFolder(path: string, report: (line: string) => void): Promise<BenchFolder> {
  await mkdir(path, { recursive: true });
  // The server runs under its own account.
  await chmod(path, 0o777);
  const context = { report, env: process.env };
  const starting = startPostgres({
    binDir: await resolveEngine('postgres', context),
    dataDir: join(path, 'postgres'),
    port: await freePort(),
    report,
    settings: POSTGRES,
  });
  const stop = endWithBench(starting, async (started) => {
    await started.stop();
    await rm(join(path, 'temp'), { recursive: true, force: true });
  });
  const server = await starting;
  const [databaseUrl, rivalUrl] = [await database(server.url, 'attune'), await database(server.url, 'rival')];
  await migrate(databaseUrl);
  const pool = createPool({ databaseUrl, size: 4, applicationName: 'attune-bench', statementTimeoutMs: 600_000 });
  const lakeSettings: LakeSettings = {
    databaseUrl,
    data: { kind: 'local', dir: join(path, 'lake') },
    extensionsDir: await resolveDuckdbExtensions(context),
    tempDir: join(path, 'temp'),
    ...RESOURCES,
  };
  return {
    path,
    databaseUrl,
    rivalUrl,
    lakeSettings,
    pool,
    openLake: (memoryMb = RESOURCES.memoryMb) => openLake({ ...lakeSettings, memoryMb }),
    async once(step, work) {
      const mark = join(path, `${step}.done`);
      if (
        await access(mark).then(
          () => true,
          () => false,
        )
      )
        return;
      report(`${step}: begins`);
      const begun = performance.now();
      await work();
      await writeFile(mark, '');
      report(`${step}: ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
    },
    async close() {
      await pool.end();
      await stop();
    },
  };
}

async function database(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
