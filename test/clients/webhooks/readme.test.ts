/** The servers of the TypeScript package's README, run with the built package. */
import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { WebhookEvent } from '../../../clients/webhooks-typescript/src/index.ts';
import { atEnd, cleanUp, closedPort } from '../../platform/outgoing/support/servers.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import type { Recording } from './recording.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PACKAGE = join(ROOT, 'clients/webhooks-typescript');
/** Folders with frameworks: the repository's packages, and an optional folder with more. */
const MODULES = [join(ROOT, 'node_modules'), ...(process.env['SNIPPETS_MODULES'] ?? '').split(':').filter(Boolean)];
const placeOf = (framework: string): string | undefined =>
  MODULES.map((modules) => join(modules, framework)).find((path) => existsSync(path));
const { secret, good } = JSON.parse(await readFile(join(import.meta.dirname, 'requests.json'), 'utf8')) as Recording;
const BODY = Buffer.from(good[1]?.body ?? '', 'base64');

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-webhooks-'));
  const built = join(folder, 'node_modules/@attune/webhooks');
  await mkdir(built, { recursive: true });
  await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), [
    '--project',
    PACKAGE,
    '--outDir',
    join(built, 'dist'),
  ]);
  await writeFile(join(built, 'package.json'), await readFile(join(PACKAGE, 'package.json')));
  for (const name of ['koa', 'express']) {
    const place = placeOf(name);
    if (place !== undefined) await symlink(place, join(folder, 'node_modules', name));
  }
});
afterEach(cleanUp);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes the README's block with that title to a file beside the built package. */
async function snippet(title: string, change: (code: string) => string = (code) => code): Promise<string> {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/```js\n(.*?)```/gs)]
    .map(([, code]) => code ?? '')
    .filter((code) => code.startsWith(`// ${title}`));
  const [code] = blocks;
  if (code === undefined || blocks.length > 1) throw new Error(`the README has ${blocks.length} blocks "${title}"`);
  const file = join(folder, `${title.replaceAll(/\W/g, '-')}.mjs`);
  await writeFile(file, change(code));
  return file;
}

/** Signs with the current time, because the recorded one is too old for a server's clock. */
function signedHeaders(body: Buffer): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const mac = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Core-Timestamp': timestamp,
    'X-Core-Signature': `sha256=${mac}`,
  };
}

interface Process {
  url: string;
  told(): string;
}

async function serve(title: string): Promise<Process> {
  const port = await closedPort();
  const file = await snippet(title, (code) => code.replace('listen(3000)', `listen(${port}, '127.0.0.1')`));
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, NODE_OPTIONS: '', WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  atEnd(() => new Promise((resolve) => (child.exitCode === null ? child.once('exit', resolve).kill() : resolve(null))));
  let out = '';
  let faults = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (faults += chunk.toString()));
  const url = `http://127.0.0.1:${port}/hooks/attune`;
  const isUp = (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(faults);
    return fetch(url).then(
      () => true,
      () => false,
    );
  };
  await eventually(isUp, `the README's ${title} answers`);
  return { url, told: () => out };
}

async function expectToCheck(title: string): Promise<void> {
  const { url, told } = await serve(title);
  const headers = signedHeaders(BODY);
  expect((await fetch(url, { method: 'POST', headers, body: Buffer.concat([BODY, Buffer.from(' ')]) })).status).toBe(
    401,
  );
  expect((await fetch(url, { method: 'POST', headers, body: BODY })).status).toBe(204);
  expect(await eventually(told, 'the event is printed')).toBe('item.processed видео/ё 42\n');
}

describe('the README', () => {
  it.each(['node:http', 'Koa'])(
    'has a server with %s that accepts a genuine request and refuses another',
    expectToCheck,
  );

  (placeOf('express') === undefined ? it.skip : it)(
    'has a server with Express that accepts a genuine request and refuses another',
    () => expectToCheck('Express'),
  );

  it('has a handler in the style of fetch', async () => {
    const run = `import { POST } from ${JSON.stringify(await snippet('fetch style'))};
      const headers = ${JSON.stringify(signedHeaders(BODY))};
      for (const body of [Buffer.from('${BODY.toString('base64')}', 'base64'), 'other', null]) {
        console.log((await POST(new Request('https://a.test/', { method: 'POST', headers, body }))).status);
      }`;
    const file = join(folder, 'run.mjs');
    await writeFile(file, run);
    const { stdout } = await promisify(execFile)(process.execPath, [file], {
      env: { ...process.env, NODE_OPTIONS: '', WEBHOOK_SECRET: secret },
    });
    expect(stdout).toBe('item.processed видео/ё 42\n204\n401\n401\n');
  });
});

describe('repeats', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  type HandleOnce = (
    pool: unknown,
    event: WebhookEvent,
    handle: (event: WebhookEvent) => Promise<void>,
  ) => Promise<void>;

  it('are handled once, even if they come at the same time, and only a failure allows another try', async () => {
    const file = await snippet('repeats');
    const table = /create table seen_deliveries .*/.exec(await readFile(file, 'utf8'))?.[0] ?? '';
    await database.pool.query(table);
    const { handleOnce } = (await import(pathToFileURL(file).href)) as { handleOnce: HandleOnce };
    const event = good[0]?.event as WebhookEvent;
    const handled: string[] = [];
    await expect(handleOnce(database.pool, event, () => Promise.reject(new Error('the work failed')))).rejects.toThrow(
      'the work failed',
    );
    await Promise.all(
      [1, 2, 3].map(() => handleOnce(database.pool, event, async ({ delivery_id: id }) => void handled.push(id))),
    );
    expect(handled).toEqual([event.delivery_id]);
  });
});
