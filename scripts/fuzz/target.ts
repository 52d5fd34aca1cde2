/** What is fuzzed: the intake as it is, over a fresh database of its own, in this process. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import type { AddressInfo } from 'node:net';
import { createApi, type ApiServer } from '../../api/server.ts';
import { createLocalBlobStore } from '../../blobs/local.ts';
import { loadConfig } from '../../config.ts';
import { insertToken } from '../../db/cabinetTokens.ts';
import { insertClient } from '../../db/clients.ts';
import { migrate } from '../../db/migrate.ts';
import { createPool } from '../../db/pool.ts';
import { insertProjectKey } from '../../db/projectKeys.ts';
import { insertProject, updateProject } from '../../db/projects.ts';
import { newKey, newTenantId, storedKey } from '../../domain/keys.ts';
import { CLOSED_RULES } from '../../outgoing/address.ts';
import { createLogger } from '../../process/logger.ts';
import { freePort } from '../engines/freePort.ts';
import { resolveEngine } from '../engines/index.ts';
import { startPostgres } from '../engines/postgres.ts';
import type { Env, Report } from '../engines/sources.ts';
import type pg from 'pg';

/** High enough that limits, which have tests of their own, do not end the run. */
const REQUESTS_PER_MINUTE = 1_000_000;
const REQUESTS_PER_SECOND = 100_000;
/** Public, so that every name that the fuzzer makes up is a good one; nothing is sent there. */
const ANY_ADDRESS = '93.184.216.34';

/** One of the APIs, with somebody who may do everything in it. */
export interface TargetApi {
  /** `/content/api/v1` */
  base: string;
  url: string;
  token: string;
  /** Values of path parameters that lead to something. */
  existing: Readonly<Record<string, string>>;
}

export interface Target {
  apis: readonly TargetApi[];
  /** Goes with the target. */
  folder: string;
  close(): Promise<void>;
}

export async function startTarget(env: Env, report: Report): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'attune-fuzz-'));
  await chmod(folder, 0o755); // the database server may run as another account
  const binDir = await resolveEngine('postgres', { env, report });
  const database = await startPostgres({ binDir, dataDir: join(folder, 'postgres'), port: await freePort(), report, disposable: true });
  await migrate(database.url);
  const pool = createPool({ databaseUrl: database.url, size: 8, applicationName: 'attune-fuzz' });
  const server = await serve(database.url, pool, join(folder, 'blobs'));
  const { port } = server.server.address() as AddressInfo;
  const callers = await makeCallers(pool);
  const bases = server.mounts.map(({ basePath }) => basePath);
  return {
    folder,
    apis: await prepare(bases.map((base) => ({ base, url: `http://127.0.0.1:${port}${base}`, token: base.startsWith('/cabinet/') ? callers.token : callers.key })), callers.projectId),
    async close() {
      await server.close();
      await pool.end();
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function serve(databaseUrl: string, pool: pg.Pool, blobDir: string): Promise<ApiServer> {
  const config = loadConfig({
    DATABASE_URL: databaseUrl, SECRET_KEY: 'a secret key of the fuzzer, long enough', REQUIRE_HTTPS: 'false', BLOB_DIR: blobDir,
    PUBLIC_URL: 'http://attune.test', IP_REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
  });
  const api = createApi({
    config, pool, logger: createLogger('fuzz', 'error'), blobs: createLocalBlobStore(blobDir), registry: new Registry(),
    addressRules: CLOSED_RULES, resolve: () => Promise.resolve([ANY_ADDRESS]),
  });
  await new Promise<void>((resolve) => {
    api.server.listen(0, '127.0.0.1', resolve);
  });
  return api;
}

async function makeCallers(pool: pg.Pool): Promise<{ projectId: string; key: string; token: string }> {
  const projectId = newTenantId();
  await insertProject(pool, { id: projectId, clientId: await insertClient(pool, 'Fuzz'), title: 'Fuzz' });
  await updateProject(pool, projectId, { limits: { requests_per_second: REQUESTS_PER_SECOND } });
  const key = newKey('project');
  await insertProjectKey(pool, projectId, { name: 'fuzz', ...storedKey(key) });
  const token = newKey('cabinet');
  await insertToken(pool, { name: 'fuzz', role: 'admin', ...storedKey(token) });
  return { projectId, key, token };
}

type Caller = Omit<TargetApi, 'existing'>;

/** Makes one of each thing, by the APIs themselves. */
function prepare(callers: readonly Caller[], projectId: string): Promise<TargetApi[]> {
  return Promise.all(callers.map(async (caller) => ({ ...caller, existing: caller.base.startsWith('/cabinet/') ? await prepareCabinet(caller, projectId) : await prepareContent(caller) })));
}

async function prepareContent(caller: Caller): Promise<Record<string, string>> {
  const { id } = await call(caller, 'PUT', '/items/fuzz-1', { type: 'mixed', title: 'Fuzz', media: [{ kind: 'image', url: 'https://cdn.example.com/1.jpg' }] });
  return { id: String(id) };
}

async function prepareCabinet(caller: Caller, projectId: string): Promise<Record<string, string>> {
  const webhook = await call(caller, 'POST', `/projects/${projectId}/webhooks`, { url: 'https://hooks.example.com/', events: ['item.processed'] });
  const key = await call(caller, 'POST', `/projects/${projectId}/keys`, { name: 'Fuzz' });
  return { id: projectId, wid: String(webhook['id']), key_id: String(key['id']) };
}

async function call({ url, token }: Caller, method: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
