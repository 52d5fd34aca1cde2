/**
 * The target of the probes: an API process and an ingest with the settings of an installation, over their own database.
 * This machine is their trusted proxy, so that a request may claim any address.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import type pg from 'pg';
import { insertToken } from '../../../db/accounts/cabinetTokens.ts';
import { insertClient } from '../../../db/accounts/clients.ts';
import { migrate } from '../../../db/migrate.ts';
import { createPool } from '../../../db/pool.ts';
import { insertProjectKey } from '../../../db/accounts/projectKeys.ts';
import { insertProject } from '../../../db/accounts/projects.ts';
import { insertSiteKey } from '../../../db/sites/siteKeys.ts';
import { insertSite } from '../../../db/sites/sites.ts';
import { newKey, newSiteKey, storedKey } from '../../../domain/accounts/keyFormats.ts';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';
import { freePort } from '../engines/servers/freePort.ts';
import { resolveDuckdbExtensions, resolveEngine } from '../engines/index.ts';
import { startPostgres } from '../engines/servers/postgres.ts';
import type { Report } from '../engines/fetch/sources.ts';
import { startLoader } from '../../load/loader.ts';
import { startProductProcess } from '../../load/productProcess.ts';
import { stopProcess } from '../../load/stopProcess.ts';
import type { FloodCommand, FloodReply } from './floodProcess.ts';
import { createAskApi, type AskApi } from './watch.ts';

export interface ProbeSite {
  id: string;
  tagKey: string;
}

export interface ProbeStage {
  port: number;
  pool: pg.Pool;
  /** Folder of the API's blobs. */
  blobDir: string;
  projectKey: string;
  cabinetToken: string;
  ask: AskApi;
  addSite(): Promise<ProbeSite>;
  /** @returns the project's key */
  addProject(): Promise<string>;
  /** Floods from a separate process, one flood at a time. */
  flood(order: Omit<FloodCommand, 'port'>): Promise<FloodReply>;
  /** @throws when a process of the product has ended */
  requireRunning(): void;
  close(): Promise<void>;
}

type CleanUps = (() => Promise<unknown>)[];

/** @throws {EngineError} when PostgreSQL or an extension of DuckDB is not available */
export async function startStage(report: Report): Promise<ProbeStage> {
  const cleanUps: CleanUps = [];
  const close = async (): Promise<void> => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  };
  try {
    return { ...(await start(report, cleanUps)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(report: Report, cleanUps: CleanUps): Promise<Omit<ProbeStage, 'close'>> {
  const folder = await mkdtemp(join(tmpdir(), 'attune-probe-'));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o777); // the database server may run as another account
  const databaseUrl = await startDatabase(folder, report, cleanUps);
  const pool = createPool({ databaseUrl, size: 4, applicationName: 'attune-probe' });
  cleanUps.push(() => pool.end());
  const { port, children, blobDir } = await startProduct(databaseUrl, folder, report, cleanUps);
  const loader = startLoader<FloodCommand, FloodReply>(join(import.meta.dirname, 'floodProcess.ts'));
  cleanUps.push(() => loader.stop());
  const asking = createAskApi(`http://127.0.0.1:${port}`);
  cleanUps.push(() => asking.close());
  const clientId = await insertClient(pool, 'Probe');
  return {
    port,
    pool,
    blobDir,
    projectKey: await addProject(pool, clientId),
    cabinetToken: await addToken(pool),
    ask: asking.ask,
    addSite: () => addSite(pool, clientId),
    addProject: () => addProject(pool, clientId),
    flood: (order) => loader.send({ ...order, port }),
    requireRunning() {
      const gone = children.find(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null);
      if (gone) throw new Error(`a process of the product has ended: ${gone.spawnargs.join(' ')}`);
    },
  };
}

async function startDatabase(folder: string, report: Report, cleanUps: CleanUps): Promise<string> {
  const server = await startPostgres({
    binDir: await resolveEngine('postgres', { report, env: process.env }),
    dataDir: join(folder, 'postgres'),
    port: await freePort(),
    report,
  });
  cleanUps.push(() => server.stop());
  await migrate(server.url);
  return server.url;
}

interface Product {
  port: number;
  blobDir: string;
  children: readonly ChildProcess[];
}

async function startProduct(databaseUrl: string, folder: string, report: Report, cleanUps: CleanUps): Promise<Product> {
  const port = await freePort();
  const blobDir = join(folder, 'blobs');
  const env = {
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: databaseUrl,
    SECRET_KEY: 'a secret key of the probe, long enough for one',
    REQUIRE_HTTPS: 'false',
    TRUSTED_PROXIES: '127.0.0.1',
    PORT: String(port),
    ATTUNE_DATA_DIR: join(folder, 'data'),
    BLOB_DIR: blobDir,
    DUCKDB_EXTENSIONS_DIR: await resolveDuckdbExtensions({ report, env: process.env }),
  };
  const children: ChildProcess[] = [];
  for (const entry of ['workers/ingest.ts', 'api/main.ts']) {
    const child = await startProductProcess(entry, { ...env, METRICS_PORT: String(await freePort()) });
    cleanUps.push(() => stopProcess(child));
    children.push(child);
  }
  return { port, blobDir, children };
}

async function addProject(pool: pg.Pool, clientId: string): Promise<string> {
  const id = newTenantId();
  await insertProject(pool, { id, clientId, title: 'Probe' });
  const key = newKey('project');
  await insertProjectKey(pool, id, { name: 'probe', ...storedKey(key) });
  return key;
}

async function addToken(pool: pg.Pool): Promise<string> {
  const token = newKey('cabinet');
  await insertToken(pool, { name: 'probe', role: 'admin', ...storedKey(token) });
  return token;
}

async function addSite(pool: pg.Pool, clientId: string): Promise<ProbeSite> {
  const id = newTenantId();
  await insertSite(pool, {
    id,
    clientId,
    title: 'Probe',
    hosts: ['shop.example.com'],
    timezone: 'Europe/Moscow',
    currency: 'RUB',
  });
  const { key, stored } = newSiteKey('tag', 'probe');
  await insertSiteKey(pool, id, stored);
  return { id, tagKey: key };
}
