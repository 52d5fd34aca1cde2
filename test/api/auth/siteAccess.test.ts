/** Closing a site takes effect at once in every API process on the database, for servers and for the tag. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { fetch } from 'undici';
import { insertUser, updateUser } from '../../../db/accounts/accounts.ts';
import { eventually } from '../../support/eventually.ts';
import { atOnce, stageTwoApis } from '../support/stageTwoApis.ts';
import { clientOf } from '../support/testApi.ts';
import { createTestSite, type TestSite } from '../support/testSite.ts';
import { setClientState } from '../../support/setClientState.ts';

const stage = stageTwoApis();

/** Returns the answers of both processes to a server and to the tag: four statuses. */
async function statuses({ key, tagKey }: TestSite): Promise<number[]> {
  const byProcess = await Promise.all(
    stage.apis.map(async (api) => {
      const body = JSON.stringify({
        key: tagKey,
        visitor_id: randomUUID(),
        sent_at: new Date().toISOString(),
        events: [],
      });
      const hits = await fetch(`${api.origin}/collect`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      await hits.text();
      return [(await clientOf(api.analytics, key)('GET', '/network')).status, hits.status];
    }),
  );
  return byProcess.flat();
}

const [OPEN, CLOSED, NO_KEY] = [
  [200, 202, 200, 202],
  [403, 403, 403, 403],
  [401, 401, 401, 401],
];

const bothAnswer = (site: TestSite, wanted: readonly number[]): Promise<boolean> =>
  eventually(
    async () => (await statuses(site)).every((status, index) => status === wanted[index]),
    `${wanted.join(', ')} of both`,
  );

async function expectAtOnce(change: (site: TestSite) => Promise<unknown>, wanted: readonly number[]): Promise<void> {
  await atOnce(async () => {
    const site = await createTestSite(stage.database.pool);
    expect(await statuses(site)).toEqual(OPEN);
    await change(site);
    await bothAnswer(site, wanted);
  });
}

describe('these changes take effect at once, in both processes:', () => {
  // proves: analytics-auth/8
  it('a key of a site is revoked', async () => {
    await expectAtOnce(async ({ id }) => {
      const { items } = (await stage.admin('GET', `/sites/${id}/keys`)).body as { items: { id: string }[] };
      for (const key of items) await stage.admin('DELETE', `/sites/${id}/keys/${key.id}`);
    }, NO_KEY);
  });

  // proves: analytics-auth/8
  it.each([{ state: 'blocked' }, { state: 'deleted' }, { owner_state: 'blocked' }])(
    '%j is set, and unset',
    async (change) => {
      await expectAtOnce(async (site) => {
        await stage.admin('PATCH', `/sites/${site.id}`, change);
        await bothAnswer(site, CLOSED);
        await stage.admin('PATCH', `/sites/${site.id}`, { state: 'active', owner_state: 'active' });
      }, OPEN);
    },
  );

  // proves: decisions-keys/tenants
  it('a client is blocked', async () => {
    await expectAtOnce(({ clientId }) => setClientState(stage.database.pool, clientId, 'blocked'), CLOSED);
  });

  it('an owner is blocked', async () => {
    await expectAtOnce(async ({ id }) => {
      const owner = await insertUser(stage.database.pool, {
        email: `${id}@example.com`,
        passwordHash: 'x',
        role: 'owner',
        projects: [],
        sites: [id],
      });
      if (typeof owner === 'string') throw new Error(owner);
      await updateUser(stage.database.pool, owner.id, { state: 'blocked' }, { manager: null, lostPassword: '' });
    }, CLOSED);
  });
});
