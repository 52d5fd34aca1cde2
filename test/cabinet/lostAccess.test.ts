/** What an open page shows once its user may see or do less than before. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { clientOf, createTestProject, createTestToken, type Client, type TestProject } from '../api/support/testApi.ts';
import { createTestUser, type Person } from '../api/support/people.ts';
import { expectVisible, stageCabinet } from './support/stage.ts';

const stage = stageCabinet();
let admin: Client;
let project: TestProject;
let owner: Person;

beforeAll(async () => {
  admin = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
});
beforeEach(async () => {
  stage.allow(/Failed to load resource.*(401|403|404)/);
  project = await createTestProject(stage.database.pool);
  owner = await createTestUser(stage.database.pool, 'owner', { projects: [project.id] });
  await clientOf(stage.api.content, project.key)('PUT', '/items/secret', { type: 'text', title: 'Secret lesson' });
});

const open = (path: string): Promise<Page> => stage.open(`/p/${project.id}${path}`, owner);
const secret = (page: Page) => page.getByText('Secret lesson').first();
const gone = (page: Page) => secret(page).waitFor({ state: 'hidden' });
const changed = async (change: object) => expect((await admin('PATCH', `/users/${owner.id}`, change)).status).toBe(200);

describe('an open page', () => {
  it.each(['', '/items', '/items/secret'])(
    'at %j of a project that its user leaves shows no data of it',
    async (path) => {
      const page = await open(path);
      await expectVisible(secret(page));
      await changed({ projects: [] });
      await gone(page);
      await expectVisible(page.getByText('There is nothing here, or you do not have access to it.'));
      expect(await page.getByText(/Loading/).count()).toBe(0);
    },
  );

  it.each(['', '/items'])('at %j whose user is deleted shows no data, and offers to sign in', async (path) => {
    const page = await open(path);
    await expectVisible(secret(page));
    expect((await admin('DELETE', `/users/${owner.id}`)).status).toBe(200);
    await gone(page);
    await expectVisible(page.getByText('You are no longer signed in.').first());
    expect(await page.getByText(/Loading/).count()).toBe(0);
  });

  it('whose user becomes a viewer refuses what a viewer may not do', async () => {
    const page = await open('/imports');
    const choose = page.getByRole('button', { name: 'Choose a file' });
    await expectVisible(choose);
    await changed({ role: 'viewer' });
    await expectVisible(page.getByText('Only owners and administrators can do this.'));
    expect(await choose.isDisabled()).toBe(true);
  });

  it('of the installation closes for an administrator who becomes an owner', async () => {
    const operator = await createTestUser(stage.database.pool, 'admin');
    const page = await stage.open('/installation', operator);
    await expectVisible(page.getByText(/Attune .* Node/));
    expect((await admin('PATCH', `/users/${operator.id}`, { role: 'owner' })).status).toBe(200);
    await expectVisible(page.getByText('Only administrators can see the state of the installation.'));
    expect(await page.getByText(/Attune .* Node/).count()).toBe(0);
  });

  it('of a project that is suspended says that nothing can be added', async () => {
    const page = await open('/imports');
    const choose = page.getByRole('button', { name: 'Choose a file' });
    await expectVisible(choose);
    expect((await admin('PATCH', `/projects/${project.id}`, { state: 'suspended' })).status).toBe(200);
    await expectVisible(page.getByText(/This project is suspended or archived/));
    expect(await choose.isDisabled()).toBe(true);
  });
});
