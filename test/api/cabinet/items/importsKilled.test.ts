/** Uploads of imports during which the API process is killed abruptly: nothing of them is imported or left behind. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { freePort } from '../../../../tools/scripts/engines/servers/freePort.ts';
import { bareEnv } from '../../../support/programs/bareEnv.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { eventually } from '../../../support/eventually.ts';
import { clientOf, createTestProject, createTestToken } from '../../support/testApi.ts';

const LINE = '{"id":"a","type":"text","title":"A"}\n';

let database: TestDatabase;
let folder: string;
let port: number;
let api: ChildProcess;
let token: string;
let project: string;

async function startApi(): Promise<void> {
  api = fork(join(import.meta.dirname, '../../../../api/main.ts'), {
    silent: true,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {
      ...bareEnv(),
      DATABASE_URL: database.url,
      SECRET_KEY: 'a secret key of the tests, long enough',
      REQUIRE_HTTPS: 'false',
      LOG_LEVEL: 'fatal',
      PORT: String(port),
      ATTUNE_DATA_DIR: folder,
    },
  });
  api.stdout?.resume();
  api.stderr?.pipe(process.stderr);
  await once(api, 'message');
}

async function kill(): Promise<void> {
  const exited = once(api, 'exit');
  api.kill('SIGKILL');
  await exited;
}

beforeAll(async () => {
  [database, folder, port] = await Promise.all([
    createTestDatabase(),
    mkdtemp(join(tmpdir(), 'attune-killed-')),
    freePort(),
  ]);
  token = await createTestToken(database.pool);
});
beforeEach(async () => {
  project = (await createTestProject(database.pool)).id;
  await startApi();
});
afterEach(async () => {
  if (api.exitCode === null && api.signalCode === null) await kill();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

/** Sends a file of two lines, of which only some bytes arrive if `isWhole` is false. */
function send({ isWhole }: { isWhole: boolean }): void {
  const request = httpRequest(`http://127.0.0.1:${port}/cabinet/api/projects/${project}/imports`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-ndjson',
      'content-length': String(2 * LINE.length),
    },
  });
  request.on('error', () => {});
  request.write(isWhole ? LINE + LINE : LINE + LINE.slice(0, 9));
}

const rowsOf = async (table: string): Promise<number> =>
  (await database.pool.query(`select from ${table} where project_id = $1`, [project])).rowCount ?? 0;
/** Names below a folder of the process, empty if it does not exist. */
const namesIn = async (name: string): Promise<string[]> =>
  (await readdir(join(folder, name), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

it('a file that arrived only in part is not imported, and the part is removed when the process starts again', async () => {
  send({ isWhole: false });
  await eventually(async () => (await namesIn('work')).length === 1, 'the part');
  await kill();
  await startApi();
  expect(await namesIn('work')).toEqual([]);
  expect(await namesIn('blobs')).toEqual([]);
  expect([await rowsOf('imports'), await rowsOf('jobs'), await rowsOf('blob_garbage')]).toEqual([0, 0, 0]);
  const call = clientOf(`http://127.0.0.1:${port}/cabinet/api`, token);
  expect((await call('GET', `/projects/${project}/imports`)).body).toEqual({ items: [], next_cursor: null });
});

it('a file that is stored but not yet accepted is not imported, and will be removed', async () => {
  const other = await database.pool.connect();
  try {
    await other.query('begin');
    await other.query('lock table imports in access exclusive mode');
    send({ isWhole: true });
    await eventually(async () => (await namesIn('blobs')).length === 1, 'the stored file');
    await kill();
    await other.query('rollback');
  } finally {
    other.release();
  }
  await startApi();
  expect([await rowsOf('imports'), await rowsOf('jobs'), await rowsOf('blob_garbage')]).toEqual([0, 0, 1]);
  expect(await namesIn('work')).toEqual([]);
});
