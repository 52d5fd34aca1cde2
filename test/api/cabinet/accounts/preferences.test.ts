/** Preferences of a user in the cabinet, which are the same in every browser. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OWNER_QUOTA } from '../../../../domain/accounts/ownerQuota.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { createTestUser, openBrowser, tokenOf } from '../../support/people.ts';
import { clientOf, createTestToken, startTestApi, type TestApi } from '../../support/testApi.ts';

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

describe('language and theme', () => {
  // proves: decisions-cabinet-app/preferences
  it('are unset at first, and known to other browsers once they are chosen', async () => {
    const viewer = await createTestUser(database.pool, 'viewer');
    const [first, second] = [await openBrowser(api, viewer), await openBrowser(api, viewer)];
    expect((await first.call('GET', '/me')).body).toMatchObject({ language: null, theme: null, site_quota: null });
    const chosen = await first.call('PATCH', '/me/preferences', { language: 'en' });
    expect(chosen).toMatchObject({ status: 200, body: { language: 'en', theme: null } });
    await second.call('PATCH', '/me/preferences', { theme: 'dark' });
    expect((await first.call('GET', '/me')).body).toMatchObject({ language: 'en', theme: 'dark' });
    await second.call('PATCH', '/me/preferences', { language: null });
    expect((await first.call('GET', '/me')).body).toMatchObject({ language: null, theme: 'dark' });
  });

  it.each([{ language: 'la' }, { theme: 'pink' }, { colour: 'red' }])('cannot be %j', async (body) => {
    const viewer = await createTestUser(database.pool, 'viewer');
    const { call } = await openBrowser(api, viewer);
    expect((await call('PATCH', '/me/preferences', body)).status).toBe(422);
  });

  it('are not stored for a token without a user', async () => {
    const call = clientOf(api.cabinet, await createTestToken(database.pool));
    expect((await call('PATCH', '/me/preferences', { theme: 'dark' })).status).toBe(404);
    expect((await call('GET', '/me')).body).toMatchObject({ language: null, theme: null, site_quota: null });
  });
});

// proves: decisions-cabinet-app/preferences
it('an owner is told how many sites are allowed', async () => {
  const owner = await createTestUser(database.pool, 'owner');
  const call = clientOf(api.cabinet, await tokenOf(database.pool, owner));
  expect((await call('GET', '/me')).body.site_quota).toBe(OWNER_QUOTA.sites);
  const admin = clientOf(api.cabinet, await createTestToken(database.pool));
  await admin('PATCH', `/users/${owner.id}`, { site_quota: 7 });
  expect((await call('GET', '/me')).body.site_quota).toBe(7);
});
