/** ops/backup.sh and ops/restore.sh, run unchanged: everything is restored except people who were deleted since. */
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createAnalyticsActivities } from '../../activities/analytics/index.ts';
import { createLocalBlobStore } from '../../platform/blobs/local.ts';
import { insertProjectKey } from '../../db/accounts/projectKeys.ts';
import { migrate } from '../../db/migrate.ts';
import { nextBatchId, stageRows } from '../../db/lake/batches.ts';
import { expandRequest } from '../../db/orders/expandOrders.ts';
import { createPool, inTransaction } from '../../db/pool.ts';
import { readServerState } from '../../db/installation/serverState.ts';
import { newKey, storedKey } from '../../domain/accounts/keyFormats.ts';
import { deriveKey } from '../../domain/accounts/secretKeys.ts';
import { createLogger } from '../../platform/process/logger.ts';
import { removeExpired } from '../../loops/relay/removeExpired.ts';
import { commitStaged } from '../../reports/lake/commit/commitStaged.ts';
import { openLake, type Lake } from '../../reports/lake/index.ts';
import { freePort } from '../../tools/scripts/engines/servers/freePort.ts';
import { resolveEngine } from '../../tools/scripts/engines/index.ts';
import { startPostgres, type PostgresServer } from '../../tools/scripts/engines/servers/postgres.ts';
import { clientOf, createTestToken, startTestApi, type Client, type TestApi } from '../api/support/testApi.ts';
import { createActivityEnvironment } from '../support/items/activityEnvironment.ts';
import { bareEnv } from '../support/programs/bareEnv.ts';
import { copyCluster } from '../support/servers/cluster.ts';
import { testDuckdbExtensions, testPostgresTools } from '../support/programs/engines.ts';
import { DOOMED, leaveEverything, SHARD } from '../support/people/fullTraces.ts';
import { hitRow, passAnHour } from '../support/lake/lake.ts';
import { createTestProject } from '../support/project.ts';
import { addSite } from '../support/people/sitePeople.ts';
import { tracesInArchive, tracesInFiles, tracesInLakeFiles } from '../support/people/traces.ts';
import { FILLED, ownServices, readCompose, ROOT } from './support/compose.ts';
import { PATIENT_POOL } from '../support/database.ts';

const run = promisify(execFile);
const SECRET_KEY = 'a secret key of the tests, long enough';
const logger = createLogger('test', 'silent');

let folder: string;
let server: PostgresServer;
let url: string;
let api: TestApi;
let content: Client;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-backup-'));
  await chmod(folder, 0o711);
  await copyCluster(join(folder, 'postgres'));
  const report = (): void => {};
  const binDir = await resolveEngine('postgres', { report, env: process.env });
  server = await startPostgres({ binDir, dataDir: join(folder, 'postgres'), port: await freePort(), report });
  url = server.url.replace(/\/postgres$/, '/attune');
  await onServer(`create role postgres superuser login password '${new URL(url).password}'`);
  await onServer('create role attune_reports login');
  await onServer('create database attune owner attune');
  await migrate(url);
  for (const volume of ['blobs', 'lake', 'temp']) await mkdir(join(folder, volume));
  await writeFile(join(folder, 'blobs', 'frame'), 'a picture');
  env = await environment();
  await openAll();
});

afterAll(async () => {
  await api?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function environment(): Promise<Record<string, string>> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await copyFile(join(ROOT, 'test/ops/fixtures/docker'), join(bin, 'docker'));
  return {
    ...bareEnv(),
    PATH: [bin, process.env['PATH']].join(delimiter),
    CALLS: join(folder, 'calls'),
    ROOT,
    NODE: process.execPath,
    TOOLS: await testPostgresTools(),
    VOLUMES: folder,
    PGHOST: '127.0.0.1',
    PGPORT: new URL(url).port,
    PGPASSWORD: new URL(url).password,
    DATABASE_URL: url,
    SECRET_KEY,
    PUBLIC_URL: 'https://attune.test',
    BLOB_DIR: join(folder, 'blobs'),
  };
}

/** Opens the API on the current database, with the key of its project. */
async function openAll(): Promise<void> {
  api = await startTestApi({ databaseUrl: url, env: { SECRET_KEY, BLOB_DIR: join(folder, 'blobs') } });
  const key = newKey('project');
  const { rows } = await api.pool.query<{ id: string }>('select id from projects');
  const projectId = rows[0]?.id ?? (await createTestProject(api.pool));
  await insertProjectKey(api.pool, projectId, { name: 'test', ...storedKey(key) });
  content = clientOf(api.content, key);
}

async function inLake<T>(work: (lake: Lake) => Promise<T>): Promise<T> {
  const lake = await openLake({
    databaseUrl: url,
    data: { kind: 'local', dir: join(folder, 'lake') },
    extensionsDir: await testDuckdbExtensions(),
    areExtensionsTrusted: true,
    tempDir: join(folder, 'temp'),
    memoryMb: 256,
    threads: 1,
  });
  try {
    return await work(lake);
  } finally {
    await lake.close();
  }
}

async function writeOf(user: string): Promise<void> {
  const item = { type: 'text', title: user, body: 'The tram is back in the depot.' };
  expect((await content('PUT', `/items/of-${user}`, item)).status).toBe(201);
  const event = { id: `e-${user}`, type: 'open', item: `of-${user}`, user: { user_id: user } };
  const occurred = { ...event, occurred_at: new Date().toISOString() };
  expect((await content('POST', '/events', { events: [occurred] })).body).toMatchObject({ accepted: 1 });
  const profile = { user: { user_id: user }, city: 'Kazan' };
  expect((await content('POST', '/users/profile', profile)).status).toBeLessThan(300);
}

const knows = async (user: string): Promise<boolean> =>
  (await content('GET', `/users/profile?user_id=${user}`)).status === 200;

/** A user of the content API, with an order. */
const READER = { user: 'zz-doomed-reader', order: 'zz-doomed-receipt' };

async function readAndOrder(): Promise<void> {
  const user = { user_id: READER.user };
  const event = { id: 'e-reader', type: 'open', item: 'of-boris', user };
  expect((await content('POST', '/events', { events: [event] })).body).toMatchObject({ accepted: 1 });
  const order = { order_id: READER.order, user, items: [{ item: 'of-boris', quantity: 1, price: 1 }] };
  expect((await content('POST', '/orders', order)).status).toBe(202);
}

/** Does the data worker's part: restored requests whose orders no longer exist are removed. */
async function expandOrders(): Promise<void> {
  const { rows } = await api.pool.query<{ projectId: string; id: string }>(
    'select project_id as "projectId", id from order_requests',
  );
  for (const { projectId, id } of rows) await expandRequest(api.pool, projectId, id, 100);
}

/** Runs the steps of the workflow deleteVisitors in order. */
async function runDeletions(lake: Lake): Promise<void> {
  const ledgerKey = deriveKey(api.config.secretKey, 'deletion-ledger');
  const steps = createAnalyticsActivities({ factMonths: 37, pool: api.pool, lake, ledgerKey, logger });
  const activity = createActivityEnvironment();
  const runId = 'the-next-run';
  expect(await activity.run(steps.claimVisitorDeletions, runId)).toEqual({ visitors: 1, users: 1 });
  await activity.run(steps.purgeVisitors, runId);
  await activity.run(steps.deleteVisitorsFromLake, runId);
  const { before } = (await activity.run(steps.forgetExports, runId, null)) as { before: string };
  await passAnHour(api.pool);
  await activity.run(steps.forgetExports, runId, before);
  await activity.run(steps.removeOldLakeFiles);
  await passAnHour(api.pool);
  await activity.run(steps.removeOldLakeFiles);
  await activity.run(steps.closeVisitorDeletions, runId);
}

/** Returns the row count and a hash of each of our tables and of the lake's catalogue. */
async function everything(): Promise<Record<string, string>> {
  const pool = createPool({ databaseUrl: url, size: 1, applicationName: 'attune-test', ...PATIENT_POOL });
  const tables = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'lake')`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables.rows) {
    const { rows } = await pool.query<{ hash: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as hash from ${name} t`,
    );
    found[name] = rows[0]?.hash ?? '';
  }
  await pool.end();
  return found;
}

const script = (name: string, ...args: string[]) => run(join(ROOT, 'ops', name), args, { env, cwd: folder });

async function restore(...args: string[]): Promise<void> {
  await api.close();
  await script('restore.sh', ...args);
}

async function callsOfDocker(): Promise<string[]> {
  return (await readFile(join(folder, 'calls'), 'utf8')).split('\n').filter(Boolean);
}

/** Returns the services that a restore stopped. */
async function stopped(): Promise<string[]> {
  const call = (await callsOfDocker()).find((line) => line.startsWith('compose stop '));
  return (call ?? '').split(' ').slice(2).toSorted();
}

describe('a backup', () => {
  let before: Record<string, string>;
  let site: string;
  const backup = (): string => join(folder, 'backup');

  beforeAll(async () => {
    await writeOf('anna');
    await writeOf('boris');
    await inTransaction(api.pool, async (client) =>
      stageRows(client, 1, await nextBatchId(client), { hits: [hitRow()] }),
    );
    await inLake((lake) => commitStaged(lake, api.pool, [1]));
    site = await addSite(api.pool);
    await leaveEverything({ pool: api.pool, site, blobDir: join(folder, 'blobs') }, DOOMED);
    await readAndOrder();
    await inLake((lake) => commitStaged(lake, api.pool, [SHARD]));
    before = await everything();
    await script('backup.sh', backup());
  });

  it('pauses jobs that remove files, and records its time when it is complete', async () => {
    const calls = await callsOfDocker();
    expect(calls.findIndex((call) => call.includes('--pause'))).toBeLessThan(
      calls.findIndex((call) => call.includes('pg_dump')),
    );
    expect(calls.at(-4)).toContain('backup note');
    expect(calls.slice(-3).every((call) => call.includes('--unpause'))).toBe(true);
    expect((await readServerState(api.pool)).backupAgeSeconds).toBeLessThan(60);
    expect((await readdir(backup())).toSorted()).toEqual(['attune.dump', 'blobs.tar', 'deletions.txt', 'lake.tar']);
  });

  it('restores exactly what was there, including the lake and the blobs', async () => {
    await writeOf('later');
    await rm(join(folder, 'lake'), { recursive: true });
    await mkdir(join(folder, 'lake'));
    await rm(join(folder, 'blobs', 'frame'));
    await mkdir(join(folder, 'blobs', 'deletions'), { recursive: true });
    for (const name of ['since', join('deletions', 'since')]) await writeFile(join(folder, 'blobs', name), 'later');
    await restore(backup());
    expect(await stopped()).toEqual(
      ownServices(readCompose(FILLED))
        .filter(([, { healthcheck }]) => healthcheck !== undefined)
        .map(([name]) => name)
        .toSorted(),
    );
    expect(await everything()).toEqual(before);
    expect(await inLake((lake) => lake.query('select count(*) as n from lake.hits'))).toEqual([{ n: 2n }]);
    expect(await readFile(join(folder, 'blobs', 'frame'), 'utf8')).toBe('a picture');
    // No row names a blob that was stored since, so it would stay for ever; only the ledger of deletions has to.
    expect(await readdir(join(folder, 'blobs'))).not.toContain('since');
    expect(await readdir(join(folder, 'blobs', 'deletions'))).toContain('since');
    await openAll();
    expect(await Promise.all(['anna', 'boris', 'later'].map(knows))).toEqual([true, true, false]);
  });

  it('does not restore people who have been deleted since', async () => {
    const newest = join(folder, 'newest.txt');
    expect((await content('POST', '/users/delete', { user: { user_id: 'anna' } })).body).toMatchObject({
      deleted: true,
    });
    const listed = await run(process.execPath, ['tools/scripts/admin.ts', 'list-deletions'], { env, cwd: ROOT });
    await writeFile(newest, listed.stdout);
    expect(listed.stdout).not.toContain('anna');
    await restore(backup(), newest);
    await openAll();
    expect(await Promise.all(['anna', 'boris'].map(knows))).toEqual([false, true]);
  });

  it('restores nothing of people who have been deleted since, once the next run has cleared the lake', async () => {
    const newest = join(folder, 'newest.txt');
    const texts = [...Object.values(DOOMED), ...Object.values(READER)];
    for (const text of texts)
      expect((await tracesInArchive(join(backup(), 'attune.dump'), texts)).flat()).toContain(text);
    const cabinet = clientOf(api.cabinet, await createTestToken(api.pool));
    expect((await cabinet('DELETE', `/sites/${site}/users/${DOOMED.user}`)).status).toBe(202);
    expect((await content('POST', '/users/delete', { user: { user_id: READER.user } })).body).toMatchObject({
      deleted: true,
    });
    await writeFile(
      newest,
      (await run(process.execPath, ['tools/scripts/admin.ts', 'list-deletions'], { env, cwd: ROOT })).stdout,
    );
    await restore(backup(), newest);
    await openAll();
    const [dump, blobs] = [join(folder, 'second', 'attune.dump'), join(folder, 'blobs')];
    expect((await tracesInFiles(blobs, texts)).length).toBeGreaterThan(0);
    await inLake(async (lake) => {
      expect((await tracesInLakeFiles(lake, join(folder, 'lake'), texts)).length).toBeGreaterThan(0);
      await runDeletions(lake);
      expect(await tracesInLakeFiles(lake, join(folder, 'lake'), texts)).toEqual([]);
    });
    await removeExpired({
      pool: api.pool,
      blobs: createLocalBlobStore(blobs),
      rememberCollectedHours: 1,
      auditDays: 1,
      logger,
    });
    expect(await tracesInFiles(blobs, texts)).toEqual([]);
    await expandOrders();
    await script('backup.sh', join(folder, 'second'));
    expect(await tracesInArchive(dump, texts)).toEqual([]);
    expect(await knows('boris')).toBe(true);
  });

  it('changes nothing when it is restored if a part of it is missing', async () => {
    const broken = join(folder, 'broken');
    await mkdir(broken);
    await writeFile(join(broken, 'attune.dump'), '');
    await expect(script('restore.sh', broken)).rejects.toThrow(`there is no ${broken}/lake.tar`);
    expect(await knows('boris')).toBe(true);
  });
});
