/** The API on a free port over its own database, and a client that uses real HTTP. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { Registry } from 'prom-client';
import { fetch, type RequestInit, type Response } from 'undici';
import { createLimiterPool } from '../../../api/http/limits/rateLimiterPostgres.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import { createApi, type ApiServer } from '../../../api/server.ts';
import { createBlobStore, type BlobStore } from '../../../platform/blobs/createBlobStore.ts';
import { loadConfig, type Config } from '../../../config.ts';
import { insertToken } from '../../../db/accounts/cabinetTokens.ts';
import { insertClient } from '../../../db/accounts/clients.ts';
import { createPool } from '../../../db/pool.ts';
import { insertProjectKey } from '../../../db/accounts/projectKeys.ts';
import { insertProject, updateProject } from '../../../db/accounts/projects.ts';
import { newKey, storedKey } from '../../../domain/accounts/keyFormats.ts';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';
import { NO_OWN_ENDPOINTS } from '../../../platform/outgoing/forbiddenAddresses.ts';
import { publicEndpoints } from '../../../platform/outgoing/ownAddresses.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createPasswordHasher, type PasswordCost } from '../../../platform/process/passwordHasher.ts';
import { createContract } from './contract.ts';
import { PATIENT_POOL } from '../../support/database.ts';

export interface TestApi {
  origin: string;
  content: string;
  analytics: string;
  cabinet: string;
  pool: pg.Pool;
  server: ApiServer;
  registry: Registry;
  blobs: BlobStore;
  blobDir: string;
  config: Config;
  /** Lines of the log so far. */
  log: Record<string, unknown>[];
  close(): Promise<void>;
}

/** A hash at this cost takes microseconds. */
export const LOW_COST: PasswordCost = { logN: 4, r: 8, p: 1 };

export interface TestApiOptions {
  databaseUrl: string;
  env?: Record<string, string>;
  bodyLimits?: ApiDeps['bodyLimits'];
  uploadLimits?: ApiDeps['uploadLimits'];
  requestTimeoutMs?: number;
  answerSilenceMs?: number;
  /** Statement timeout of the API; the default only ends statements that hang. */
  statementTimeoutMs?: number;
  /** The default is unlimited; null means the product's limit. */
  cabinetRequestsPerSecond?: number | null;
  /** The address to which every name resolves; the default is a public one. */
  resolve?: ApiDeps['resolve'];
  /** Folder of the cabinet's built web app. */
  cabinetDir?: string;
  /** The default is any free port. */
  port?: number;
  tagDir?: string;
  /**
   * The cost at which passwords are hashed; the default is a low one, because the product's is 0.2 s and 32 MB each.
   */
  passwordCost?: 'product' | 'low';
  /** The report engines; without them reports are answered with 503. */
  reports?: ApiDeps['reports'];
}

export async function startTestApi({
  databaseUrl,
  env = {},
  bodyLimits,
  uploadLimits,
  requestTimeoutMs,
  answerSilenceMs,
  statementTimeoutMs = PATIENT_POOL.statementTimeoutMs,
  cabinetRequestsPerSecond = 10_000,
  tagDir,
  cabinetDir,
  port = 0,
  reports = null,
  resolve = () => Promise.resolve(['93.184.216.34']),
  passwordCost = 'low',
}: TestApiOptions): Promise<TestApi> {
  const folder = await mkdtemp(join(tmpdir(), 'attune-api-'));
  const [blobDir, workDir] = [join(folder, 'blobs'), join(folder, 'work')];
  await Promise.all([mkdir(blobDir), mkdir(workDir)]);
  const config = loadConfig({
    DATABASE_URL: databaseUrl,
    SECRET_KEY: 'a secret key of the tests, long enough',
    REQUIRE_HTTPS: 'false',
    BLOB_DIR: blobDir,
    WORK_DIR: workDir,
    PUBLIC_URL: env['REQUIRE_HTTPS'] === 'true' ? 'https://attune.test' : 'http://attune.test',
    // Tests use one process unless they say otherwise.
    RATE_LIMITS: 'memory',
    ...env,
  });
  const pool = createPool({
    databaseUrl,
    size: 8,
    applicationName: 'attune-test-api',
    ...PATIENT_POOL,
    statementTimeoutMs,
  });
  const limiterPool = config.rateLimits === 'postgres' ? createLimiterPool(databaseUrl) : null;
  const log: Record<string, unknown>[] = [];
  const logger = createLogger('api', 'info', {
    write: (line: string) => log.push(JSON.parse(line) as Record<string, unknown>),
  });
  const registry = new Registry();
  const blobs = createBlobStore(config.blobs, workDir);
  const addressRules = {
    allow: config.allowNetworks,
    deny: config.denyNetworks,
    own: { ...NO_OWN_ENDPOINTS, hosts: publicEndpoints([config.publicUrl]).hosts },
  };
  const server = createApi({
    config,
    pool,
    limiterPool,
    logger,
    blobs,
    registry,
    addressRules,
    resolve,
    reports,
    passwords: passwordCost === 'low' ? createPasswordHasher(LOW_COST) : createPasswordHasher(),
    ...(bodyLimits && { bodyLimits }),
    ...(tagDir !== undefined && { tagDir }),
    ...(cabinetDir !== undefined && { cabinetDir }),
    ...(uploadLimits && { uploadLimits }),
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    ...(answerSilenceMs !== undefined && { answerSilenceMs }),
    ...(cabinetRequestsPerSecond !== null && { cabinetRequestsPerSecond }),
  });
  await new Promise<void>((resolve) => {
    server.server.listen(port, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  contracts.set(origin, createContract(server.described));
  return {
    origin,
    content: `${origin}/content/api/v1`,
    analytics: `${origin}/analytics/api/v1`,
    cabinet: `${origin}/cabinet/api`,
    pool,
    server,
    registry,
    blobs,
    blobDir,
    config,
    log,
    async close() {
      server.server.closeAllConnections();
      await server.close();
      await pool.end();
      await limiterPool?.end();
      await rm(folder, { recursive: true });
    },
  };
}

export interface TestProject {
  id: string;
  clientId: string;
  key: string;
  keyId: string;
}

/** Creates a project with a key; by default, its rate is out of reach. Null leaves the product's default. */
export async function createTestProject(
  pool: pg.Pool,
  requestsPerSecond: number | null = 10_000,
): Promise<TestProject> {
  const clientId = await insertClient(pool, 'Client');
  const id = newTenantId();
  await insertProject(pool, { id, clientId, title: 'Project' });
  if (requestsPerSecond !== null) await updateProject(pool, id, { limits: { requests_per_second: requestsPerSecond } });
  const key = newKey('project');
  const stored = await insertProjectKey(pool, id, { name: 'test', ...storedKey(key) });
  return { id, clientId, key, keyId: stored.id };
}

export async function createTestToken(pool: pg.Pool, role: 'admin' | 'owner' = 'admin'): Promise<string> {
  const token = newKey('cabinet');
  await insertToken(pool, { name: 'test', role, ...storedKey(token) });
  return token;
}

export interface Answer {
  status: number;
  headers: Response['headers'];
  // oxlint-disable-next-line typescript/no-explicit-any -- parsed JSON, which the test itself checks
  body: any;
}

export type Client = (method: string, path: string, body?: unknown, init?: RequestInit) => Promise<Answer>;

/** The contracts of running APIs, by origin. */
const contracts = new Map<string, ReturnType<typeof createContract>>();

const LINES = 'application/x-ndjson';
const parseLine = (line: string): unknown => JSON.parse(line);

/**
 * Returns a client of one base address and key. A body that is neither text nor bytes is sent as JSON. Every answer
 * is validated against the OpenAPI description; an answer of JSON lines becomes a list.
 */
export function clientOf(base: string, key: string | null): Client {
  return async (method, path, body, init = {}) => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(base + path, {
      method,
      ...init,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(init.headers as Record<string, string> | undefined),
      },
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    const isFile = type === 'application/gzip' || type === 'application/octet-stream';
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      body:
        text === '' || isFile ? null : type === LINES ? text.trimEnd().split('\n').map(parseLine) : JSON.parse(text),
    };
    if (isFile) return answer;
    for (const part of type === LINES ? answer.body : [answer.body]) {
      const fault = contracts.get(new URL(base).origin)?.(method, base + path, answer.status, part, type);
      if (fault) throw new Error(fault);
    }
    return answer;
  };
}
