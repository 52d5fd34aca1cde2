/** Reports of a site: chosen, built, saved, downloaded as a file, with hits that went through the real pipeline. */
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createTestUser, type Person } from '../../api/support/people.ts';
import { createTestSite, type TestSite } from '../../api/support/testSite.ts';
import { violationsOf } from '../support/axe.ts';
import { openShop } from '../support/samples/shop.ts';
import { answerRequests, expectAddress, expectVisible, holdRequests, stageCabinet } from '../support/stage.ts';

const stage = stageCabinet({}, { hasReports: true });
let site: TestSite;
let empty: TestSite;
let owner: Person;
let viewer: Person;

beforeAll(async () => {
  const { pool } = stage.database;
  site = await openShop(stage.reports, pool);
  empty = await createTestSite(pool);
  owner = await createTestUser(pool, 'owner', { sites: [site.id, empty.id] });
  viewer = await createTestUser(pool, 'viewer', { sites: [site.id] });
});

const path = (page: string, of = site): string => `/s/${of.id}${page}`;
const row = (page: Page, name: RegExp) => page.getByRole('row', { name });

describe('a new user', () => {
  it('builds a report, saves it, and downloads it as a CSV file', async () => {
    const page = await stage.open(path('/reports'), owner);
    await page.getByRole('link', { name: 'Build a report' }).click();
    await expectVisible(row(page, /^Search/));
    await page.getByRole('button', { name: 'Add groupings' }).click();
    const groupings = page.getByRole('dialog', { name: 'Groupings' });
    await groupings.getByLabel('Search', { exact: true }).fill('device t');
    await groupings.getByText('Device type').click();
    await groupings.getByRole('button', { name: 'Done' }).click();
    await expectVisible(row(page, /^Search Phone/));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Name').fill('My sources');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expectVisible(page.getByRole('heading', { name: 'My sources' }));
    await expectAddress(page, /saved=/);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    const csv = await text(await file.createReadStream());
    expect(csv.split('\r\n')[0]).toContain('Source type,Device type,Visits');
    await expectVisible(page.getByRole('dialog', { name: 'The file is ready' }));
    await page.getByRole('link', { name: 'All exports' }).click();
    await expectVisible(page.getByRole('link', { name: 'Download CSV' }));
    await page.getByRole('link', { name: 'Reports', exact: true }).click();
    await expectVisible(page.getByRole('link', { name: 'My sources' }));
  });
});

it('a row cannot be made a segment until the segment of its report is read, which the new one has to include', async () => {
  const { pool } = stage.database;
  const conditions = { dimension: 'device_type', op: 'eq', values: ['mobile'] };
  const { rows } = await pool.query<{ id: string }>(
    `insert into site_segments (site_id, title, conditions) values ($1, 'Phones', $2) returning id`,
    [site.id, JSON.stringify(conditions)],
  );
  const page = await stage.open('/account', owner);
  const release = await holdRequests(page, '**/segments', 'GET');
  await page.goto(`${stage.url}${path(`/report?segment=${rows[0]?.id}`)}`);
  const make = page.getByRole('menuitem', { name: 'Make it a segment' });
  const open = (): Promise<void> => page.getByRole('button', { name: /^Actions for Search/ }).click();
  await open();
  expect(await make.getAttribute('aria-disabled')).toBe('true');
  await expectVisible(make.getByText('The segment of the report is not known at the moment.'));
  release();
  await make.getByText('The segment of the report').waitFor({ state: 'detached' });
  await make.click();
  await expectVisible(page.getByRole('dialog').getByText('Conditions of this report'));
});

it('codes are shown as words, in rows and in filters', async () => {
  const visit = { at: Date.now() - 60_000, url: 'https://shop.example/' };
  await stage.reports.tell(site.id, randomUUID(), [visit], 'Mozilla/5.0 (compatible; Googlebot/2.1)');
  await stage.reports.settled();
  const page = await stage.open(`${path('/report')}?by=["robot_reason"]&show=["visits"]&robots="only"`, owner);
  await expectVisible(row(page, /^Browser name/));
  const where = JSON.stringify([{ dimension: 'company_type', op: 'eq', values: ['sole_proprietor'] }]);
  const narrowed = await stage.open(`${path('/report')}?by=["source_type"]&show=["visits"]&where=${where}`, owner);
  await expectVisible(narrowed.getByText(/Company type.*Sole proprietor/));
});

describe('the builder', () => {
  it('disables what is incompatible with the rest, and says why', async () => {
    const page = await stage.open(`${path('/report')}?by=["page_path"]&show=["visits"]`, owner);
    await page.getByRole('button', { name: 'Add metrics' }).click();
    const metric = page.getByRole('checkbox', { name: /^Conversions / });
    await expectVisible(page.getByText('“Conversions” cannot be counted by “Page path”.'));
    expect(await metric.isDisabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await page.locator('label', { hasText: 'Unique page views' }).click();
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await expectAddress(page, /unique_pageviews/);
    await page.getByRole('button', { name: 'Remove Visits' }).click();
    await page.getByRole('button', { name: 'Remove Visits' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove Unique page views' }).click();
    await expectVisible(page.getByText('A report needs at least one metric.'));
  });

  it('shows the earlier value of each row, and sorts by any column', async () => {
    const page = await stage.open(`${path('/report')}?compare=previous`, viewer);
    await expectVisible(row(page, /^Search 3 \+200% was 1/));
    await expectVisible(row(page, /^Total 4 \+300% was 1/));
    await page.getByRole('button', { name: 'Sort by Visits' }).click();
    await page.getByRole('button', { name: 'Sort by Visits' }).click();
    await expectAddress(page, /sort=.*asc/);
    await expectVisible(page.locator('tbody tr').first().getByText('Direct'));
  });

  it('narrows down to a selected value, and goes back with the browser', async () => {
    const page = await stage.open(path('/report'), owner);
    await page.getByRole('button', { name: 'Actions for Direct' }).click();
    await page.getByRole('menuitem', { name: 'Only this row' }).click();
    await expectVisible(page.getByRole('button', { name: 'Remove Source type is Direct' }));
    await row(page, /^Search/).waitFor({ state: 'detached' });
    await page.goBack();
    await expectVisible(row(page, /^Search/));
    await page.getByRole('button', { name: 'Add a filter' }).click();
    await page.getByRole('dialog').getByLabel('Search', { exact: true }).fill('page path');
    await page.getByRole('button', { name: /^Page path The/ }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await expectVisible(page.getByText('Enter a value.'));
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: '/cart' }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await expectVisible(page.getByRole('button', { name: 'Change Page path is /cart' }));
    await row(page, /^Direct/).waitFor({ state: 'detached' });
  });

  it('explains each figure and how a script can request it', async () => {
    const page = await stage.open(path('/report'), viewer);
    await page.getByRole('button', { name: 'What “Bounce rate” means' }).click();
    const dialog = page.getByRole('dialog', { name: 'Bounce rate' });
    await expectVisible(dialog.getByText('Bounces divided by visits.'));
    await expectVisible(dialog.getByText('Computed on all visitors.'));
    expect(await violationsOf(page)).toEqual([]);
    expect(await dialog.locator('code').textContent()).toContain(`${stage.api.origin}/analytics/api/v1/reports`);
  });

  it('lets viewers look and export, but not save, and says why', async () => {
    const page = await stage.open(path('/report'), viewer);
    await expectVisible(page.getByText('Only owners and administrators can do this.'));
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Export as XLSX' }).focus();
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(file.suggestedFilename()).toMatch(/^report-.*\.xlsx$/);
  });

  it('explains an address that names something unknown', async () => {
    const page = await stage.open(`${path('/report')}?by=["luck"]&show=["visits"]`, owner);
    await expectVisible(page.getByText('This report cannot be built'));
    await page.getByRole('button', { name: 'Remove luck' }).click();
    await expectVisible(row(page, /^4$/));
    await page.goto(`${stage.url}${path('/report')}?from=2020-01-01&to=2023-01-01`);
    await expectVisible(page.getByText('A report covers at most 25 months.'));
  });

  it('keeps its contents while the server fails, and tries again', async () => {
    stage.allow(/500|Failed to load resource/);
    const page = await stage.open(path('/report'), owner);
    await expectVisible(row(page, /^Search/));
    const stop = await answerRequests(page, '**/reports/batch', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'x' } } }),
    );
    await page.getByRole('button', { name: 'Sort by Visitors' }).click();
    await expectVisible(page.getByRole('alert').getByText('internal'));
    await expectVisible(row(page, /^Search/));
    stop();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });
});

describe('exports', () => {
  it('show the progress of each file, and its link once it is ready', async () => {
    const { pool } = stage.database;
    const report = { dimensions: ['country'], metrics: ['visits'], date_from: '2026-11-01', date_to: '2026-11-20' };
    const of = [empty.id, JSON.stringify(report)];
    await pool.query(
      `insert into report_exports (site_id, state, format, report, error, finished_at) values ($1, 'failed', 'csv', $2, 'timeout', now())`,
      of,
    );
    await pool.query(
      `insert into report_exports (site_id, state, format, report, progress) values ($1, 'running', 'xlsx', $2, 0.4)`,
      of,
    );
    const page = await stage.open(path('/exports', empty), owner);
    await expectVisible(row(page, /Country, Visits XLSX · Nov 1, 2026.*In progress.*40%/));
    await expectVisible(row(page, /Failed The report took too long/));
    expect(await violationsOf(page)).toEqual([]);
    await pool.query(
      `update report_exports set state = 'done', progress = 1, rows = 12000, sampled = true, blob_key = 'exports/x/y/z.xlsx',
              finished_at = now(), expires_at = now() + interval '7 days' where state = 'running'`,
    );
    await expectVisible(row(page, /Ready from a sample 12,000/).getByRole('link', { name: 'Download XLSX' }));
    await page.getByRole('link', { name: 'Country, Visits' }).first().click();
    await expectAddress(page, /report\?.*from=2026-11-01/);
    await expectVisible(page.locator('nav a[aria-current=page]', { hasText: 'Reports' }));
  });
});

describe('saved reports', () => {
  it('are renamed and deleted', async () => {
    const page = await stage.open(`${path('/report', empty)}?by=["country"]&show=["visits"]&period=7d`, owner);
    await expectVisible(page.getByText('Nothing was counted in this period'));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Name').fill('Countries');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Reports' }).first().click();
    await expectVisible(row(page, /Countries Country, Visits Last 7 days/));
    await page.getByRole('button', { name: 'Actions for Countries' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Lands');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Lands' }).click();
    await expectAddress(page, /period=7d/);
    await page.goBack();
    await page.getByRole('button', { name: 'Actions for Lands' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expectVisible(page.getByText('No saved reports yet'));
  });
});
