/** The target of the fuzzer: the real intake over a new database of its own, in this process. */
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import type { AddressInfo } from 'node:net';
import { createApi, type ApiServer } from '../../../api/server.ts';
import { createLocalBlobStore } from '../../../platform/blobs/local.ts';
import { loadConfig } from '../../../config.ts';
import { insertToken } from '../../../db/accounts/cabinetTokens.ts';
import { insertClient } from '../../../db/accounts/clients.ts';
import { migrate } from '../../../db/migrate.ts';
import { createPool } from '../../../db/pool.ts';
import { insertProjectKey } from '../../../db/accounts/projectKeys.ts';
import { insertProject, updateProject } from '../../../db/accounts/projects.ts';
import { insertSiteKey } from '../../../db/sites/siteKeys.ts';
import { insertSite, updateSite } from '../../../db/sites/sites.ts';
import { newKey, storedKey } from '../../../domain/accounts/keyFormats.ts';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';
import { CLOSED_RULES } from '../../../platform/outgoing/forbiddenAddresses.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createReportEngines } from '../../../reports/engines/index.ts';
import { freePort } from '../engines/servers/freePort.ts';
import { resolveDuckdbExtensions, resolveEngine } from '../engines/index.ts';
import { startPostgres } from '../engines/servers/postgres.ts';
import type { Env, Report } from '../engines/fetch/sources.ts';
import { withExisting, type TargetApi, type Tenants } from './existing.ts';
import type pg from 'pg';

/** High enough that rate limits, which have their own tests, do not end the run. */
const REQUESTS_PER_MINUTE = 1_000_000;
const REQUESTS_PER_SECOND = 100_000;
/** The maximum that a site may be given. */
const REPORTS_PER_MINUTE = 100_000;
/** A public address, so that every host name that the fuzzer invents is acceptable; nothing is sent there. */
const ANY_ADDRESS = '93.184.216.34';

export interface Target {
  apis: readonly TargetApi[];
  /** Deleted with the target. */
  folder: string;
  close(): Promise<void>;
}

/** @throws {EngineError} when PostgreSQL is not available */
export async function startTarget(env: Env, report: Report): Promise<Target> {
  const cleanUps: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  };
  try {
    return { ...(await start(env, report, cleanUps)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(env: Env, report: Report, cleanUps: (() => Promise<unknown>)[]): Promise<Omit<Target, 'close'>> {
  const folder = await mkdtemp(join(tmpdir(), 'attune-fuzz-'));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755); // the database server may run as another account
  const binDir = await resolveEngine('postgres', { env, report });
  const database = await startPostgres({
    binDir,
    dataDir: join(folder, 'postgres'),
    port: await freePort(),
    report,
    disposable: true,
  });
  cleanUps.push(() => database.stop());
  await migrate(database.url);
  const pool = createPool({ databaseUrl: database.url, size: 8, applicationName: 'attune-fuzz' });
  cleanUps.push(() => pool.end());
  const extensionsDir = await resolveDuckdbExtensions({ env, report });
  const { server, close } = await serve(database.url, pool, folder, extensionsDir);
  cleanUps.push(close);
  const { port } = server.server.address() as AddressInfo;
  const { tenants, tokens } = await makeCallers(pool);
  const callers = [...server.mounts.map(({ basePath }) => basePath), '/collect'].flatMap((base) => {
    const [, name] = /^\/(\w+)/.exec(base) ?? [];
    return isApiName(name)
      ? [{ base, url: `http://127.0.0.1:${port}${base}`, name, token: tokens[name], probe: PROBES[name] }]
      : [];
  });
  return { folder, apis: await Promise.all(callers.map((caller) => withExisting(caller, tenants))) };
}

const PROBES: Record<TargetApi['name'], string> = {
  content: '/event-types',
  analytics: '/network',
  cabinet: '/me',
  collect: '/openapi.json',
};

function isApiName(name: string | undefined): name is TargetApi['name'] {
  return name !== undefined && name in PROBES;
}

async function serve(
  databaseUrl: string,
  pool: pg.Pool,
  folder: string,
  extensionsDir: string,
): Promise<{ server: ApiServer; close(): Promise<void> }> {
  const [blobDir, workDir] = [join(folder, 'blobs'), join(folder, 'work')];
  await Promise.all([mkdir(blobDir), mkdir(workDir)]);
  const config = loadConfig({
    DATABASE_URL: databaseUrl,
    SECRET_KEY: 'a secret key of the fuzzer, long enough',
    REQUIRE_HTTPS: 'false',
    BLOB_DIR: blobDir,
    WORK_DIR: workDir,
    PUBLIC_URL: 'http://attune.test',
    IP_REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
    LAKE_DIR: join(folder, 'lake'),
    DUCKDB_EXTENSIONS_DIR: extensionsDir,
  });
  const logger = createLogger('fuzz', 'error');
  const reports = createReportEngines(config.reports, logger);
  const api = createApi({
    config,
    pool,
    logger,
    reports,
    blobs: createLocalBlobStore(blobDir),
    registry: new Registry(),
    cabinetRequestsPerSecond: REQUESTS_PER_SECOND,
    addressRules: CLOSED_RULES,
    resolve: () => Promise.resolve([ANY_ADDRESS]),
  });
  await new Promise<void>((resolve) => {
    api.server.listen(0, '127.0.0.1', resolve);
  });
  const close = async (): Promise<void> => {
    await api.close();
    await reports.close();
  };
  return { server: api, close };
}

async function makeCallers(pool: pg.Pool): Promise<{ tenants: Tenants; tokens: Record<TargetApi['name'], string> }> {
  const clientId = await insertClient(pool, 'Fuzz');
  const projectId = newTenantId();
  await insertProject(pool, { id: projectId, clientId, title: 'Fuzz' });
  await updateProject(pool, projectId, { fingerprints: true, limits: { requests_per_second: REQUESTS_PER_SECOND } });
  const key = newKey('project');
  await insertProjectKey(pool, projectId, { name: 'fuzz', ...storedKey(key) });
  const token = newKey('cabinet');
  await insertToken(pool, { name: 'fuzz', role: 'admin', ...storedKey(token) });
  const { siteId, visitorId, siteKey, tagKey } = await makeSite(pool, clientId);
  return {
    tenants: { projectId, siteId, visitorId },
    tokens: { content: key, analytics: siteKey, cabinet: token, collect: tagKey },
  };
}

async function makeSite(
  pool: pg.Pool,
  clientId: string,
): Promise<{ siteId: string; visitorId: string; siteKey: string; tagKey: string }> {
  const siteId = newTenantId();
  await insertSite(pool, {
    id: siteId,
    clientId,
    title: 'Fuzz',
    hosts: ['*'],
    timezone: 'Europe/Moscow',
    currency: 'RUB',
  });
  await updateSite(pool, siteId, {
    limits: {
      requests_per_second: REQUESTS_PER_SECOND,
      output_per_second: REQUESTS_PER_SECOND,
      reports_per_minute: REPORTS_PER_MINUTE,
    },
  });
  const siteKey = newKey('site');
  await insertSiteKey(pool, siteId, { kind: 'api', name: 'fuzz', publicKey: null, ...storedKey(siteKey) });
  const tagKey = newKey('tag');
  await insertSiteKey(pool, siteId, { kind: 'tag', name: 'fuzz', publicKey: tagKey, ...storedKey(tagKey) });
  const visitorId = randomUUID();
  await pool.query('insert into site_visitors (site_id, visitor_id) values ($1, $2)', [siteId, visitorId]);
  return { siteId, visitorId, siteKey, tagKey };
}
