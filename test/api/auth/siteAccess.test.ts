/** A closed site is closed at once, in every API process on the database: for servers, and for the tag. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fetch } from 'undici';
import { KEY_CACHE_TTL_MS } from '../../../api/auth/keyCache.ts';
import { insertUser, updateUser } from '../../../db/accounts.ts';
import { setClientState } from '../../../db/clients.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { clientOf, createTestToken, startTestApi, type Client, type TestApi } from '../support/testApi.ts';
import { createTestSite, type TestSite } from '../support/testSite.ts';

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

async function listeners(): Promise<number> {
  const { rows } = await database.pool.query(
    `select from pg_stat_activity where datname = current_database() and application_name = 'attune-listen-access' and state = 'idle' and query ilike 'listen%'`,
  );
  return rows.length;
}

/** What both processes answer a server and the tag: four statuses. */
async function statuses({ key, tagKey }: TestSite): Promise<number[]> {
  const byProcess = await Promise.all(apis.map(async (api) => {
    const body = JSON.stringify({ key: tagKey, visitor_id: randomUUID(), sent_at: new Date().toISOString(), events: [] });
    const hits = await fetch(`${api.origin}/collect`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await hits.text();
    return [(await clientOf(api.analytics, key)('GET', '/network')).status, hits.status];
  }));
  return byProcess.flat();
}

async function expectAtOnce(change: (site: TestSite) => Promise<unknown>, status: number): Promise<TestSite> {
  const site = await createTestSite(database.pool);
  expect(await statuses(site)).toEqual([200, 202, 200, 202]);
  await change(site);
  await eventually(async () => (await statuses(site)).every((given) => given === status), `${status} of both`, WITHOUT_WAITING_MS);
  return site;
}

describe('what takes effect at once, in both processes', () => {
  it('is the revocation of a site\'s keys', async () => {
    await expectAtOnce(async ({ id }) => {
      const { items } = (await admin('GET', `/sites/${id}/keys`)).body as { items: { id: string }[] };
      for (const key of items) await admin('DELETE', `/sites/${id}/keys/${key.id}`);
    }, 401);
  });

  it.each([{ state: 'blocked' }, { state: 'deleted' }, { owner_state: 'blocked' }])('is %j, and the opposite', async (change) => {
    const { id, ...site } = await expectAtOnce((closed) => admin('PATCH', `/sites/${closed.id}`, change), 403);
    await admin('PATCH', `/sites/${id}`, { state: 'active', owner_state: 'active' });
    await eventually(async () => (await statuses({ id, ...site })).every((status) => status < 300), 'open again', WITHOUT_WAITING_MS);
  });

  it('is a client that is blocked', async () => {
    await expectAtOnce(({ clientId }) => setClientState(database.pool, clientId, 'blocked'), 403);
  });

  it('is an owner that is blocked', async () => {
    await expectAtOnce(async ({ id }) => {
      const owner = await insertUser(database.pool, { email: `${id}@example.com`, passwordHash: 'x', role: 'owner', projects: [], sites: [id] });
      if (typeof owner === 'string') throw new Error(owner);
      await updateUser(database.pool, owner.id, { state: 'blocked' }, null);
    }, 403);
  });
});
