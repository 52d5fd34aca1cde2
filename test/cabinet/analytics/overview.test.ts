/** The first page of a site, with hits that went through the real pipeline. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { plusDays, todayIn } from '../../../cabinet/src/data/period.ts';
import { createTestUser, type Person } from '../../api/support/people.ts';
import { createTestSite, type TestSite } from '../../api/support/testSite.ts';
import { openShop } from '../support/samples/shop.ts';
import { expectAddress, expectVisible, stageCabinet } from '../support/stage.ts';

const stage = stageCabinet({}, { hasReports: true });
let site: TestSite;
let empty: TestSite;
let viewer: Person;
let shop: TestSite;
let owner: Person;

/** The day of the shop's last visit, even if midnight passes during the tests. */
let today: string;

beforeAll(async () => {
  const { pool } = stage.database;
  today = todayIn('Europe/Moscow');
  site = await openShop(stage.reports, pool);
  empty = await createTestSite(pool);
  viewer = await createTestUser(pool, 'viewer', { sites: [site.id, empty.id] });
  shop = await openShop(stage.reports, pool);
  owner = await createTestUser(pool, 'owner', { sites: [shop.id] });
});

const open = (search = ''): Promise<Page> => stage.open(`/s/${site.id}${search}`, viewer);
const tile = (page: Page, text: RegExp) => page.getByRole('link', { name: text });
const list = (page: Page, name: string) => page.getByRole('list', { name, exact: true });

describe('the first page of a site', () => {
  it('shows its figures and the top of each list', async () => {
    const page = await open();
    await expectVisible(tile(page, /^Visits\s*4$/));
    await expectVisible(tile(page, /^Conversions\s*1$/));
    await expectVisible(tile(page, /^Revenue\s*RUB\s1,500$/));
    await expectVisible(list(page, 'Source').getByText('Google Search'));
    await expectVisible(list(page, 'Page').getByText('/cart'));
    await expectVisible(list(page, 'Country').getByText('Russia'));
    await expectVisible(list(page, 'Device').getByText('Phone'));
    await expectVisible(list(page, 'Goal').getByText('lead'));
  });

  it.each([
    ['?from=2020-01-01&to=2023-01-01', 'A report covers at most 25 months. Choose fewer days.'],
    ['?from=2020-01-01&to=2999-12-31', 'These days are not over yet. Choose earlier ones.'],
  ])('says once why it cannot show %s', async (days, reason) => {
    const page = await open(days);
    await expectVisible(page.getByText(reason));
    expect(await page.getByRole('alert').count()).toBe(0);
    await expectVisible(page.getByLabel('From'));
  });

  it('shows each figure on one line, even the longest duration', async () => {
    const page = await open();
    await expectVisible(tile(page, /^Time on site/));
    expect(page.viewportSize()?.width).toBe(1280);
    const lines = await page.evaluate(`(() => {
      const value = document.querySelector('a[href*="figure=avg_visit_duration"] strong');
      value.textContent = '59 min 59 sec';
      const text = document.createRange();
      text.selectNodeContents(value);
      return text.getClientRects().length;
    })()`);
    expect([lines, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([1, 1280]);
  });

  it('shows the figures of a day to users who move along the chart with the keyboard', async () => {
    const page = await open(`?from=${plusDays(today, -1)}&to=${today}`);
    await tile(page, /^Page views/).focus();
    await page.keyboard.press('Enter');
    await expectAddress(page, /figure=pageviews/);
    await page.getByRole('slider', { name: 'Page views' }).focus();
    await page.keyboard.press('ArrowLeft');
    await expectVisible(page.getByRole('definition').getByText('4', { exact: true }));
  });

  it('is narrowed down by a click on a row, and widened by a click on its filter', async () => {
    const page = await open();
    await list(page, 'Device').getByRole('link', { name: 'Phone' }).click();
    await expectAddress(page, /device_type=mobile/);
    await expectVisible(tile(page, /^Visits\s*2$/));
    await expectVisible(tile(page, /^Bounce rate\s*100%$/));
    await list(page, 'Page').getByText('/cart').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Remove the filter Device: Phone' }).click();
    await expectVisible(tile(page, /^Visits\s*4$/));
  });

  it('takes days that are typed with the keyboard', async () => {
    const page = await open('?from=2026-01-10&to=2026-01-20');
    await page.getByLabel('From').focus();
    await page.keyboard.type('12152025');
    await expectAddress(page, /from=2025-12-15&to=2026-01-20/);
    await page.getByLabel('To', { exact: true }).focus();
    await page.keyboard.type('12312025');
    await expectAddress(page, /from=2025-12-15&to=2025-12-31/);
    expect(await page.getByLabel('From').inputValue()).toBe('2025-12-15');
  });

  it('keeps the selected list in the address', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Browser' }).click();
    await expectAddress(page, /devices=browser/);
    await expectVisible(list(page, 'Browser').getByText('Firefox'));
    await page.reload();
    await expectVisible(list(page, 'Browser').getByText('Firefox'));
  });

  it('compares figures and rows with the period before', async () => {
    const page = await open('?compare=previous');
    await expectVisible(tile(page, /^Visits\s*4\s*\+300% was 1/));
    await expectVisible(list(page, 'Source').getByText('+200% was 1'));
    await expectVisible(list(page, 'Page').getByText('/catalog/'));
  });

  it('says if no hits have come, and if no visit matches', async () => {
    const page = await stage.open(`/s/${empty.id}`, viewer);
    await expectVisible(page.getByText('No visits in this period'));
    await expectVisible(page.getByText('No goal was reached in this period.'));
    await page.goto(`${stage.url}/s/${site.id}?country=KZ`);
    await expectVisible(page.getByText('No visits match the filters'));
  });

  it('shows the error of one report in its card only', async () => {
    const page = await stage.open('/', viewer);
    await page.route('**/reports/batch', async (route) => {
      const { reports } = route.request().postDataJSON() as { reports: { dimensions: string[]; limit: number }[] };
      // Sends a limit that the server refuses, for the sources only.
      const sent = reports.map((report) => (report.dimensions[0] === 'source_name' ? { ...report, limit: 0 } : report));
      await route.continue({ postData: JSON.stringify({ reports: sent }) });
    });
    await page.goto(`${stage.url}/s/${site.id}`);
    await expectVisible(page.getByRole('region', { name: 'Sources' }).getByRole('alert'));
    await expectVisible(tile(page, /^Visits\s*4$/));
    expect(await page.getByRole('alert').count()).toBe(1);
  });

  it('shows money in a new currency as soon as the site has it', async () => {
    const page = await stage.open(`/s/${shop.id}`, owner);
    await expectVisible(tile(page, /^Revenue\s*RUB\s1,500$/));
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    const form = page.getByRole('region', { name: 'Site', exact: true });
    await form.getByLabel('Currency').fill('USD');
    await form.getByLabel('Exchange rates').fill('RUB 0,01');
    await form.getByRole('button', { name: 'Save' }).click();
    await expectVisible(form.getByText('Saved.'));
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await expectVisible(tile(page, /^Revenue\s*\$15$/));
  });

  it('does not exist for users who may not see the site', async () => {
    stage.allow(/Failed to load resource.*404/);
    const page = await stage.open(`/s/${(await createTestSite(stage.database.pool)).id}`, viewer);
    await expectVisible(page.getByText('There is nothing here'));
  });
});
