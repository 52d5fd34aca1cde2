/** A project and the site whose pages show its items. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { createTestUser, tokenOf } from '../../support/people.ts';
import { clientOf, createTestProject, startTestApi, type Client, type TestApi } from '../../support/testApi.ts';
import { createTestSite } from '../../support/testSite.ts';

let database: TestDatabase;
let api: TestApi;
let project: string;
let site: string;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  project = (await createTestProject(database.pool)).id;
  site = (await createTestSite(database.pool)).id;
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});

async function clientFor(role: 'owner' | 'viewer', sites: string[]): Promise<Client> {
  const user = await createTestUser(database.pool, role, { projects: [project], sites });
  return clientOf(api.cabinet, await tokenOf(database.pool, user));
}

it('the site of a project is linked, stays linked after other changes, and is unlinked', async () => {
  const owner = await clientFor('owner', [site]);
  const path = `/projects/${project}`;
  expect((await owner('GET', path)).body.site_id).toBeNull();
  expect((await owner('PATCH', path, { site_id: site })).body.site_id).toBe(site);
  expect((await owner('PATCH', path, { title: 'Renamed' })).body.site_id).toBe(site);
  expect((await owner('GET', '/projects')).body.items[0].site_id).toBe(site);
  expect((await owner('PATCH', path, { site_id: null })).body.site_id).toBeNull();
});

it('the site of a project cannot be one that the caller may not see, which is refused like one that does not exist', async () => {
  const owner = await clientFor('owner', []);
  for (const id of [site, 'zzzzzzzzzzzz']) {
    const answer = await owner('PATCH', `/projects/${project}`, { site_id: id });
    expect([answer.status, answer.body.error.details]).toEqual([
      422,
      [{ field: 'site_id', code: 'invalid_value', message: expect.any(String) }],
    ]);
  }
});

it('the site of a project is not revealed to a caller who may not see it', async () => {
  const owner = await clientFor('owner', [site]);
  await owner('PATCH', `/projects/${project}`, { site_id: site });
  const viewer = await clientFor('viewer', []);
  expect((await viewer('GET', `/projects/${project}`)).body.site_id).toBeNull();
  expect((await viewer('GET', '/projects')).body.items[0].site_id).toBeNull();
  const seeing = await clientFor('viewer', [site]);
  expect((await seeing('GET', `/projects/${project}`)).body.site_id).toBe(site);
});
