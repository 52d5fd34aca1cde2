/**
 * The settings of a site: its tag is installed and repaired, keys are created and revoked, and the rest is changed.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { fetch } from 'undici';
import { fromLines, fromNumbers, fromRateLines } from '../../../cabinet/src/pages/analytics/settings/listsAsText.ts';
import { updateSite } from '../../../db/sites/sites.ts';
import { createTestUser, type Person } from '../../api/support/people.ts';
import { createTestSite, type TestSite } from '../../api/support/testSite.ts';
import { countAnswers, expectTrue, expectVisible, holdRequests, stageCabinet } from '../support/stage.ts';

const stage = stageCabinet();
let site: TestSite;
let owner: Person;

beforeAll(async () => {
  const { pool } = stage.database;
  site = await createTestSite(pool);
  await updateSite(pool, site.id, { hosts: ['shop.example'] });
  owner = await createTestUser(pool, 'owner', { sites: [site.id] });
});

const open = (person = owner): Promise<Page> => stage.open(`/s/${site.id}/settings`, person);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function view(host: string, key = site.tagKey): Promise<number> {
  const now = new Date().toISOString();
  const events = [{ id: randomUUID(), at: now, type: 'pageview', url: `https://${host}/` }];
  const { status } = await fetch(`${stage.api.origin}/collect`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify({ key, visitor_id: randomUUID(), sent_at: now, events }),
  });
  return status;
}

async function stored(): Promise<Record<string, unknown>> {
  const { rows } = await stage.database.pool.query<Record<string, unknown>>('select * from sites where id = $1', [
    site.id,
  ]);
  return rows[0] ?? {};
}

describe('the tag', () => {
  it('is shown on the page, which also fixes what blocks it', async () => {
    const page = await open();
    await expectVisible(page.getByText('No hit has arrived yet.'));
    await expectVisible(page.getByText(`svc('init','${site.tagKey}')`));
    expect(await view('beta.example')).toBe(403);
    expect(await view('shop.example', `as_${'B'.repeat(24)}`)).toBe(401);
    await expectVisible(page.getByRole('row', { name: /shop\.example as_BBBBB… unknown/ }));
    await page.getByRole('button', { name: 'Allow beta.example' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow beta.example' }).waitFor({ state: 'detached' });
    expect((await stored())['hosts']).toEqual(['shop.example', 'beta.example']);
    expect(await view('beta.example')).toBe(202);
    await expectVisible(page.getByText(/The tag works. Last hit:/));
    await expectVisible(page.getByText('From beta.example'));
  });
});

describe('two hosts', () => {
  it('both stay allowed if they are allowed one after the other', async () => {
    expect([await view('one.example'), await view('two.example')]).toEqual([403, 403]);
    const page = await open();
    const release = await holdRequests(page, `**/sites/${site.id}`, 'PATCH');
    await page.getByRole('button', { name: 'Allow one.example' }).click();
    await page.getByRole('button', { name: 'Allow two.example' }).dispatchEvent('click');
    release();
    await page.getByRole('button', { name: 'Allow one.example' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Allow two.example' }).click();
    await page.getByRole('button', { name: 'Allow two.example' }).waitFor({ state: 'detached' });
    expect((await stored())['hosts']).toEqual(expect.arrayContaining(['one.example', 'two.example']));
  });
});

it('allowing a host does not bring back hosts that others have removed meanwhile', async () => {
  const { pool } = stage.database;
  const other = await createTestSite(pool);
  await updateSite(pool, other.id, { hosts: ['first.example', 'removed.example'] });
  const user = await createTestUser(pool, 'owner', { sites: [other.id] });
  expect(await view('third.example', other.tagKey)).toBe(403);
  const page = await stage.open(`/s/${other.id}/settings`, user);
  await expectVisible(page.getByRole('button', { name: 'Allow third.example' }));
  await updateSite(pool, other.id, { hosts: ['first.example', 'second.example'] });
  await page.getByRole('button', { name: 'Allow third.example' }).click();
  await page.getByRole('button', { name: 'Allow third.example' }).waitFor({ state: 'detached' });
  const { rows } = await pool.query('select hosts from sites where id = $1', [other.id]);
  expect(rows).toEqual([{ hosts: ['first.example', 'second.example', 'third.example'] }]);
});

describe('a key', () => {
  it('of a server is shown once and revoked', async () => {
    const page = await open();
    await button(page, 'New key').click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Shop server');
    await form.getByRole('button', { name: 'New key' }).click();
    await expectVisible(page.getByText(/^ak_[A-Za-z0-9]{40}$/));
    await button(page, 'I have stored it').click();
    await page.getByRole('button', { name: 'Revoke Shop server' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await expectVisible(page.getByRole('row', { name: /Shop server.*Server.*Revoked/ }));
  });
});

describe('the site', () => {
  it('gets other hosts, rates and a time zone, with faults shown at their fields', async () => {
    stage.allow(/Failed to load resource.*422/);
    const page = await open();
    const form = page.getByRole('region', { name: 'Site', exact: true });
    await form.getByLabel('Exchange rates').fill('USD 81,5\neur: none');
    await expectVisible(form.getByText('Each line must be three letters and a number'));
    await form.getByLabel('Exchange rates').fill('USD 81,5\neur: 95');
    await form.getByLabel('Time zone').fill('Europe/Nowhere');
    await form.getByLabel('Currency').fill('E1');
    await form.getByRole('button', { name: 'Save' }).click();
    await expectVisible(form.getByText('There is no such time zone.'));
    await expectVisible(form.getByText('This is not a currency code.'));
    await form.getByLabel('Time zone').fill('Europe/Berlin');
    await form.getByLabel('Currency').fill('gbp');
    await form.getByLabel('Hosts').fill('shop.example\n*.shop.example');
    await form.getByRole('button', { name: 'Save' }).click();
    await expectVisible(form.getByText('Saved.'));
    expect(await stored()).toMatchObject({
      timezone: 'Europe/Berlin',
      currency: 'GBP',
      hosts: ['shop.example', '*.shop.example'],
      rates: { USD: 81.5, EUR: 95 },
    });
  });

  it('stores the switch for recordings at once, and keeps the focus on it', async () => {
    const page = await open();
    await page.getByText('Record sessions').click();
    await expectVisible(page.getByRole('region', { name: 'What is collected' }).getByText('Saved.'));
    await expectTrue(page, `document.activeElement.closest('label')?.textContent === 'Record sessions'`);
    await page.getByText('not running scripts').click();
    await expectVisible(page.getByRole('checkbox', { name: 'Record sessions', checked: true }));
    expect((await stored())['recordings']).toBe(true);
  });

  it('gets a secret that is shown once', async () => {
    const page = await open();
    await button(page, 'Create a secret').click();
    await expectVisible(page.getByText(/^[0-9a-f]{64}$/));
    await button(page, 'I have stored it').click();
    await expectVisible(page.getByText('Set', { exact: true }));
    await button(page, 'Remove').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expectVisible(page.getByText('Not set'));
  });

  it('shows the new secret although another setting is changed while it is being stored', async () => {
    const page = await open();
    await expectVisible(page.getByText('Not set'));
    const release = await holdRequests(page, `**/sites/${site.id}`, 'PATCH');
    await button(page, 'Create a secret').click();
    await page.getByText('Link visitors to users only with proof').click();
    release();
    await expectVisible(page.getByText(/^[0-9a-f]{64}$/));
    await button(page, 'I have stored it').click();
    await expectVisible(page.getByRole('checkbox', { name: /only with proof/, checked: true }));
    await updateSite(stage.database.pool, site.id, { identitySecret: null, requireUserHash: false });
  });

  it('shows two settings that are changed in a row as they are stored, however slow the first answer is', async () => {
    await updateSite(stage.database.pool, site.id, { recordings: false, maskTexts: false });
    const page = await open();
    await expectVisible(page.getByText('Record sessions'));
    const answered = countAnswers(page, 'PATCH');
    const { promise, resolve } = Promise.withResolvers<void>();
    let isFirst = true;
    await page.route(`**/sites/${site.id}`, async (route) => {
      if (route.request().method() !== 'PATCH' || !isFirst) return route.continue();
      isFirst = false;
      const response = await route.fetch();
      await promise;
      await route.fulfill({ response });
    });
    await page.getByText('Record sessions').click();
    await page.getByText('Mask all texts of the pages in recordings').click();
    resolve();
    await answered(2);
    for (const name of ['Record sessions', 'Mask all texts'])
      await expectVisible(page.getByRole('checkbox', { name, checked: true }));
    expect(await stored()).toMatchObject({ recordings: true, mask_texts: true });
  });

  it('gets quotas only from an administrator', async () => {
    const own = await open();
    expect(await own.getByLabel('Hits per day').isDisabled()).toBe(true);
    const page = await open(await createTestUser(stage.database.pool, 'admin'));
    const form = page.getByRole('region', { name: 'Quotas and limits' });
    await form.getByLabel('Hits per day').fill('many');
    await expectVisible(form.getByText('A whole number of 0 or more.'));
    await form.getByLabel('Hits per day').fill('5000');
    await form.getByLabel('Reports at a time').fill('4');
    await form.getByRole('button', { name: 'Save' }).click();
    await expectVisible(form.getByText('Saved.'));
    await expectVisible(page.getByRole('row', { name: 'Hits 0 5,000 0%' }));
  });

  it('can be viewed by a viewer, who is told why changes are not allowed', async () => {
    const page = await open(await createTestUser(stage.database.pool, 'viewer', { sites: [site.id] }));
    await expectVisible(page.getByText('Only owners and administrators can do this.').first());
    const controls = page.locator('main').locator('input, textarea, button:not(:has-text("Copy"))');
    for (const control of await controls.all()) expect(await control.isDisabled()).toBe(true);
  });

  it('is deleted by its owner', async () => {
    const other = await createTestSite(stage.database.pool);
    const page = await stage.open(
      `/s/${other.id}/settings`,
      await createTestUser(stage.database.pool, 'owner', { sites: [other.id] }),
    );
    await button(page, 'Delete the site').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the site' }).click();
    await expectVisible(page.getByRole('button', { name: /Deleted/ }));
  });
});

describe('the input', () => {
  it('is read as lines, rates and numbers', () => {
    expect(fromLines(' a.example, b.example\n\nc.example;')).toEqual(['a.example', 'b.example', 'c.example']);
    expect(fromRateLines('usd: 81,5\n\nEUR=95')).toEqual({ USD: 81.5, EUR: 95 });
    expect(fromRateLines('USD: 5e-7')).toEqual({ USD: 5e-7 });
    expect([fromRateLines('dollar: 1'), fromRateLines('USD: 0'), fromRateLines('')]).toEqual([null, null, {}]);
    expect(fromNumbers({ one: ' 7 ', none: '' })).toEqual({ one: 7, none: null });
    expect(fromNumbers({ one: '1.5' })).toBeNull();
  });
});
