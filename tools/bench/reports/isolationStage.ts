/** An API process with its engines and an ingest process on the prepared folder, and keys for requests to them. */
import { join } from 'node:path';
import type pg from 'pg';
import { insertClient } from '../../../db/accounts/clients.ts';
import { insertSiteKey } from '../../../db/sites/siteKeys.ts';
import { insertSite } from '../../../db/sites/sites.ts';
import { newKey, storedKey } from '../../../domain/accounts/keyFormats.ts';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';
import { freePort } from '../../scripts/engines/servers/freePort.ts';
import { startLoader } from '../../load/loader.ts';
import { startProductProcess } from '../../load/productProcess.ts';
import { stopProcess } from '../../load/stopProcess.ts';
import type { LoadCommand, LoadReply } from '../collect/loadProcess.ts';
import { BENCH_ENV } from '../collect/stage.ts';
import type { BenchFolder } from './folder.ts';

export interface IsolationStage {
  pool: pg.Pool;
  /** Sends batches to `POST /collect`. @throws when a response is not 202, or an event is not accepted */
  load(order: Omit<LoadCommand, 'port' | 'key' | 'seed'>): Promise<LoadReply>;
  /**
   * Requests a report over HTTP and reads the response. @throws unless the status is 200, or 503 after the time limit
   */
  ask(siteId: string, body: object): Promise<TimedOutcome>;
  close(): Promise<void>;
}

export interface TimedOutcome {
  ms: number;
  /** `gave up`: not even the sample was ready in time. */
  outcome: 'whole' | 'sampled' | 'gave up';
}

/** @param siteIds sites of the reports */
export async function startIsolationStage(folder: BenchFolder, siteIds: readonly string[]): Promise<IsolationStage> {
  const { pool } = folder;
  const tagKey = await addIntakeSite(pool);
  // No rate limit applies, only the machine's capacity.
  await pool.query(
    `update sites set quotas = '{"hits_per_day": 1000000000}', limits = '{"reports_per_minute": 100000}'`,
  );
  const keys = new Map(await Promise.all(siteIds.map(async (id) => [id, await addKey(pool, id, 'api')] as const)));
  const port = await freePort();
  const env = {
    ...BENCH_ENV,
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: folder.databaseUrl,
    ATTUNE_DATA_DIR: folder.path,
    LOG_LEVEL: 'warn',
    DUCKDB_EXTENSIONS_DIR: folder.lakeSettings.extensionsDir ?? '',
  };
  const children = [
    await startProductProcess('workers/ingest.ts', { ...env, METRICS_PORT: String(await freePort()) }),
    await startProductProcess('api/main.ts', { ...env, PORT: String(port), METRICS_PORT: String(await freePort()) }),
  ];
  const loader = startLoader<LoadCommand, LoadReply>(join(import.meta.dirname, '../collect/loadProcess.ts'));
  let seed = Date.now();
  return {
    pool,
    load: (order) => loader.send({ ...order, port, key: tagKey, seed: (seed += 1) }),
    async ask(siteId, body) {
      const begun = performance.now();
      const response = await fetch(`http://127.0.0.1:${port}/analytics/api/v1/reports`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys.get(siteId)}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (response.status !== 200 && response.status !== 503)
        throw new Error(`a report was answered with ${response.status}: ${text}`);
      const { sampled } = JSON.parse(text) as { sampled?: boolean };
      return {
        ms: performance.now() - begun,
        outcome: response.status === 503 ? 'gave up' : sampled === true ? 'sampled' : 'whole',
      };
    },
    async close() {
      await Promise.all([loader.stop(), ...children.map(stopProcess)]);
    },
  };
}

async function addIntakeSite(pool: pg.Pool): Promise<string> {
  const id = newTenantId();
  await insertSite(pool, {
    id,
    clientId: await insertClient(pool, 'Benchmark'),
    title: 'Intake',
    hosts: ['shop.example.com'],
    timezone: 'Europe/Moscow',
    currency: 'RUB',
  });
  return addKey(pool, id, 'tag');
}

async function addKey(pool: pg.Pool, siteId: string, kind: 'api' | 'tag'): Promise<string> {
  const key = newKey(kind === 'api' ? 'site' : 'tag');
  await insertSiteKey(pool, siteId, {
    kind,
    name: 'benchmark',
    publicKey: kind === 'tag' ? key : null,
    ...storedKey(key),
  });
  return key;
}
