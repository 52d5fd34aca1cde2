/** The home page: problems first, and the first steps of a new user. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestUser, type Person } from '../api/support/people.ts';
import { createTestProject } from '../api/support/testApi.ts';
import { createTestSite } from '../api/support/testSite.ts';
import { Analyst } from '../support/items/items.ts';
import { textItem } from '../support/project.ts';
import { addWebhook, type TestWebhook } from '../support/webhooks/webhooks.ts';
import { violationsOf } from './support/axe.ts';
import { answerRequests, expectAddress, expectVisible, holdRequests, stageCabinet } from './support/stage.ts';

const stage = stageCabinet();

describe('a user who has nothing yet', () => {
  it('creates a project with only the keyboard and is shown its key once', async () => {
    stage.allow(/422/);
    const owner = await createTestUser(stage.database.pool, 'owner');
    const page = await stage.open('/', owner);
    await expectVisible(page.getByText('Nothing here yet'));
    await page.getByRole('button', { name: 'New project' }).focus();
    await page.keyboard.press('Enter');
    await expectVisible(page.getByRole('dialog', { name: 'New project' }).locator('input:focus'));
    await page.keyboard.press('Enter');
    await expectVisible(page.getByText('This field is required.'));
    await page.keyboard.type('Tram museum');
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'The key of the new project' });
    await expectVisible(dialog);
    expect(await dialog.locator('code').textContent()).toMatch(/^ck_[A-Za-z0-9]{40}$/);
    await page.getByRole('button', { name: 'I have stored it' }).focus();
    await page.keyboard.press('Enter');
    await expectAddress(page, /\/p\/[a-z0-9]{12}\/items$/);
    await expectVisible(page.getByText('Nothing here yet'));
    await expectVisible(page.getByRole('button', { name: /Tram museum/ }));
  });

  it('is shown the key even after pressing Escape while the project is being created', async () => {
    const owner = await createTestUser(stage.database.pool, 'owner');
    const page = await stage.open('/', owner);
    await page.getByRole('button', { name: 'New project' }).click();
    const release = await holdRequests(page, '**/projects', 'POST');
    await page.getByLabel('Title').fill('Tram museum');
    await page.keyboard.press('Enter');
    await page.locator('[role=dialog] [data-pending]').waitFor();
    await page.keyboard.press('Escape');
    release();
    await expectVisible(page.getByRole('dialog', { name: 'The key of the new project' }));
  });

  it('creates a site and is shown what its pages need', async () => {
    stage.allow(/422/);
    const owner = await createTestUser(stage.database.pool, 'owner');
    const page = await stage.open('/', owner);
    await page.getByRole('button', { name: 'New site' }).click();
    await page.getByLabel('Title').fill('Shop');
    await page.getByLabel('Hosts').fill('shop.example.com, not a host!');
    await page.getByLabel('Time zone').fill('Nowhere');
    await page.getByRole('button', { name: 'Create' }).click();
    await expectVisible(page.getByText('There is no such time zone.'));
    await expectVisible(page.getByText('One of these is not a host name.'));
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('Hosts').fill('shop.example.com, *.shop.example.com');
    await page.getByLabel('Time zone').fill('Europe/Moscow');
    await page.getByRole('button', { name: 'Create' }).click();
    await expectVisible(page.getByText(/svc\('init','as_/));
    await page.getByRole('button', { name: 'Open the site' }).click();
    await expectAddress(page, /\/s\/[a-z0-9]{12}/);
    const [id = ''] = /[a-z0-9]{12}/.exec(new URL(page.url()).pathname) ?? [];
    const { rows } = await stage.database.pool.query('select name from site_keys where site_id = $1', [id]);
    expect(rows).toEqual([{ name: 'Tag' }]);
  });

  it('is told whom to ask if they are a viewer', async () => {
    const viewer = await createTestUser(stage.database.pool, 'viewer');
    const page = await stage.open('/', viewer);
    await expectVisible(page.getByText('Nobody has given you access'));
    expect(await page.getByRole('button', { name: 'New project' }).count()).toBe(0);
  });
});

describe('a problem', () => {
  let project: string;
  let webhook: TestWebhook;
  let owner: Person;
  let viewer: Person;

  beforeAll(async () => {
    const { pool } = stage.database;
    project = (await createTestProject(pool)).id;
    const site = await createTestSite(pool);
    await pool.query(`update projects set title = 'Tram museum' where id = $1`, [project]);
    await pool.query(`update sites set title = 'Shop' where id = $1`, [site.id]);
    owner = await createTestUser(pool, 'owner', { projects: [project], sites: [site.id] });
    viewer = await createTestUser(pool, 'viewer', { projects: [project], sites: [site.id] });
    await new Analyst(pool, project).put('broken', textItem({ title: 'Broken' }));
    await pool.query(
      `update items set status = 'failed', steps = '{"summary": {"state": "failed"}}' where project_id = $1`,
      [project],
    );
    webhook = await addWebhook(pool, project, 'https://hooks.example.com/attune');
    await pool.query(`update webhooks set backlog_since = now() where id = $1`, [webhook.webhookId]);
  });
  it('is shown first, with a link to its place', async () => {
    const page = await stage.open('/', owner);
    const card = page.getByRole('region', { name: 'Needs attention' });
    await expectVisible(card.getByRole('link', { name: /Tram museum.*New events are not sent/ }));
    await expectVisible(card.getByRole('link', { name: /Shop.*No hits yet/ }));
    await card.getByRole('link', { name: /Items whose analysis failed in the last week: 1/ }).click();
    await expectAddress(page, /\/items\?status=failed/);
    await expectVisible(page.getByRole('link', { name: 'Broken' }));
  });

  it("with a webhook is shown on every page of its project, and only once on the webhook's own pages", async () => {
    const page = await stage.open(`/p/${project}/settings`, viewer);
    const banner = page.getByRole('status').filter({ hasText: 'New events are not sent' });
    await expectVisible(banner);
    expect(await violationsOf(page)).toEqual([]);
    await banner.getByRole('link').click();
    await expectAddress(page, new RegExp(`/webhooks/${webhook.webhookId}`));
    await expectVisible(page.getByRole('heading', { name: 'hooks.example.com' }));
    await expectVisible(page.getByText('New events are not sent'));
    expect(await page.getByText('New events are not sent').count()).toBe(1);
  });

  it('leaves the buttons visible to a viewer, disabled and with the reason', async () => {
    const page = await stage.open('/', viewer);
    await expectVisible(page.getByText('Owners and administrators can create projects and sites.'));
    expect(await page.getByRole('button', { name: 'New project' }).isDisabled()).toBe(true);
  });

  it('with the server is shown with the time to wait, and disappears when another try succeeds', async () => {
    stage.allow(/429/);
    const page = await stage.open('/account', owner);
    const stop = await answerRequests(page, '**/cabinet/api/troubles', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '600' },
        json: { error: { code: 'rate_limited', message: 'x' } },
      }),
    );
    await page.goto(`${stage.url}/`);
    const problem = page.getByRole('alert').filter({ hasText: 'Too many requests.' });
    await expectVisible(problem.getByText('Wait 10 min before you try again.'));
    stop();
    await problem.getByRole('button', { name: 'Try again' }).click();
    await problem.waitFor({ state: 'detached' });
  });

  it('is shown when data cannot be loaded, and the rest of the page stays', async () => {
    stage.allow(/500/);
    const page = await stage.open('/account', owner);
    await page.route('**/cabinet/api/troubles', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'x' } } }),
    );
    await page.goto(`${stage.url}/`);
    await expectVisible(page.getByRole('alert').getByText('The server had an error.'));
    await expectVisible(page.getByRole('heading', { name: 'Tram museum' }));
  });
});

describe('many projects', () => {
  it('are all shown, and only those in sight request their items', async () => {
    const { pool } = stage.database;
    const { clientId } = await createTestProject(pool);
    await pool.query(
      `insert into projects (id, client_id, title)
       select 'zzzzzz' || lpad(n::text, 6, '0'), $1, 'Project ' || n from generate_series(1, 230) n`,
      [clientId],
    );
    const page = await stage.open('/account', await createTestUser(pool, 'admin'));
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(`${stage.url}/`);
    const last = page.getByRole('heading', { name: 'Project 230', exact: true });
    await last.waitFor({ state: 'attached' });
    await expectVisible(page.getByText('Nothing here yet').first());
    expect(new Set(requests.filter((path) => path.endsWith('/items'))).size).toBeLessThan(50);
    const loaded = page.waitForRequest(/zzzzzz000230\/items/);
    await last.scrollIntoViewIfNeeded();
    await loaded;
  });
});
