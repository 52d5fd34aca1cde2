/**
 * The last step of `npm run image:try`: starts the services of docker-compose.yml from the image that build.sh
 * made, with a PostgreSQL and a Temporal as `npm start` finds them, and processes one item. Run it as root; it
 * needs buildah. Exits with 0 when every service became healthy, the item was analysed, and all stopped in order.
 */
import { chown, mkdir, mkdtemp, rm, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../tools/scripts/engines/servers/freePort.ts';
import { resolveEngine } from '../../../tools/scripts/engines/index.ts';
import { startPostgres, type PostgresServer } from '../../../tools/scripts/engines/servers/postgres.ts';
import { startTemporal, type TemporalServer } from '../../../tools/scripts/engines/servers/temporal.ts';
import { until } from '../../support/whole/until.ts';
import { FILLED, ownServices, readCompose, type Service } from '../support/compose.ts';
import { openImage, type Contained, type Image } from './container.ts';

/** The image's own user. */
const USER = 10_001;
const VOLUMES = ['blobs', 'lake', 'work'];
const PATIENCE_MS = 120_000;

interface Started {
  name: string;
  service: Service;
  env: Record<string, string>;
  contained: Contained;
}

const say = (line: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);
const compose = readCompose(FILLED);
const started: Started[] = [];
let postgres: PostgresServer | undefined;
let temporal: TemporalServer | undefined;
let image: Image | undefined;

const folder = await mkdtemp(join(tmpdir(), 'attune-image-'));
await chmod(folder, 0o711);
try {
  image = await openImage(process.argv[2] ?? 'localhost/attune:local', await makeVolumes());
  await startEngines();
  await runStep('migrate');
  await runStep('temporal-namespace');
  const port = await freePort();
  const running = ownServices(compose).filter(([, { healthcheck }]) => healthcheck !== undefined);
  for (const [name, service] of running) await start(name, service, port);
  for (const service of started) await untilHealthy(service, port);
  await sendOneItem(`http://127.0.0.1:${port}`);
  await stopAll();
  say('the image works');
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await Promise.all(started.map(({ contained }) => contained.process.stop('SIGKILL')));
  await temporal?.stop();
  await postgres?.stop();
  await image?.remove();
  await rm(folder, { recursive: true, force: true });
}

async function makeVolumes(): Promise<Record<string, string>> {
  const places: Record<string, string> = {};
  for (const name of VOLUMES) {
    const outside = join(folder, name);
    await mkdir(outside);
    await chown(outside, USER, USER);
    places[`/var/lib/attune/${name}`] = outside;
  }
  return places;
}

async function startEngines(): Promise<void> {
  const options = { report: say, env: process.env };
  postgres = await startPostgres({
    binDir: await resolveEngine('postgres', options),
    dataDir: join(folder, 'postgres'),
    port: await freePort(),
    report: say,
  });
  temporal = await startTemporal({
    binary: await resolveEngine('temporal', options),
    dbFile: null,
    port: await freePort(),
    uiPort: null,
    report: say,
  });
  say('PostgreSQL and Temporal work');
}

/** Replaces network names by loopback addresses; everything else is as in docker-compose.yml. */
function environmentOf(service: Service, ports: Record<string, string> = {}): Record<string, string> {
  return {
    ...service.environment,
    DATABASE_URL: postgres?.url ?? '',
    ...(service.environment?.['REPORT_DATABASE_URL'] !== undefined && { REPORT_DATABASE_URL: postgres?.url ?? '' }),
    TEMPORAL_ADDRESS: temporal?.address ?? '',
    HOST: '127.0.0.1',
    METRICS_HOST: '127.0.0.1',
    ...ports,
  };
}

async function runStep(name: string): Promise<void> {
  const service = compose.services[name] ?? {};
  const result = await image?.run(service.command ?? [], environmentOf(service));
  if (result?.code !== 0) throw new Error(`${name} ended with ${result?.code}: ${result?.stdout}${result?.stderr}`);
  say(`${name}: ${result.stdout.trim()}`);
}

async function start(name: string, service: Service, port: number): Promise<void> {
  if (image === undefined) return;
  const env = environmentOf(service, {
    METRICS_PORT: String(await freePort()),
    ...(name === 'api' && { PORT: String(port) }),
  });
  const onLine = (line: string): void => {
    if (/"level":"(warn|error|fatal)"|^\w*Error/.test(line)) say(`${name}: ${line}`);
  };
  started.push({ name, service, env, contained: await image.start(service.command ?? [], env, onLine) });
}

/** Waits by running the exact health check inside the image. */
async function untilHealthy({ name, service, env, contained }: Started, port: number): Promise<void> {
  const words = (service.healthcheck?.test ?? [])
    .slice(1)
    .map((word) => word.replace(':9464', `:${env['METRICS_PORT']}`).replace(':8080', `:${port}`));
  const check = async (): Promise<string> => {
    if (contained.process.ended) return `ended: ${contained.process.tail()}`;
    const result = await image?.run(words, env);
    return result?.code === 0 ? 'healthy' : `${result?.stderr}`;
  };
  await until(name, check, (seen) => seen === 'healthy', PATIENCE_MS);
  say(`${name} is healthy`);
}

async function admin(...words: string[]): Promise<string> {
  const env = environmentOf(compose.services['api'] ?? {});
  const result = await image?.run(['node', 'tools/scripts/admin.ts', ...words], env);
  if (result?.code !== 0) throw new Error(`admin ${words.join(' ')}: ${result?.stderr}`);
  return result.stdout;
}

async function sendOneItem(origin: string): Promise<void> {
  const project = /^project (\S+)/m.exec(await admin('project', 'add', '--title', 'Image'))?.[1] ?? '';
  const key = /^key (\S+)/m.exec(await admin('key', 'add', '--project', project))?.[1] ?? '';
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '192.0.2.7',
  };
  const url = `${origin}/content/api/v1/items/hello`;
  const body = JSON.stringify({ type: 'text', title: 'Hello', body: 'The tram is back in the depot.' });
  const sent = await fetch(url, { method: 'PUT', headers, body });
  say(`PUT items/hello: ${sent.status}`);
  const look = async (): Promise<string> =>
    ((await (await fetch(url, { headers })).json()) as { status: string }).status;
  say(`items/hello: ${await until('the item', look, (status) => status === 'ready', PATIENCE_MS)}`);
}

async function stopAll(): Promise<void> {
  for (const { name, contained } of started) {
    await contained.terminate();
    const how = await contained.process.exited;
    if (how !== 'exit code 0') throw new Error(`${name} ended with ${how}: ${contained.process.tail()}`);
  }
  say('all services stopped in order');
}
