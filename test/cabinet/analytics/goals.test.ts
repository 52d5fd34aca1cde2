/** Goals of a site: tried on hits that went through the real pipeline, saved, viewed and deleted. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createTestUser, type Person } from '../../api/support/people.ts';
import type { TestSite } from '../../api/support/testSite.ts';
import { violationsOf } from '../support/axe.ts';
import { openShop } from '../support/samples/shop.ts';
import { answerRequests, expectAddress, expectVisible, readAnew, stageCabinet } from '../support/stage.ts';

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

const open = (path: string, person = owner): Promise<Page> => stage.open(`/s/${site.id}${path}`, person);
const row = (page: Page, name: RegExp) => page.getByRole('row', { name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('a goal', () => {
  it('is tried, refused with faults at its fields, and saved', async () => {
    stage.allow(/Failed to load resource.*422/);
    const page = await open('/goals');
    await expectVisible(row(page, /^lead.*svc\('goal', 'lead'\).* 1 On/));
    await button(page, 'New goal').click();
    await button(page, 'Save').click();
    await expectVisible(page.getByText('This field is required.').nth(2));
    await page.getByLabel('Code', { exact: true }).fill('Cart');
    await expectVisible(page.getByText('Lower-case letters, digits, _ and -, at most 64.'));
    await page.getByLabel('Name', { exact: true }).fill('Into the cart');
    await page.getByLabel('Code', { exact: true }).fill('lead');
    await expectVisible(page.getByText('Another goal of this site has this code.'));
    await page.getByLabel('Code', { exact: true }).fill('cart');

    await page.getByRole('button', { name: /Its address$/ }).click();
    await page.getByRole('option', { name: 'matches the pattern' }).click();
    await page.getByLabel('Address', { exact: true }).fill('/cart(');
    await button(page, 'Try it').click();
    await expectVisible(page.getByText('This pattern is not valid RE2'));
    await page.getByRole('button', { name: /Its address$/ }).click();
    await page.getByRole('option', { name: 'is', exact: true }).click();
    await page.getByRole('button', { name: '/cart', exact: true }).click();
    await button(page, 'Try it').click();
    await expectVisible(page.getByText('1 (20%)'));
    await expectVisible(page.getByRole('list').getByText('https://shop.example/cart'));
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('Value, RUB').fill('99,5');
    await expectVisible(page.getByText('1 (20%)'));
    await button(page, 'Save').click();

    await expectVisible(row(page, /^Into the cart cart the address \/cart 99\.5 0 On/));
    const { rows } = await stage.database.pool.query("select * from site_goals where code = 'cart'");
    expect(rows).toMatchObject([
      { title: 'Into the cart', type: 'url', match: { op: 'eq', value: '/cart' }, value: '99.5', enabled: true },
    ]);
  });

  it('leads to its report and its visitors', async () => {
    const page = await open('/goals', viewer);
    await page.getByRole('link', { name: 'Report: which sources lead to lead' }).click();
    await expectVisible(row(page, /^Search Google 3 1/));
    await page.goBack();
    await page.getByRole('link', { name: 'Visitors who reached lead' }).click();
    await expectAddress(page, /visitors\?goal=lead/);
    await expectVisible(row(page, /Google/));
  });

  it('is turned off, opened, and deleted', async () => {
    const { pool } = stage.database;
    await pool.query("insert into site_goals (site_id, code, title, type) values ($1, 'old', 'Old one', 'form')", [
      site.id,
    ]);
    const page = await open('/goals');
    const choose = async (action: string): Promise<void> => {
      await button(page, 'Actions for Old one').click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await choose('Turn off');
    await expectVisible(row(page, /^Old one old any form none 0 Off/));
    await choose('Edit');
    await expectVisible(page.getByRole('heading', { name: 'Old one' }));
    expect(await page.getByLabel('Code', { exact: true }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'All goals' }).click();
    await choose('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row(page, /^Old one/).waitFor({ state: 'detached' });
  });

  it('disappears if somebody else has deleted it', async () => {
    stage.allow(/Failed to load resource.*404/);
    const { pool } = stage.database;
    await pool.query("insert into site_goals (site_id, code, title, type) values ($1, 'gone', 'Gone', 'form')", [
      site.id,
    ]);
    const page = await open('/goals');
    await button(page, 'Actions for Gone').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await pool.query("delete from site_goals where site_id = $1 and code = 'gone'", [site.id]);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expectVisible(page.getByRole('dialog').getByRole('alert'));
    await page.locator('tr', { hasText: 'Gone' }).waitFor({ state: 'detached' });
  });

  it('keeps what is entered if somebody else deletes it', async () => {
    const { pool } = stage.database;
    await pool.query("insert into site_goals (site_id, code, title, type) values ($1, 'mine', 'Mine', 'form')", [
      site.id,
    ]);
    const page = await open('/goal?code=mine');
    await page.getByLabel('Name', { exact: true }).fill('Entered');
    await pool.query("delete from site_goals where site_id = $1 and code = 'mine'", [site.id]);
    await readAnew(page, `/sites/${site.id}/goals`);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Entered');
    await button(page, 'Save').click();
    await expectVisible(row(page, /^Entered mine/));
  });

  it('keeps what others have changed when it is turned off', async () => {
    const { pool } = stage.database;
    await pool.query("insert into site_goals (site_id, code, title, type) values ($1, 'call', 'Call', 'form')", [
      site.id,
    ]);
    const page = await open('/goals');
    await expectVisible(row(page, /^Call call/));
    await pool.query("update site_goals set title = 'Phone call' where site_id = $1 and code = 'call'", [site.id]);
    await button(page, 'Actions for Call').click();
    await page.getByRole('menuitem', { name: 'Turn off' }).click();
    await expectVisible(row(page, /^Phone call call any form none 0 Off/));
  });

  it('is not shown as it was before if it cannot be read anew', async () => {
    stage.allow(/Failed to load resource.*500/);
    const { pool } = stage.database;
    await pool.query("insert into site_goals (site_id, code, title, type) values ($1, 'visit', 'Visit', 'form')", [
      site.id,
    ]);
    const page = await open('/goals');
    await expectVisible(row(page, /^Visit visit/));
    const stop = await answerRequests(page, '**/goals', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'x' } } }),
    );
    await button(page, 'Actions for Visit').click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await expectVisible(page.getByRole('alert'));
    expect(await page.getByLabel('Name', { exact: true }).count()).toBe(0);
    stop();
    await pool.query("update site_goals set title = 'Walk in' where site_id = $1 and code = 'visit'", [site.id]);
    await button(page, 'Try again').click();
    await expectVisible(page.getByLabel('Name', { exact: true }));
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Walk in');
  });

  it('has its new name in reports as soon as it is saved', async () => {
    const page = await open('');
    const goals = page.getByRole('list', { name: 'Goal', exact: true });
    await expectVisible(goals.getByText('lead'));
    await page.getByRole('link', { name: 'Goals', exact: true }).click();
    await button(page, 'Actions for lead').click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByLabel('Name', { exact: true }).fill('An enquiry');
    await button(page, 'Save').click();
    await expectVisible(row(page, /^An enquiry lead/));
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await expectVisible(goals.getByText('An enquiry'));
    await stage.database.pool.query("update site_goals set title = 'lead' where site_id = $1 and code = 'lead'", [
      site.id,
    ]);
  });

  it('can be viewed by a viewer, who is told why changes are not allowed', async () => {
    const page = await open('/goal?code=lead', viewer);
    await expectVisible(page.getByText(`svc('goal', 'lead', {value: 500})`));
    await expectVisible(page.getByText('Only owners and administrators can do this.'));
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    await page.goto(`${stage.url}/s/${site.id}/goal?code=nothing`);
    await expectVisible(page.getByText('This goal does not exist.'));
  });
});
