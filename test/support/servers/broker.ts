/**
 * Runs the servers of one test run. Each starts at its first use, so a run of pure tests starts none. The broker is
 * a separate process, so that it outlives a killed test process: when its standard input closes, however the run
 * ended, it stops the servers and removes their folders.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { DefaultLogger } from '@temporalio/worker';
import type { BrowserServer } from 'playwright-core';
import { changeWorkflows, writeChange, type Change } from '../../../tools/chaos/support/changedWorkflows.ts';
import { makeRelease } from '../../../tools/chaos/support/release.ts';
import { migrate } from '../../../db/migrate.ts';
import { bundleWorkflows } from '../../../platform/process/temporal/workflowBundle.ts';
import { freePort } from '../../../tools/scripts/engines/servers/freePort.ts';
import {
  resolveDuckdbExtensions,
  resolveEngine,
  resolveNudityModelDir,
  resolvePostgresTools,
  resolveS3Server,
  resolveSentenceEncoderDir,
  resolveTextReaderDirs,
  resolveTessdataDirs,
  resolveTestServer,
  resolveVoiceModelDir,
} from '../../../tools/scripts/engines/index.ts';
import { startProcess, type ManagedProcess } from '../../../tools/scripts/engines/fetch/process.ts';
import { startPostgres, type PostgresServer } from '../../../tools/scripts/engines/servers/postgres.ts';
import { startTemporal, type TemporalServer } from '../../../tools/scripts/engines/servers/temporal.ts';
import { writeWorkflowBundle } from '../../../tools/scripts/temporal/workflowBundle.ts';
import { launchChromium } from '../programs/chromium.ts';
import { makeMemoryFolder } from './memoryFolder.ts';
import { makeTemplate } from './template.ts';
import { startTimeSkippingServer, type TimeSkippingServer } from './timeSkippingServer.ts';
import { encodeCatalogue } from '../whole/catalogue.ts';

/**
 * A namespace that is created after the server's start becomes visible only after seconds, so all are created at the
 * start. All tests together take some 40. Each costs 0.03 s of processor time then, and the idle server needs more
 * processor time the more there are.
 */
const NAMESPACES = 48;
/** Each test process has connection pools, and so have its child processes. */
const SHARED_SETTINGS = { max_connections: '400' };

const report = (line: string): void => console.error(`[test] ${line}`);
/** Tests need the files that are optional for a stack, and the first run downloads them while other work runs. */
const options = { report, env: process.env, optionalTimeoutMs: 600_000 };
const folder = await mkdtemp(join(tmpdir(), 'attune-test-'));
await chmod(folder, 0o755); // the database server may run as another account
/** For the shared server: its data need not survive a crash. */
const databases = (await makeMemoryFolder('attune-test-')) ?? folder;
const servers: {
  postgres?: PostgresServer;
  cluster?: PostgresServer;
  temporal?: TemporalServer;
  s3?: ManagedProcess;
  browser?: BrowserServer;
} = {};
/** The servers that still run: a test stops its own. */
const timeSkipping = new Set<TimeSkippingServer>();
let kept = 0;

async function postgres(): Promise<{ url: string }> {
  const binDir = await resolveEngine('postgres', options);
  const server = await startPostgres({
    binDir,
    dataDir: join(databases, 'postgres'),
    port: await freePort(),
    report,
    disposable: true,
    settings: SHARED_SETTINGS,
  });
  servers.postgres = server;
  await makeTemplate(server.url);
  return { url: server.url };
}

/**
 * Makes a data folder that is migrated and shut down. cluster.ts copies it for servers that would otherwise each
 * create their own.
 */
async function cluster(): Promise<{ dir: string }> {
  const binDir = await resolveEngine('postgres', options);
  const dir = join(folder, 'cluster');
  const server = await startPostgres({ binDir, dataDir: dir, port: await freePort(), report, disposable: true });
  servers.cluster = server;
  await migrate(server.url);
  await server.stop();
  delete servers.cluster;
  return { dir };
}

/** Bundles workflows once a run, so that the tests need not. */
async function bundle(workflowsPath: string, name: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, await bundleWorkflows(workflowsPath, new DefaultLogger('ERROR')));
  return path;
}

/** Bundles the workflows' code, which would cost each Worker.create and each start of a stack seconds. */
async function workflows(): Promise<{ path: string }> {
  const path = join(folder, 'workflows.js');
  await writeWorkflowBundle(path, process.env);
  return { path };
}

/** Bundles the workflows of a release that starts from the current checkout. */
async function changedWorkflows(): Promise<Record<Change, string>> {
  const release = await makeRelease();
  try {
    const workflowsPath = join(release.root, 'workflows/index.ts');
    await changeWorkflows(release, 'patched');
    const patched = await bundle(workflowsPath, 'patched.js');
    await writeChange(release, 'careless');
    return { patched, careless: await bundle(workflowsPath, 'careless.js') };
  } finally {
    await release.remove();
  }
}

const namespaces = Array.from({ length: NAMESPACES }, (_, index) => `test-${index + 1}`);

async function temporal(): Promise<{ address: string }> {
  const binary = await resolveEngine('temporal', options);
  const server = await startTemporal({
    binary,
    dbFile: null,
    port: await freePort(),
    uiPort: null,
    report,
    namespaces,
  });
  servers.temporal = server;
  return { address: server.address };
}

const testServer = once(() => resolveTestServer(options));

/** Starts a server for the test that requests it, because a jump of the clock concerns the whole server. */
async function timeSkippingServer(): Promise<{ port: number; pid: number }> {
  const server = await startTimeSkippingServer(await testServer());
  timeSkipping.add(server);
  void server.exited.then(() => timeSkipping.delete(server));
  return { port: server.port, pid: server.pid };
}

/** Each test file makes a bucket of its own (s3.ts). */
async function s3(): Promise<{ endpoint: string }> {
  const module = await resolveS3Server(options);
  const port = Promise.withResolvers<string>();
  // It creates the continuation tokens of its lists with a legacy cipher.
  const args = [
    '--disable-warning=ExperimentalWarning',
    '--openssl-legacy-provider',
    join(import.meta.dirname, 's3Server.ts'),
    module,
    join(folder, 's3'),
  ];
  const server = await startProcess({ command: process.execPath, args, env: process.env, onLine: port.resolve });
  servers.s3 = server;
  const ended = server.exited.then((how) => Promise.reject(new Error(`s3rver ended with ${how}: ${server.tail()}`)));
  ended.catch(() => {}); // once it runs, shutDown handles its end
  return { endpoint: `http://127.0.0.1:${await Promise.race([port.promise, ended])}` };
}

let chromium: Promise<BrowserServer> | undefined;

async function startChromium(): Promise<BrowserServer> {
  const server = await launchChromium();
  servers.browser = server;
  // A browser that has crashed is replaced.
  server.once('close', () => (chromium = undefined));
  return server;
}

/** Starts one browser for all test files: each connection has its own contexts. */
async function browser(): Promise<{ endpoint: string }> {
  chromium ??= startChromium();
  return { endpoint: (await chromium).wsEndpoint() };
}

const ffmpeg = once(() => resolveEngine('ffmpeg', options));

/** Creates files that tests read and never write. */
async function catalogue(): Promise<{ dir: string }> {
  const dir = join(folder, 'catalogue');
  await mkdir(dir);
  await encodeCatalogue(await ffmpeg(), dir);
  return { dir };
}

/** Finds the sentence encoder, which is optional for a stack but required by its tests. */
async function sentenceEncoder(): Promise<{ dir: string }> {
  const dir = await resolveSentenceEncoderDir(options);
  if (dir === null) throw new Error('the sentence encoder could not be fetched');
  return { dir };
}

async function nudityModel(): Promise<{ dir: string }> {
  const dir = await resolveNudityModelDir(options);
  if (dir === null) throw new Error('the nudity model could not be fetched');
  return { dir };
}

async function voiceModel(): Promise<{ dir: string }> {
  const dir = await resolveVoiceModelDir(options);
  if (dir === null) throw new Error('the voice detector could not be fetched');
  return { dir };
}

/** Runs `make` once; every caller gets the same outcome. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

const sharedTemporal = once(temporal);
const ROUTES: Record<string, () => Promise<unknown>> = {
  '/postgres': once(postgres),
  '/cluster': once(cluster),
  '/temporal': async () => {
    const { address } = await sharedTemporal();
    const namespace = namespaces.shift();
    if (namespace === undefined) throw new Error(`more than ${NAMESPACES} namespaces asked for in one run`);
    return { address, namespace };
  },
  '/temporal-cli': once(async () => ({ path: await resolveEngine('temporal', options) })),
  '/time-skipping': timeSkippingServer,
  '/workflows': once(workflows),
  '/changed-workflows': once(changedWorkflows),
  '/s3': once(s3),
  '/ffmpeg': async () => ({ path: await ffmpeg() }),
  '/catalogue': once(catalogue),
  '/browser': browser,
  '/duckdb-extensions': once(async () => ({ dir: await resolveDuckdbExtensions(options) })),
  '/tessdata': once(async () => ({ dirs: await resolveTessdataDirs(options) })),
  '/sentence-encoder': once(sentenceEncoder),
  '/nudity-model': once(nudityModel),
  '/voice-model': once(voiceModel),
  '/text-readers': once(() => resolveTextReaderDirs(options)),
  '/postgres-tools': once(async () => ({ dir: await resolvePostgresTools(options) })),
  '/keep': async () => ({ kept: ++kept }),
};

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const route = ROUTES[request.url ?? ''];
  try {
    if (route === undefined) throw new Error(`the broker has no ${request.url}`);
    response.end(JSON.stringify(await route()));
  } catch (error) {
    response.statusCode = 500;
    response.end((error as Error).message);
  }
}

/** With ATTUNE_KEEP_DATABASES=true a run with failed tests keeps its database server running for inspection. */
function leaveForALook(): boolean {
  const leave = kept > 0 && process.env['ATTUNE_KEEP_DATABASES'] === 'true';
  if (leave)
    report(
      `the database server stays; when done: kill ${servers.postgres?.pid}; rm -r ${[...new Set([databases, folder])].join(' ')}`,
    );
  return leave;
}

async function shutDown(): Promise<void> {
  http.close();
  http.closeAllConnections();
  const leave = leaveForALook();
  await Promise.all([
    servers.temporal?.stop(),
    ...[...timeSkipping].map((server) => server.stop()),
    servers.s3?.stop(),
    servers.browser?.close(),
    servers.cluster?.stop(),
    leave ? undefined : servers.postgres?.stop(),
  ]);
  if (!leave) for (const path of [databases, folder]) await rm(path, { recursive: true, force: true });
  process.exit(0);
}

const http = createServer((request, response) => void answer(request, response));
http.requestTimeout = 0;
http.listen(0, '127.0.0.1', () => process.stdout.write(`${(http.address() as AddressInfo).port}\n`));
const stopOnce = once(shutDown);
process.stdin
  .resume()
  .on('end', () => void stopOnce())
  .on('error', () => void stopOnce());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopOnce());
