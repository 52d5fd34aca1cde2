/** Segments of a site: built by hand or from a row of a report, and used in reports that are downloaded. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createTestUser, type Person } from '../../api/support/people.ts';
import type { TestSite } from '../../api/support/testSite.ts';
import { violationsOf } from '../support/axe.ts';
import { openShop } from '../support/samples/shop.ts';
import { expectAddress, expectVisible, holdRequests, readAnew, stageCabinet } from '../support/stage.ts';

const stage = stageCabinet({}, { hasReports: true });
let site: TestSite;
let owner: Person;
let viewer: Person;

beforeAll(async () => {
  const { pool } = stage.database;
  site = await openShop(stage.reports, pool);
  owner = await createTestUser(pool, 'owner', { sites: [site.id] });
  viewer = await createTestUser(pool, 'viewer', { sites: [site.id] });
});

const path = (page: string): string => `/s/${site.id}${page}`;
const row = (page: Page, name: RegExp) => page.getByRole('row', { name });
const size = (page: Page) => page.getByRole('region', { name: 'How many match' });

async function store(title: string, conditions: object): Promise<void> {
  await stage.database.pool.query('insert into site_segments (site_id, title, conditions) values ($1, $2, $3)', [
    site.id,
    title,
    JSON.stringify(conditions),
  ]);
}

/** Adds the condition that a dimension has a value to the named group. */
async function addCondition(page: Page, group: string, dimension: RegExp, value: string): Promise<void> {
  const within = page.getByRole('group', { name: group, exact: true });
  await within.getByRole('button', { name: '+ Condition', exact: true }).last().click();
  await page.getByRole('dialog').getByRole('button', { name: dimension }).click();
  await page.getByRole('dialog').getByLabel('Value').fill(value);
  await page.getByRole('button', { name: 'Apply' }).click();
}

describe('a segment', () => {
  it('is built of nested conditions, and shows how many match', async () => {
    const page = await stage.open(path('/segments'), owner);
    await expectVisible(page.getByText('No segments yet'));
    await page.getByRole('button', { name: 'New segment' }).click();
    await expectVisible(size(page).getByText('It is counted as soon as'));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expectVisible(page.getByText('Add a condition.'));
    await page.getByLabel('Name').fill('Phones that did not buy');
    await addCondition(page, 'Conditions', /^Device type/, 'mobile');
    await expectVisible(size(page).getByText('50% of all').first());
    await page.getByRole('button', { name: '+ Group' }).click();
    await expectVisible(size(page).getByText('It is counted as soon as'));
    await addCondition(page, 'Group 2', /^Page path The address/, '/cart');
    await page.getByRole('group', { name: 'Group 2' }).getByRole('button', { name: '+ Condition on a figure' }).click();
    await page.getByLabel('Number').fill('many');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expectVisible(page.getByText('Enter a number.'));
    await page.getByLabel('Number').fill('5');
    await page.getByRole('button', { name: 'Any of these' }).click();
    await page.getByRole('option', { name: 'None of these' }).click();
    await expectVisible(size(page).getByText('2', { exact: true }).first());
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expectVisible(row(page, /Phones that did not buy 3 conditions · selects visits/));
    const { rows } = await stage.database.pool.query('select conditions from site_segments');
    expect(rows).toEqual([
      {
        conditions: {
          all: [
            { dimension: 'device_type', op: 'eq', values: ['mobile'] },
            {
              not: {
                any: [
                  { dimension: 'page_path', op: 'eq', values: ['/cart'] },
                  { metric: 'pageviews', op: 'gte', value: 5 },
                ],
              },
            },
          ],
        },
      },
    ]);
  });

  it('is created once if it is saved again before the answer', async () => {
    const page = await stage.open(path('/segments/new'), owner);
    const release = await holdRequests(page, '**/segments', 'POST');
    await page.getByLabel('Name').fill('Saved twice');
    await addCondition(page, 'Conditions', /^Device type/, 'mobile');
    const save = page.getByRole('button', { name: 'Save and build a report' });
    await save.click();
    await save.dispatchEvent('click');
    await page.getByLabel('Name').press('Enter');
    release();
    await expectAddress(page, /\/report\?/);
    await page.waitForLoadState('networkidle');
    const { rows } = await stage.database.pool.query(`select 1 from site_segments where title = 'Saved twice'`);
    await stage.database.pool.query(`delete from site_segments where title = 'Saved twice'`);
    expect(rows.length).toBe(1);
  });

  it('is opened, changed and deleted', async () => {
    await store('From a script', { scope: 'visitor', metric: 'orders', op: 'gt', value: 0 });
    const page = await stage.open(path('/segments'), owner);
    await page.getByRole('link', { name: 'From a script' }).click();
    await expectVisible(size(page).getByText('1', { exact: true }).first());
    await page.getByLabel('Number').fill('1');
    await expectVisible(size(page).getByText('0', { exact: true }).first());
    await page.getByLabel('Name').fill('Loyal buyers');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expectVisible(row(page, /Loyal buyers 1 condition · selects visitors/));
    await page.getByRole('button', { name: 'Actions for Loyal buyers' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row(page, /Loyal buyers/).waitFor({ state: 'detached' });
  });

  it('leaves the list if somebody else deletes it, but keeps what is entered in its form', async () => {
    stage.allow(/Failed to load resource.*404/);
    const { pool } = stage.database;
    for (const title of ['Listed', 'Opened']) await store(title, { metric: 'orders', op: 'gt', value: 0 });
    const page = await stage.open(path('/segments'), owner);
    const entry = (title: string) => page.locator('tr', { hasText: title });
    await page.getByRole('button', { name: 'Actions for Listed' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await pool.query("delete from site_segments where site_id = $1 and title = 'Listed'", [site.id]);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expectVisible(page.getByRole('dialog').getByRole('alert'));
    await entry('Listed').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Opened' }).click();
    await page.getByLabel('Name').fill('Entered');
    await pool.query("delete from site_segments where site_id = $1 and title = 'Opened'", [site.id]);
    await readAnew(page, `/sites/${site.id}/segments`);
    expect(await page.getByLabel('Name').inputValue()).toBe('Entered');
  });

  it('becomes a report and a file in three steps, with only the keyboard', async () => {
    await store('Phones', { dimension: 'device_type', op: 'eq', values: ['mobile'] });
    const page = await stage.open(path('/segments'), viewer);
    await row(page, /Phones 1/)
      .getByRole('link', { name: 'Build a report' })
      .focus();
    await page.keyboard.press('Enter');
    await expectVisible(row(page, /^Total 2/));
    await page.getByRole('button', { name: 'Export as CSV' }).focus();
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
  });

  it('is made from a row of a report, which then uses that segment', async () => {
    const page = await stage.open(`${path('/report')}?by=["source_type"]&show=["visits"]`, owner);
    await page.getByRole('button', { name: 'Actions for Search' }).click();
    await page.getByRole('menuitem', { name: 'Make it a segment' }).click();
    await expectVisible(page.getByRole('dialog').getByText('Source type is Search'));
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expectAddress(page, /segment=/);
    await expectVisible(row(page, /^Total 3$/));
    await expectVisible(page.getByRole('button', { name: /Search.*Segment/ }));
  });

  it('can be viewed but not changed by a viewer; a missing one is reported as missing', async () => {
    const page = await stage.open(path('/segments/new'), viewer);
    await expectVisible(page.getByText('Only owners and administrators can do this.'));
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await page.goto(`${stage.url}${path('/segments/019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11')}`);
    await expectVisible(page.getByText('This segment does not exist.'));
  });
});
