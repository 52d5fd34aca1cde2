/** The webhooks of a project: one is created, tested and repaired, and missed events are sent again. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { en } from '../../../cabinet/src/words/en/index.ts';
import { SUBSCRIBABLE_EVENTS } from '../../../domain/webhooks/webhookRequest.ts';
import type { Lanes } from '../../../loops/delivery/lanes.ts';
import { createTestUser, type Person } from '../../api/support/people.ts';
import { createTestProject, type TestProject } from '../../api/support/testApi.ts';
import { cleanUp } from '../../platform/outgoing/support/servers.ts';
import { answerWith, isSignedBy, startReceiver, type Receiver } from '../../support/servers/receiver.ts';
import { addUndelivered, recoverAll } from '../../support/webhooks/recoveries.ts';
import { addWebhook, recordEvent, startTestLanes, type TestWebhook } from '../../support/webhooks/webhooks.ts';
import { expectAddress, expectTrue, expectVisible, stageCabinet } from '../support/stage.ts';

const stage = stageCabinet({ ALLOW_NETWORKS: '127.0.0.1/32' });
let project: TestProject;
let owner: Person;
let viewer: Person;
let lanes: Lanes | undefined;

beforeAll(async () => {
  const { pool } = stage.database;
  project = await createTestProject(pool);
  owner = await createTestUser(pool, 'owner', { projects: [project.id] });
  viewer = await createTestUser(pool, 'viewer', { projects: [project.id] });
});
beforeEach(() => stage.database.pool.query('delete from webhooks'));
afterEach(async () => {
  await lanes?.close();
  lanes = undefined;
  await cleanUp();
});
afterAll(() => lanes?.close());

const add = (url = 'https://hooks.example.com/attune'): Promise<TestWebhook> =>
  addWebhook(stage.database.pool, project.id, url);
const openList = (person = owner): Promise<Page> => stage.open(`/p/${project.id}/webhooks`, person);
const openOne = ({ webhookId }: TestWebhook, search = '', person = owner): Promise<Page> =>
  stage.open(`/p/${project.id}/webhooks/${webhookId}${search}`, person);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Creates a webhook through the form; returns the secret. */
async function setUp(page: Page, { url }: Receiver): Promise<string> {
  await button(page, 'Add a webhook').click();
  await page.getByRole('textbox', { name: 'Address' }).fill(url);
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  const secret = await page.getByText(/^whsec_/).innerText();
  await button(page, 'I have stored it').click();
  return secret;
}

it('a webhook keeps what others have changed while its form is open', async () => {
  const webhook = await add();
  const page = await openOne(webhook);
  await button(page, 'Change').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^Analysis failed/).click();
  await stage.database.pool.query(`update webhooks set url = 'https://moved.example.com/' where id = $1`, [
    webhook.webhookId,
  ]);
  await button(page, 'Save').click();
  await dialog.waitFor({ state: 'detached' });
  await expectVisible(page.getByRole('heading', { name: 'moved.example.com' }));
  const { rows } = await stage.database.pool.query('select events from webhooks');
  expect(rows).toEqual([{ events: ['item.processed'] }]);
});

describe('a webhook', () => {
  it('is set up, tested, broken and fixed, and its missed events are sent again', async () => {
    lanes = startTestLanes(stage.database);
    const receiver = await startReceiver();
    const page = await openList();
    await expectVisible(page.getByText('No webhooks yet'));
    const secret = await setUp(page, receiver);

    await expectVisible(page.getByText('Nothing has been sent yet'));
    await expectVisible(page.getByText('Nothing was sent in this time, and nothing was waiting.'));
    await button(page, 'Send a test').click();
    await expectVisible(page.getByText('The test arrived: the receiver answered 200.'));
    const [request] = receiver.requests;
    expect(request && isSignedBy(request, secret)).toBe(true);

    receiver.answer = answerWith(503);
    await recordEvent(stage.database.pool, project.id, 'lesson-42');
    await expectVisible(page.getByRole('row', { name: /lesson-42.*Will be tried again.*Answered 503.*Next attempt/ }));
    await expectVisible(page.getByText('Failing', { exact: true }));
    await page.getByRole('link', { name: 'lesson-42' }).click();
    await expectVisible(page.getByText('Answered 503: only 2xx counts as received.').first());

    receiver.answer = answerWith(204);
    await button(page, 'Send now').click();
    await expectVisible(page.getByText('Answered 204 on attempt 2.'));
    await expectTrue(page, `document.querySelectorAll('[data-state=received]').length === 1`);
    await page.getByRole('link', { name: 'The webhook' }).click();
    await expectVisible(page.getByText('OK', { exact: true }));
    const hours = page.getByRole('region', { name: 'Hour by hour' });
    await expectVisible(hours.getByText('1 (33.3%)'));
    await hours.getByRole('button', { name: /Period$/ }).click();
    await page.getByRole('option', { name: 'Last 7 days' }).click();
    await expectAddress(page, /span=week/);
    const charts = await hours.getByRole('slider').all();
    expect(await Promise.all(charts.map((chart) => chart.getAttribute('aria-label')))).toEqual([
      'Attempts',
      'Response time, p95',
      'Undelivered',
    ]);
  });

  it('with an internal address is refused at its field, and the form keeps its input', async () => {
    stage.allow(/Failed to load resource.*422/);
    const page = await openList();
    await button(page, 'Add a webhook').click();
    await page.getByRole('textbox', { name: 'Address' }).fill('https://10.0.0.1/hook');
    for (const event of SUBSCRIBABLE_EVENTS)
      if (event !== 'item.processed') await page.getByText(en.webhooks.eventNames[event]).click();
    const submit = page.getByRole('dialog').getByRole('button', { name: 'Add' });
    await submit.click();
    await expectVisible(page.getByText('This address is internal and not allowed.'));
    await page.getByRole('textbox', { name: 'Address' }).fill('https://hooks.example.com/');
    await page.getByText('Item analysed').click();
    await submit.click();
    await expectVisible(page.getByText('Choose at least one event.'));
    await page.getByText('Item analysed').click();
    await submit.click();
    await expectVisible(page.getByText(/^whsec_/));
    const { rows } = await stage.database.pool.query('select url, events from webhooks');
    expect(rows).toEqual([{ url: 'https://hooks.example.com/', events: ['item.processed'] }]);
  });

  it('cannot be added if there are five, and the page says why', async () => {
    for (let count = 0; count < 5; count++) await add(`https://hooks.example.com/${count}`);
    const page = await openList();
    await expectVisible(page.getByText('A project may have 5 webhooks.'));
    expect(await button(page, 'Add a webhook').isDisabled()).toBe(true);
  });

  it('with a problem says so on the list', async () => {
    const { webhookId } = await add();
    await stage.database.pool.query(
      `update webhooks set failing_since = now() - interval '25 hours', backlog_since = now() where id = $1`,
      [webhookId],
    );
    const page = await openList();
    await expectVisible(page.getByText('No successful answer for more than a day'));
    await expectVisible(page.getByText('New events are not sent · No successful answer'));
    await expectVisible(page.getByText('Queue full'));
  });

  it('keeps open a form that the user opens while the page still updates', async () => {
    const page = await openOne(await add());
    await expectVisible(button(page, 'Turn off'));
    const journal = Promise.withResolvers<void>();
    await page.route('**/deliveries?*', async (route) => {
      await journal.promise;
      await route.continue();
    });
    await button(page, 'Turn off').click();
    await expectVisible(button(page, 'Turn on'));
    await button(page, 'Change').click();
    const address = page.getByRole('textbox', { name: 'Address' });
    await expectVisible(address);
    journal.resolve();
    await expectTrue(page, `document.querySelector('button[data-pending]') === null`);
    expect(await address.isVisible()).toBe(true);
  });

  it('is turned off and on, changed, and deleted', async () => {
    const page = await openOne(await add());
    await button(page, 'Turn off').click();
    await expectVisible(page.getByText('The webhook is off: turn it on first.'));
    await button(page, 'Turn on').click();
    await expectVisible(button(page, 'Turn off'));
    await button(page, 'Change').click();
    await page.getByRole('textbox', { name: 'Address' }).fill('https://elsewhere.example.com/');
    await button(page, 'Save').click();
    await expectVisible(page.getByRole('heading', { name: 'elsewhere.example.com' }));
    await button(page, 'Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expectAddress(page, `${stage.url}/p/${project.id}/webhooks`);
    await expectVisible(page.getByText('No webhooks yet'));
  });

  it('gets a new secret with the keyboard alone, and shows it once', async () => {
    const page = await openOne(await add());
    await button(page, 'New secret').focus();
    await page.keyboard.press('Enter');
    await expectVisible(page.getByRole('dialog', { name: 'Create a new secret?' }));
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).focus();
    await page.keyboard.press('Enter');
    await expectVisible(page.getByText(/^whsec_[A-Za-z0-9]{40}$/));
    await page.keyboard.press('Escape');
    await expectVisible(page.getByText(/^whsec_/));
    await button(page, 'I have stored it').focus();
    await page.keyboard.press('Enter');
    await page.getByText(/^whsec_/).waitFor({ state: 'detached' });
    await expectTrue(page, `document.activeElement.textContent === 'New secret'`);
  });

  it('says when the next test is possible', async () => {
    stage.allow(/Failed to load resource.*429/);
    const page = await openOne(await add());
    await stage.database.pool.query('insert into webhook_tests (project_id) select $1 from generate_series(1, 10)', [
      project.id,
    ]);
    await button(page, 'Send a test').click();
    await expectVisible(page.getByText('The next one is possible in 10 min.'));
    await stage.database.pool.query('delete from webhook_tests');
  });

  it('can be viewed by a viewer, who is told why changes are not allowed', async () => {
    const page = await openOne(await add(), '', viewer);
    await expectVisible(page.getByText('Only owners and administrators can do this.'));
    for (const name of ['Send a test', 'Change', 'Turn off', 'Delete', 'New secret', 'Send again…'])
      expect([name, await button(page, name).isDisabled()]).toEqual([name, true]);
  });
});

describe('the journal', () => {
  it('is filtered by the address, and its filters are in the address', async () => {
    const webhook = await add();
    const { pool } = stage.database;
    await addUndelivered(pool, webhook, { count: 1, prefix: 'refused' });
    await addUndelivered(pool, webhook, { count: 1, prefix: 'unsent', status: 'dropped' });
    await addUndelivered(pool, webhook, { count: 1, prefix: 'old', minutesAgo: 3_000 });
    const page = await openOne(webhook, '?status=failed');
    await expectVisible(page.getByRole('row', { name: /refused-1.*Given up.*Answered 500/ }));
    expect(await page.getByRole('row').count()).toBe(3);
    await page.getByRole('button', { name: /Time$/ }).click();
    await page.getByRole('option', { name: 'Last 24 hours' }).click();
    await expectAddress(page, /status=failed&period=day/);
    await page.getByText('old-1').waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Item id' }).fill('unsent-1');
    await page.keyboard.press('Enter');
    await expectVisible(page.getByText('No items match'));
    await button(page, 'Show all').click();
    await expectVisible(page.getByRole('row', { name: /unsent-1.*Not sent.*The webhook was off/ }));
  });

  it('continues on the next page', async () => {
    const webhook = await add();
    await addUndelivered(stage.database.pool, webhook, { count: 60 });
    const page = await openOne(webhook);
    await button(page, 'Next page').click();
    await expectVisible(page.getByText('item-1', { exact: true }));
    expect(await page.getByRole('row').count()).toBe(61);
  });
});

describe('recovery', () => {
  it('sends again what was not delivered, and shows its progress', async () => {
    const webhook = await add();
    const { pool } = stage.database;
    await addUndelivered(pool, webhook, { count: 3 });
    const page = await openOne(webhook);
    await button(page, 'Send again…').click();
    await button(page, 'Send again').click();
    await expectVisible(page.getByText('Looking for undelivered events…'));
    const { rows } = await pool.query<{ id: string }>('select id from webhook_recoveries where webhook_id = $1', [
      webhook.webhookId,
    ]);
    await recoverAll(pool, webhook, rows[0]?.id ?? '');
    await expectVisible(page.getByText('Finished: 3 queued again.'));
  });

  it('of a future period is refused at its field', async () => {
    stage.allow(/Failed to load resource.*422/);
    const page = await openOne(await add());
    await button(page, 'Send again…').click();
    await page.getByLabel('Undelivered since').fill('2999-01-01T00:00');
    await button(page, 'Send again').click();
    await expectVisible(page.getByText('This value is not allowed.'));
  });
});
