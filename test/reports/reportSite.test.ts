/** Reports take turns by the owner of their site, because all sites that the cabinet makes belong to one client. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { loadSiteSettings } from '../../db/sites/siteSettings.ts';
import { reportSiteOf } from '../../reports/reportSite.ts';
import { createTestUser, tokenOf } from '../api/support/people.ts';
import { clientOf, createTestToken, startTestApi, type Client, type TestApi } from '../api/support/testApi.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});

const newOwner = async (): Promise<Client> =>
  clientOf(api.cabinet, await tokenOf(database.pool, await createTestUser(database.pool, 'owner')));

/** Makes a site, and returns the owner for whom its reports take turns. */
async function ownerOfSiteBy(call: Client): Promise<string | undefined> {
  const site = { title: 'Shop', hosts: ['shop.example'], timezone: 'Europe/Moscow', currency: 'RUB' };
  const { status, body } = await call('POST', '/sites', site);
  expect(status).toBe(201);
  const settings = (await loadSiteSettings(database.pool, [body.id])).get(body.id);
  if (settings === undefined) throw new Error('the site has no settings');
  return reportSiteOf(settings).owner;
}

it('all sites of an owner share its turns, and sites of another owner have others', async () => {
  const [anna, boris] = [await newOwner(), await newOwner()];
  const [first, second, third] = [await ownerOfSiteBy(anna), await ownerOfSiteBy(anna), await ownerOfSiteBy(boris)];
  expect(first).toBeDefined();
  expect(second).toBe(first);
  expect(third).toBeDefined();
  expect(third).not.toBe(first);
});

it('a site that only administrators manage has its own turns', async () => {
  expect(await ownerOfSiteBy(clientOf(api.cabinet, await createTestToken(database.pool)))).toBeUndefined();
});
