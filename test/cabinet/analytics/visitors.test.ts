/** The people behind the figures: found, shown with their actions, and deleted. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { visitorsOfRow } from '../../../cabinet/src/data/sites/visitorsOfRow.ts';
import { momentOfDay } from '../../../cabinet/src/data/period.ts';
import { visitorFilterOf } from '../../../cabinet/src/data/sites/visitorFilter.ts';
import { updateSite } from '../../../db/sites/sites.ts';
import { createTestUser, tokenOf, type Person } from '../../api/support/people.ts';
import { clientOf } from '../../api/support/testApi.ts';
import { createTestSite, type TestSite } from '../../api/support/testSite.ts';
import { record, shopSession } from '../support/recorded.ts';
import { openShop } from '../support/samples/shop.ts';
import { expectAddress, expectTrue, expectVisible, stageCabinet } from '../support/stage.ts';

const stage = stageCabinet({}, { hasReports: true });
const SECOND = 1_000;
let site: TestSite;
let owner: Person;
let viewer: Person;
let buyer: string;

beforeAll(async () => {
  const { pool } = stage.database;
  site = await openShop(stage.reports, pool);
  owner = await createTestUser(pool, 'owner', { sites: [site.id] });
  viewer = await createTestUser(pool, 'viewer', { sites: [site.id] });
  buyer = randomUUID();
  const now = Date.now();
  const at = (seconds: number, path: string) => ({ at: now - seconds * SECOND, url: `https://shop.example${path}` });
  await stage.reports.tell(site.id, buyer, [
    { ...at(60, '/lamps'), referrer: 'https://yandex.ru/' },
    { ...at(10, '/cart'), type: 'goal', name: 'lead' },
  ]);
  await stage.reports.settled();
  await updateSite(pool, site.id, { recordings: true });
  // Its goal is at 34 seconds, or a little earlier if the request takes long. The time of the ingest does not matter.
  await record({ origin: stage.api.origin, pool }, site, shopSession(), buyer, now - 4 * SECOND);
  const told = { visitor_id: buyer, gender: 'female', interests: ['sport-football'], price_segment: 'premium' };
  await clientOf(stage.api.analytics, site.key)('POST', '/visitors/attributes', { visitors: [told] });
});

const rows = (page: Page, count: number) =>
  expectTrue(page, `document.querySelectorAll('tbody tr').length === ${count}`);

describe('visitors', () => {
  it('are found by goal and page, and lead to the moment of the goal in the recording', async () => {
    const page = await stage.open(`/s/${site.id}/visitors`, viewer);
    await rows(page, 5);
    await page.getByRole('button', { name: /Goal$/ }).click();
    await page.getByRole('option', { name: 'lead' }).click();
    await expectAddress(page, /goal=lead/);
    await rows(page, 2);
    await page.getByRole('searchbox', { name: 'Part of a page’s address' }).fill('/lamps');
    await page.keyboard.press('Enter');
    await rows(page, 1);
    await page.getByRole('link', { name: buyer.slice(0, 8) }).click();
    await expectVisible(page.getByRole('heading', { name: `Visitor ${buyer.slice(0, 8)}` }));
    await expectVisible(page.getByRole('row', { name: /Search: Yandex.*\/lamps/ }));
    await expectVisible(page.getByRole('row', { name: /Interest.*Football.*The site/ }));
    await expectVisible(page.getByRole('row', { name: /Gender.*Female/ }));
    await expectVisible(page.getByRole('row', { name: /Price segment.*Premium/ }));
    await page.getByRole('link', { name: 'lead' }).click();
    await expectAddress(page, /\/recordings\/.*at=2\d/);
    await expectTrue(page, `/^2\\d$/.test(document.querySelector('input[type=range]')?.value)`);
    await page.getByRole('link', { name: buyer }).click();
    await expectAddress(page, new RegExp(`/visitors/${buyer}`));
  });

  it('are not found if they do not exist', async () => {
    const page = await stage.open(`/s/${site.id}/visitors`, viewer);
    await page.getByRole('searchbox', { name: 'Visitor or user id' }).fill(randomUUID());
    await page.keyboard.press('Enter');
    await expectVisible(page.getByText('No visitors match'));
    await expectVisible(page.getByText('Found by id: the period and the other filters do not apply.'));
    await page.getByRole('button', { name: 'Show all' }).click();
    await rows(page, 5);
  });

  it('are found by the id of a user, even if it has the form of a visitor’s', async () => {
    const user = randomUUID();
    await stage.database.pool.query('update site_visitors set user_id = $3 where site_id = $1 and visitor_id = $2', [
      site.id,
      buyer,
      user,
    ]);
    const page = await stage.open(`/s/${site.id}/visitors?who=${user}`, viewer);
    await rows(page, 1);
    await expectVisible(page.getByRole('link', { name: user }));
    await stage.database.pool.query('update site_visitors set user_id = null where visitor_id = $1', [buyer]);
  });

  it('are linked from a row of a report', async () => {
    const page = await stage.open(`/s/${site.id}/report?by=["source_name"]&where=[]`, viewer);
    await page.getByRole('button', { name: 'Actions for Yandex' }).click();
    await page.getByRole('menuitem', { name: 'Its visitors' }).click();
    await expectAddress(page, /visitors\?.*from_source=Yandex/);
    await rows(page, 1);
    await expectVisible(page.getByRole('link', { name: buyer.slice(0, 8) }));
  });

  it('of a segment are reached through its recordings', async () => {
    const call = clientOf(stage.api.cabinet, await tokenOf(stage.database.pool, owner));
    for (const [title, source] of [
      ['From Yandex', 'Yandex'],
      ['From nowhere', 'Nowhere'],
    ])
      await call('POST', `/sites/${site.id}/segments`, {
        title,
        conditions: { dimension: 'source_name', op: 'eq', values: [source] },
      });
    const page = await stage.open(`/s/${site.id}/segments`, viewer);
    await page.getByRole('button', { name: 'Actions for From nowhere' }).click();
    await page.getByRole('menuitem', { name: 'Its recordings' }).click();
    await expectVisible(page.getByText('No recordings match'));
    await page.getByRole('button', { name: /Segment$/ }).click();
    await page.getByRole('option', { name: 'From Yandex' }).click();
    await rows(page, 1);
    await page.locator('tbody a').click();
    await expectVisible(page.getByRole('link', { name: buyer }));
  });

  it('are replaced by a message if there are none, and by an alert after an error', async () => {
    stage.allow(/Failed to load resource.*500/);
    const empty = await createTestSite(stage.database.pool);
    const person = await createTestUser(stage.database.pool, 'viewer', { sites: [empty.id] });
    const page = await stage.open(`/s/${empty.id}/visitors`, person);
    await expectVisible(page.getByText('No visitors in this period'));
    await page.route('**/visitors?*', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal_error', message: 'x', request_id: 'r-1' } } }),
    );
    await page.reload();
    await expectVisible(page.getByRole('alert'));
  });
});

describe('a visitor', () => {
  it('shows what an order cost, to the cent', async () => {
    await stage.database.pool.query(
      `insert into site_orders (site_id, transaction_id, status, origin, visitor_id, occurred_at, currency, revenue, attribution, shard)
       values ($1, 'cheap', 'purchased', 'api', $2, now(), 'EUR', 0.49, 'none', 0)`,
      [site.id, buyer],
    );
    const page = await stage.open(`/s/${site.id}/visitors/${buyer}`, viewer);
    await expectVisible(page.getByText('Purchase: €0.49'));
  });

  it('is deleted by an owner, with only the keyboard, and the page says so', async () => {
    const page = await stage.open(`/s/${site.id}/visitors/${buyer}`, owner);
    await page.getByRole('button', { name: 'Delete the visitor' }).focus();
    await page.keyboard.press('Enter');
    await expectVisible(page.getByText(/page views, visits, goals, orders/));
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the visitor' }).focus();
    await page.keyboard.press('Enter');
    await expectVisible(page.getByText('This visitor is being deleted'));
    expect(await page.getByRole('button', { name: 'Delete the visitor' }).isDisabled()).toBe(true);
  });

  it('cannot be deleted by a viewer, who is told why', async () => {
    const page = await stage.open(`/s/${site.id}/visitors/${buyer}`, viewer);
    await expectVisible(page.getByText('Only owners and administrators can do this.'));
    expect(await page.getByRole('button', { name: 'Delete the visitor' }).isDisabled()).toBe(true);
  });
});

describe('the address', () => {
  it('keeps valid parts', () => {
    expect(visitorFilterOf({ who: 42, goal: '', source: 'nonsense', page: '/a', period: '7d' })).toMatchObject({
      who: '42',
      goal: undefined,
      source: undefined,
      page: '/a',
      period: '7d',
    });
  });

  it("asks for days in the site's time zone", () => {
    expect(momentOfDay('2026-11-20', 'Europe/Moscow')).toBe('2026-11-19T21:00:00.000Z');
    expect(momentOfDay('2026-03-08', 'America/New_York')).toBe('2026-03-08T05:00:00.000Z');
    expect(momentOfDay('2026-03-09', 'America/New_York')).toBe('2026-03-09T04:00:00.000Z');
  });
});

describe('a row of a report', () => {
  const is = (dimension: string, value: string) => ({ dimension, op: 'eq' as const, values: [value] });
  it('links to its visitors if the list can show them', () => {
    expect(visitorsOfRow([is('source_type', 'ad'), is('date', '2026-11-20')], {}, { period: '7d' })).toEqual({
      source: 'ad',
      period: undefined,
      from: '2026-11-20',
      to: '2026-11-20',
    });
    expect(visitorsOfRow([is('goal', 'lead')], {}, { period: '7d' })).toMatchObject({ goal: 'lead', period: '7d' });
  });

  it.each([
    [[is('browser', 'Firefox')], {}],
    [[is('goal', 'lead'), is('goal', 'order')], {}],
    [[is('goal', 'lead')], { segment: 'x' }],
    [[is('source_type', 'ad')], { attribution: 'first' as const }],
    [[is('source_type', 'ad')], { robots: 'only' as const }],
    [[{ ...is('source_name', 'x'), op: 'contains' as const }], {}],
  ])('does not link to its visitors if the list cannot: %j %j', (conditions, state) => {
    expect(visitorsOfRow(conditions, state, {})).toBeNull();
  });
});
