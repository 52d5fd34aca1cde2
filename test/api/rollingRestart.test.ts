/**
 * Two API processes share one port: a deployment replaces both under load, and no request is refused or cut off.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { insertProjectKey } from '../../db/accounts/projectKeys.ts';
import { updateProject } from '../../db/accounts/projects.ts';
import { newKey, storedKey } from '../../domain/accounts/keyFormats.ts';
import { freePort } from '../../tools/scripts/engines/servers/freePort.ts';
import { bareEnv } from '../support/programs/bareEnv.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { testDuckdbExtensions } from '../support/programs/engines.ts';
import { createTestProject } from '../support/project.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Clients with a persistent connection, and clients that open one for each request. */
const KEEPING = 8;
const OPENING = 8;

let database: TestDatabase;
let folder: string;
let primary: ChildProcess;
let origin: string;
let key: string;
const lines: string[] = [];
let log: Interface;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'attune-rolling-'));
  const projectId = await createTestProject(database.pool);
  key = newKey('project');
  await insertProjectKey(database.pool, projectId, { name: 'test', ...storedKey(key) });
  await updateProject(database.pool, projectId, { limits: { requests_per_second: 100_000 } });
  const port = String(await freePort());
  origin = `http://127.0.0.1:${port}`;
  primary = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'api/cluster.ts'], {
    cwd: ROOT,
    env: {
      ...bareEnv(),
      DATABASE_URL: database.url,
      SECRET_KEY: 'a secret key of the tests, long enough',
      REQUIRE_HTTPS: 'false',
      PORT: port,
      ATTUNE_DATA_DIR: folder,
      DUCKDB_EXTENSIONS_DIR: await testDuckdbExtensions(),
      IP_REQUESTS_PER_MINUTE: '1000000',
      IP_SIMULTANEOUS: '100000',
      RATE_LIMITS: 'memory',
      API_PROCESSES: '2',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (primary.stdout === null) throw new Error('the log cannot be read');
  log = createInterface({ input: primary.stdout }).on('line', (line) => lines.push(line));
  await seen('"ready"', 3); // two processes and their parent
});

afterAll(async () => {
  if (primary.exitCode === null) {
    primary.kill('SIGTERM');
    await once(primary, 'exit');
  }
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Waits until `count` lines of the log contain the words. */
async function seen(words: string, count: number): Promise<void> {
  const over = once(primary, 'exit').then(() => {
    throw new Error(`the pool ended: ${lines.join('\n')}`);
  });
  over.catch(() => {});
  while (lines.filter((line) => line.includes(words)).length < count) await Promise.race([once(log, 'line'), over]);
}

const workersOf = (words: string): Set<unknown> =>
  new Set(lines.filter((line) => line.includes(words)).map((line) => (JSON.parse(line) as { pid: number }).pid));

interface Load {
  answers: number;
  faults: string[];
  stop(): Promise<void>;
}

function startLoad(): Load {
  let running = true;
  const load: Load = { answers: 0, faults: [], stop: async () => {} };
  const client = async (n: number, keeps: boolean): Promise<void> => {
    const agent = new Agent({ connections: 1, pipelining: keeps ? 1 : 0 });
    for (let turn = 0; running; turn += 1) {
      const body = JSON.stringify({ type: 'text', title: `${n} ${turn}`, body: 'The tram is back in the depot.' });
      const options = {
        method: 'PUT' as const,
        body,
        dispatcher: agent,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      };
      try {
        const answer = await request(`${origin}/content/api/v1/items/i-${n}`, options);
        await answer.body.dump();
        if (answer.statusCode > 201) load.faults.push(`status ${answer.statusCode}`);
        load.answers += 1;
      } catch (error) {
        load.faults.push(String(error));
      }
    }
    await agent.close();
  };
  const clients = Array.from({ length: KEEPING + OPENING }, (_, n) => client(n, n < KEEPING));
  load.stop = async () => {
    running = false;
    await Promise.all(clients);
  };
  return load;
}

describe('a pool of API processes', () => {
  it('replaces every process under load without refusing a request', async () => {
    const load = startLoad();
    primary.kill('SIGHUP');
    await seen('every API process was replaced', 1);
    const answered = load.answers;
    await load.stop();
    expect(answered).toBeGreaterThan(100);
    expect(load.faults).toEqual([]);
    expect(workersOf('an API process is ready').size).toBe(4);
  });

  it('restarts a process that was killed, while the other one answers', async () => {
    const [pid] = [...workersOf('an API process is ready')].slice(-1) as number[];
    process.kill(pid ?? 0, 'SIGKILL');
    await seen('an API process is ready', 5);
    expect((await request(`${origin}/content/api/v1/health`)).statusCode).toBe(200);
  });
});
