/** A closed access is closed at once, in every API process on the database. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KEY_CACHE_TTL_MS } from '../../../api/auth/keyCache.ts';
import { setClientState } from '../../../db/clients.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { clientOf, createTestProject, createTestToken, startTestApi, type Answer, type Client, type TestApi, type TestProject } from '../support/testApi.ts';

/** A second before a process would have looked again by itself. */
const WITHOUT_WAITING_MS = KEY_CACHE_TTL_MS - 1_000;

let database: TestDatabase;
let apis: TestApi[] = [];
let admin: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  apis = await Promise.all([1, 2].map(() => startTestApi({ databaseUrl: database.url })));
  admin = clientOf(apis[0]?.cabinet ?? '', await createTestToken(database.pool));
  await eventually(async () => (await listeners()) === 2, 'both processes listen');
});

afterAll(async () => {
  for (const api of apis) await api.close();
  await database?.drop();
});

/** Connections on which the LISTEN is through. */
async function listeners(): Promise<number> {
  const { rows } = await database.pool.query(
    `select from pg_stat_activity where datname = current_database() and application_name = 'attune-listen-access' and state = 'idle' and query ilike 'listen%'`,
  );
  return rows.length;
}

const askBoth = ({ key }: TestProject): Promise<Answer[]> => Promise.all(apis.map((api) => clientOf(api.content, key)('GET', '/event-types')));
const statuses = async (project: TestProject): Promise<number[]> => (await askBoth(project)).map(({ status }) => status);

/** Both processes know the key; once `change` is through, both answer `status` long before they would have looked again. */
async function expectAtOnce(change: (project: TestProject) => Promise<unknown>, status: number): Promise<TestProject> {
  const project = await createTestProject(database.pool);
  expect(await statuses(project)).toEqual([200, 200]);
  const known = performance.now();
  await change(project);
  await eventually(async () => (await statuses(project)).every((given) => given === status), `${status} of both`, WITHOUT_WAITING_MS);
  expect(performance.now() - known).toBeLessThan(WITHOUT_WAITING_MS);
  return project;
}

describe('what takes effect at once, in both processes', () => {
  it('is a key that the cabinet revokes', async () => {
    await expectAtOnce(({ id, keyId }) => admin('DELETE', `/projects/${id}/keys/${keyId}`), 401);
  });

  it.each(['suspended', 'archived'])('is a project that is %s, and active again', async (state) => {
    const project = await expectAtOnce(({ id }) => admin('PATCH', `/projects/${id}`, { state }), 403);
    await admin('PATCH', `/projects/${project.id}`, { state: 'active' });
    await eventually(async () => (await statuses(project)).every((status) => status === 200), 'both open again', WITHOUT_WAITING_MS);
  });

  it('is a client that is blocked', async () => {
    await expectAtOnce(({ clientId }) => setClientState(database.pool, clientId, 'blocked'), 403);
  });

  it('is a limit', async () => {
    await expectAtOnce(async (project) => {
      await admin('PATCH', `/projects/${project.id}`, { limits: { requests_per_second: 1 } });
      // The one request that each process still lets through.
      await statuses(project);
    }, 429);
  });

  it('is a key that is deleted by hand', async () => {
    await expectAtOnce(({ keyId }) => database.pool.query('delete from project_keys where id = $1', [keyId]), 401);
  });
});

it('is not announced by what changes nobody\'s access', async () => {
  const project = await createTestProject(database.pool);
  const { rows } = await database.pool.query(`select tgname from pg_trigger where tgname in ('project_keys_access', 'projects_access', 'clients_access') order by tgname`);
  expect(rows).toHaveLength(3);
  const client = await database.pool.connect();
  try {
    const heard: string[] = [];
    client.on('notification', ({ payload }) => void heard.push(payload ?? ''));
    await client.query('listen access');
    await client.query('update project_keys set last_used_at = now() where project_id = $1', [project.id]);
    await client.query(`update projects set title = 'x', state = state where id = $1`, [project.id]);
    await client.query('select 1');
    expect(heard).toEqual([]);
    await client.query(`update projects set fingerprints = not fingerprints where id = $1`, [project.id]);
    await eventually(() => heard.length === 1, 'the notification of a real change');
  } finally {
    client.release(true);
  }
});
