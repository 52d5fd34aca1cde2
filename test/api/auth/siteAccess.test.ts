/** A closed site is closed at once, in every API process on the database: for servers, and for the tag. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { fetch } from 'undici';
import { insertUser, updateUser } from '../../../db/accounts.ts';
import { setClientState } from '../../../db/clients.ts';
import { eventually } from '../../support/eventually.ts';
import { stageTwoApis, WITHOUT_WAITING_MS } from '../support/stageTwoApis.ts';
import { clientOf } from '../support/testApi.ts';
import { createTestSite, type TestSite } from '../support/testSite.ts';

const stage = stageTwoApis();

/** What both processes answer a server and the tag: four statuses. */
async function statuses({ key, tagKey }: TestSite): Promise<number[]> {
  const byProcess = await Promise.all(stage.apis.map(async (api) => {
    const body = JSON.stringify({ key: tagKey, visitor_id: randomUUID(), sent_at: new Date().toISOString(), events: [] });
    const hits = await fetch(`${api.origin}/collect`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await hits.text();
    return [(await clientOf(api.analytics, key)('GET', '/network')).status, hits.status];
  }));
  return byProcess.flat();
}

async function expectAtOnce(change: (site: TestSite) => Promise<unknown>, status: number): Promise<TestSite> {
  const site = await createTestSite(stage.database.pool);
  expect(await statuses(site)).toEqual([200, 202, 200, 202]);
  await change(site);
  await eventually(async () => (await statuses(site)).every((given) => given === status), `${status} of both`, WITHOUT_WAITING_MS);
  return site;
}

describe('what takes effect at once, in both processes', () => {
  it('is the revocation of a site\'s keys', async () => {
    await expectAtOnce(async ({ id }) => {
      const { items } = (await stage.admin('GET', `/sites/${id}/keys`)).body as { items: { id: string }[] };
      for (const key of items) await stage.admin('DELETE', `/sites/${id}/keys/${key.id}`);
    }, 401);
  });

  it.each([{ state: 'blocked' }, { state: 'deleted' }, { owner_state: 'blocked' }])('is %j, and the opposite', async (change) => {
    const { id, ...site } = await expectAtOnce((closed) => stage.admin('PATCH', `/sites/${closed.id}`, change), 403);
    await stage.admin('PATCH', `/sites/${id}`, { state: 'active', owner_state: 'active' });
    await eventually(async () => (await statuses({ id, ...site })).every((status) => status < 300), 'open again', WITHOUT_WAITING_MS);
  });

  it('is a client that is blocked', async () => {
    await expectAtOnce(({ clientId }) => setClientState(stage.database.pool, clientId, 'blocked'), 403);
  });

  it('is an owner that is blocked', async () => {
    await expectAtOnce(async ({ id }) => {
      const owner = await insertUser(stage.database.pool, { email: `${id}@example.com`, passwordHash: 'x', role: 'owner', projects: [], sites: [id] });
      if (typeof owner === 'string') throw new Error(owner);
      await updateUser(stage.database.pool, owner.id, { state: 'blocked' }, null);
    }, 403);
  });
});
