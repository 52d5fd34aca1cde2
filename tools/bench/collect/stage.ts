/** The stage of `npm run bench:collect`: a database, one API process, and a site that accepts hits from anybody. */
import { join } from 'node:path';
import { insertClient } from '../../../db/accounts/clients.ts';
import { migrate } from '../../../db/migrate.ts';
import { createPool } from '../../../db/pool.ts';
import { insertSiteKey } from '../../../db/sites/siteKeys.ts';
import { insertSite } from '../../../db/sites/sites.ts';
import { newKey, storedKey } from '../../../domain/accounts/keyFormats.ts';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';
import { freePort } from '../../scripts/engines/servers/freePort.ts';
import { startLoader } from '../../load/loader.ts';
import { startProductProcess } from '../../load/productProcess.ts';
import { stopProcess } from '../../load/stopProcess.ts';
import { processorSeconds } from '../support/processorTime.ts';
import { startBenchDatabase, type BenchDatabase } from '../intake/database.ts';
import type { LoadCommand, LoadReply } from './loadProcess.ts';

export interface CollectStage {
  database: BenchDatabase;
  apiPort: number;
  site: { id: string; tagKey: string };
  /** A folder for the files of this run. */
  folder: string;
  /** Seconds per measurement. */
  seconds: number;
  /** Sends batches from a separate process. @throws when a response is not 202, or an event is not accepted */
  load(order: Omit<LoadCommand, 'port' | 'key' | 'seed'>): Promise<LoadReply>;
  /** Returns the seconds of processor time used so far by the API process and by the database server. */
  processorTime(): Promise<{ api: number; postgres: number }>;
  close(): Promise<void>;
}

export const BENCH_ENV = {
  SECRET_KEY: 'a secret key of the benchmark, long enough',
  REQUIRE_HTTPS: 'false',
  COLLECT_IP_REQUESTS_PER_MINUTE: '10000000',
};

export async function startCollectStage(
  postgresBinDir: string,
  options: { seconds: number; profile: string | null },
): Promise<CollectStage> {
  const database = await startBenchDatabase(postgresBinDir);
  await migrate(database.url);
  const site = await createSite(database.url);
  const apiPort = await freePort();
  const api = await startProductProcess(
    'api/main.ts',
    {
      ...BENCH_ENV,
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: database.url,
      PORT: String(apiPort),
      ATTUNE_DATA_DIR: join(database.folder, 'data'),
      METRICS_PORT: String(await freePort()),
    },
    options.profile,
  );
  const loader = startLoader<LoadCommand, LoadReply>(join(import.meta.dirname, 'loadProcess.ts'));
  let seed = 0;
  return {
    database,
    apiPort,
    site,
    folder: database.folder,
    seconds: options.seconds,
    load: (order) => loader.send({ ...order, port: apiPort, key: site.tagKey, seed: (seed += 1) }),
    async processorTime() {
      const [row] = await database.query<{ pid: string }>(
        `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid`,
      );
      return {
        api: (await processorSeconds(api.pid ?? Number.NaN)) ?? Number.NaN,
        postgres: (await processorSeconds(Number(row?.pid), { children: true })) ?? Number.NaN,
      };
    },
    async close() {
      await Promise.all([loader.stop(), stopProcess(api)]);
      await database.stop();
    },
  };
}

async function createSite(databaseUrl: string): Promise<CollectStage['site']> {
  const pool = createPool({ databaseUrl, size: 1, applicationName: 'attune-bench' });
  const id = newTenantId();
  const tagKey = newKey('tag');
  await insertSite(pool, {
    id,
    clientId: await insertClient(pool, 'Benchmark'),
    title: 'Benchmark',
    hosts: ['shop.example.com'],
    timezone: 'Europe/Moscow',
    currency: 'RUB',
  });
  await insertSiteKey(pool, id, { kind: 'tag', name: 'benchmark', publicKey: tagKey, ...storedKey(tagKey) });
  await pool.end();
  return { id, tagKey };
}
