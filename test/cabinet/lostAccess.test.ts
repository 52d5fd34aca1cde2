/** Tests that an open page shows no more than its user may still see and do. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { clientOf, createTestProject, createTestToken, type Client, type TestProject } from '../api/support/testApi.ts';
import { createTestGoal, createTestSite } from '../api/support/testSite.ts';
import { updateSite } from '../../db/sites/sites.ts';
import { createTestUser, type Person } from '../api/support/people.ts';
import { RIGHTS_MS } from '../../cabinet/src/data/account/rightsRefresh.ts';
import { expectVisible, stageCabinet } from './support/stage.ts';

const stage = stageCabinet();
let admin: Client;
let project: TestProject;
let owner: Person;
let page: Page;

beforeAll(async () => {
  admin = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
});
beforeEach(async () => {
  stage.allow(/Failed to load resource.*(401|403|404)/);
  project = await createTestProject(stage.database.pool);
  owner = await createTestUser(stage.database.pool, 'owner', { projects: [project.id] });
  await clientOf(stage.api.content, project.key)('PUT', '/items/secret', { type: 'text', title: 'Secret lesson' });
});

afterEach(async () => {
  await page.context().close();
});

/** Opens the page with a clock that {@link readRights} advances. */
async function open(path: string, person: Person): Promise<void> {
  page = await stage.keepPage(person);
  await page.clock.install();
  await page.goto(stage.url + path);
}

/** Lets the page read the rights of its user again. */
const readRights = () => page.clock.fastForward(RIGHTS_MS);
const openOfProject = (path: string) => open(`/p/${project.id}${path}`, owner);
const secret = () => page.getByText('Secret lesson').first();
const changed = async (change: object) => expect((await admin('PATCH', `/users/${owner.id}`, change)).status).toBe(200);

describe('an open page', () => {
  it.each(['', '/items', '/items/secret'])(
    'shows no data of a project once its user has left it, at %j',
    async (path) => {
      await openOfProject(path);
      await expectVisible(secret());
      await changed({ projects: [] });
      await readRights();
      await secret().waitFor({ state: 'hidden' });
      await expectVisible(page.getByText('There is nothing here, or you do not have access to it.'));
      expect(await page.getByText(/Loading/).count()).toBe(0);
    },
  );

  it.each(['', '/items'])('shows no data once its user is deleted, and offers to sign in, at %j', async (path) => {
    await openOfProject(path);
    await expectVisible(secret());
    expect((await admin('DELETE', `/users/${owner.id}`)).status).toBe(200);
    await readRights();
    await secret().waitFor({ state: 'hidden' });
    await expectVisible(page.getByText('You are no longer signed in.').first());
    expect(await page.getByText(/Loading/).count()).toBe(0);
  });

  it.each(['', '/goals', '/goal?code=secret', '/settings', '/recordings'])(
    'shows no data of a site once its user has left it, at %j',
    async (path) => {
      const site = await createTestSite(stage.database.pool);
      await updateSite(stage.database.pool, site.id, { title: 'Secret shop' });
      await createTestGoal(stage.database.pool, site.id, 'secret');
      await changed({ sites: [site.id] });
      await open(`/s/${site.id}${path}`, owner);
      const shown = page.getByText(/secret/i).first();
      await expectVisible(shown);
      await changed({ sites: [] });
      await readRights();
      await shown.waitFor({ state: 'hidden' });
      await expectVisible(page.getByText('There is nothing here, or you do not have access to it.'));
      expect(await page.getByText(/secret|Loading/i).count()).toBe(0);
    },
  );

  it('refuses what a viewer may not do once its user has become a viewer', async () => {
    await openOfProject('/imports');
    const choose = page.getByRole('button', { name: 'Choose a file' });
    await expectVisible(choose);
    await changed({ role: 'viewer' });
    await readRights();
    await expectVisible(page.getByText('Only owners and administrators can do this.'));
    expect(await choose.isDisabled()).toBe(true);
  });

  it('of the installation closes for an administrator who becomes an owner', async () => {
    const operator = await createTestUser(stage.database.pool, 'admin');
    await open('/installation', operator);
    await expectVisible(page.getByText(/Attune .* Node/));
    expect((await admin('PATCH', `/users/${operator.id}`, { role: 'owner' })).status).toBe(200);
    await readRights();
    await expectVisible(page.getByText('Only administrators can see the state of the installation.'));
    expect(await page.getByText(/Attune .* Node/).count()).toBe(0);
  });

  it.each(['/items/secret/edit', '/add-item'])(
    'keeps what is typed when its project is suspended, and says that it cannot be saved, at %j',
    async (path) => {
      await openOfProject(path);
      await page.getByLabel('Title').fill('A better title');
      expect((await admin('PATCH', `/projects/${project.id}`, { state: 'suspended' })).status).toBe(200);
      await readRights();
      await expectVisible(page.getByText(/This project is suspended or archived/));
      expect(await page.getByLabel('Title').inputValue()).toBe('A better title');
      const save = page.getByRole('button', { name: /^(Save|Add the item)$/ });
      expect(await save.isDisabled()).toBe(true);
      expect((await admin('PATCH', `/projects/${project.id}`, { state: 'active' })).status).toBe(200);
      await readRights();
      await save.click();
      await expectVisible(page.getByRole('heading', { name: 'A better title' }));
    },
  );

  it('says that nothing can be added once its project is suspended', async () => {
    await openOfProject('/imports');
    const choose = page.getByRole('button', { name: 'Choose a file' });
    await expectVisible(choose);
    expect((await admin('PATCH', `/projects/${project.id}`, { state: 'suspended' })).status).toBe(200);
    await readRights();
    await expectVisible(page.getByText(/This project is suspended or archived/));
    expect(await choose.isDisabled()).toBe(true);
  });
});
