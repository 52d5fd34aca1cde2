/** The ingest process and a reader of its lake, for the parts of the benchmark that need them. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { insertClient } from '../../../db/accounts/clients.ts';
import { createPool } from '../../../db/pool.ts';
import { insertSite } from '../../../db/sites/sites.ts';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';
import { openLake, type Lake } from '../../../reports/lake/index.ts';
import { resolveDuckdbExtensions } from '../../scripts/engines/index.ts';
import { processorSeconds } from '../support/processorTime.ts';
import { stopProcess } from '../../load/stopProcess.ts';
import { BENCH_ENV, type CollectStage } from './stage.ts';

/** Number of sites, which spread the hits over the shards; the stage's own is the first. */
const SITES = 8;

export interface IngestStage {
  pool: pg.Pool;
  /** A separate reader, like that of the reports. */
  lake: Lake;
  siteIds: string[];
  /** Freezes or resumes the process. */
  freeze(): void;
  thaw(): void;
  /** Returns the processor time of the process, including its DuckDB threads, and of the database server. */
  processorTime(): Promise<{ ingest: number; postgres: number }>;
  /** Returns the peak memory of the process, in MB. */
  peakMemory(): Promise<number>;
  close(): Promise<void>;
}

export async function startIngestStage(stage: CollectStage): Promise<IngestStage> {
  const pool = createPool({
    databaseUrl: stage.database.url,
    size: 4,
    applicationName: 'attune-bench',
    statementTimeoutMs: 600_000,
  });
  const siteIds = [stage.site.id, ...(await Promise.all(Array.from({ length: SITES - 1 }, () => addSite(pool))))];
  await pool.query(`update sites set quotas = '{"hits_per_day": 1000000000}'`);
  const dataDir = join(stage.folder, 'data');
  const extensionsDir = await resolveDuckdbExtensions({ report: console.error, env: process.env });
  const child = await startProcess(stage, dataDir, extensionsDir);
  const lake = await openLake({
    databaseUrl: stage.database.url,
    data: { kind: 'local', dir: join(dataDir, 'lake') },
    extensionsDir,
    tempDir: join(stage.folder, 'reader'),
    memoryMb: 4_096,
    threads: 2,
  });
  return {
    pool,
    lake,
    siteIds,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async processorTime() {
      return {
        ingest: (await processorSeconds(child.pid ?? Number.NaN)) ?? Number.NaN,
        postgres: (await stage.processorTime()).postgres,
      };
    },
    async peakMemory() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
    },
    async close() {
      await stopProcess(child);
      await lake.close();
      await pool.end();
    },
  };
}

async function addSite(pool: pg.Pool): Promise<string> {
  const id = newTenantId();
  await insertSite(pool, {
    id,
    clientId: await insertClient(pool, 'Benchmark'),
    title: 'Benchmark',
    hosts: ['*'],
    timezone: 'Europe/Moscow',
    currency: 'RUB',
  });
  return id;
}

async function startProcess(stage: CollectStage, dataDir: string, extensionsDir: string): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, '../../../workers/ingest.ts'), {
    env: {
      ...BENCH_ENV,
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: stage.database.url,
      ATTUNE_DATA_DIR: dataDir,
      DUCKDB_EXTENSIONS_DIR: extensionsDir,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the ingest ended'))),
  ]);
  return child;
}
