/** Maps of a page and the recorded visits of a segment, from hits that went through the real pipeline. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { visitorBucket, VISITOR_BUCKETS } from '../../../domain/reports/visitorSample.ts';
import { mapClicks, mapScrolls } from '../../../reports/run/pageMaps.ts';
import { recordedVisits } from '../../../reports/run/recordedVisits.ts';
import type { Segment } from '../../../reports/reportRequest.ts';
import { createTestSite, type TestSite } from '../../api/support/testSite.ts';
import { isInLake } from '../../loops/ingest/support/inbox.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestIngest } from '../../support/lake/ingest.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';
import { tellSite, type Told } from '../support/tell.ts';

const PAGE = 'https://shop.example/catalogue';
const [NOON, MINUTE] = [Date.UTC(2026, 2, 10, 12), 60_000];
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const ROBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const OPTIONS = { language: 'en', sampled: false, lateEventHours: 24, audienceMinPeople: 1 } as const;
/** Returns a new visitor inside or outside the sampled tenth. */
function visitor(isInSample: boolean): string {
  for (;;) {
    const id = randomUUID();
    if (visitorBucket(id) < VISITOR_BUCKETS / 10 === isInSample) return id;
  }
}
const [BUYER, READER, CRAWLER] = [visitor(false), visitor(true), visitor(true)];

let database: TestDatabase;
let lake: TestLake;
let site: TestSite;
let other: TestSite;

/** Returns a click on the page. */
const click = (minutes: number, selector: string | null, place: [number, number] | null = null): Told => ({
  at: NOON + minutes * MINUTE,
  type: 'click',
  url: `${PAGE}?utm_source=mail`,
  ...(selector !== null && { selector }),
  ...(place && { x: 1, y: 1, element_x: place[0], element_y: place[1] }),
});
const view = (minutes: number, url = PAGE): Told => ({ at: NOON + minutes * MINUTE, url });
const scroll = (minutes: number, depth: number): Told => ({
  at: NOON + minutes * MINUTE,
  type: 'scroll',
  url: PAGE,
  depth,
});

beforeAll(async () => {
  database = await createTestDatabase();
  lake = await openTestLake(database.url);
  [site, other] = [await createTestSite(database.pool), await createTestSite(database.pool)];
  const ingest = await startTestIngest(database.url, lake.settings, { lakeCommitMs: 100 });
  const tell = (siteId: string, visitor: string, told: Told[], agent?: string): Promise<void> =>
    tellSite(database.pool, siteId, visitor, told, agent);
  await tell(site.id, BUYER, [
    view(0),
    click(1, '#buy', [0, 0]),
    click(2, '#buy', [0.05, 0.09]),
    click(3, '#buy', [1, 1]),
    click(4, '#menu>a'),
    click(5, null),
    scroll(6, 40),
    view(7, 'https://shop.example/cart'),
    { ...click(8, '#elsewhere'), url: 'https://shop.example/cart' },
  ]);
  await tell(
    site.id,
    READER,
    [view(0, `${PAGE}/`), { ...scroll(1, 90), url: `${PAGE}/` }, view(2), click(3, '#buy', [0.5, 0.5])],
    PHONE,
  );
  await tell(site.id, CRAWLER, [view(0), click(1, '#buy', [0, 0])], ROBOT);
  await tell(other.id, BUYER, [view(0), click(1, '#foreign', [0, 0])]);
  await eventually(() => isInLake(database.pool), 'all that was told');
  await ingest.close();
});
afterAll(async () => {
  await lake?.close();
  await database?.drop();
});

const siteOf = ({ id }: TestSite) => ({
  siteId: id,
  timezone: 'Europe/Moscow',
  currency: 'RUB',
  rates: {},
  goals: [],
});
const DAYS = { date_from: '2026-03-10', date_to: '2026-03-10' };
const onPhones: Segment = {
  scope: 'visit',
  condition: { dimension: 'device_type', op: 'eq', values: ['mobile'] },
};
const clicks = (asked: object = {}, options: object = {}) =>
  mapClicks(lake.lake, { ...DAYS, page: PAGE, device: null, segment: null, ...asked }, siteOf(site), {
    ...OPTIONS,
    ...options,
  });
const scrolls = (asked: object = {}) =>
  mapScrolls(lake.lake, { ...DAYS, page: PAGE, device: null, segment: null, ...asked }, siteOf(site), OPTIONS);

describe('the clicks of a page', () => {
  it('are those on its elements and their positions, without robots and other pages', async () => {
    expect(await clicks()).toEqual({
      views: 3,
      clicks: 6,
      elements: [
        {
          selector: '#buy',
          clicks: 4,
          cells: [
            { x: 0, y: 0, clicks: 2 },
            { x: 5, y: 5, clicks: 1 },
            { x: 9, y: 9, clicks: 1 },
          ],
        },
        { selector: '#menu>a', clicks: 1, cells: [] },
      ],
      sampled: false,
    });
  });

  it('can be limited to the visits of a segment, the days and the page', async () => {
    expect(await clicks({ segment: onPhones })).toMatchObject({ views: 2, clicks: 1 });
    expect(await clicks({ device: 'desktop' })).toMatchObject({ views: 1, clicks: 5 });
    expect(await clicks({ page: `${PAGE}/` })).toMatchObject({ views: 3, clicks: 6 });
    expect(await clicks({ page: 'https://shop.example/cart' })).toMatchObject({ views: 1, clicks: 1 });
    const nothing = { views: 0, clicks: 0, elements: [], sampled: false };
    expect(await clicks({ date_from: '2026-03-11', date_to: '2026-03-12' })).toEqual(nothing);
    expect(await clicks({ page: 'https://shop.example/nowhere' })).toEqual(nothing);
  });

  it('of fewer people than the minimum are not shown', async () => {
    const segment: Segment = {
      scope: 'visit',
      condition: { dimension: 'gender', op: 'neq', values: ['male'] },
    };
    expect(await clicks({ segment }, { audienceMinPeople: 2 })).toMatchObject({ clicks: 6 });
    expect(await clicks({ segment }, { audienceMinPeople: 3 })).toMatchObject({ clicks: 0, elements: [] });
  });

  it('of a sample count tenfold', async () => {
    expect(await clicks({}, { sampled: true })).toEqual({
      views: 20,
      clicks: 10,
      elements: [{ selector: '#buy', clicks: 10, cells: [{ x: 5, y: 5, clicks: 10 }] }],
      sampled: true,
    });
  });
});

describe('the scrolls of a page', () => {
  it('are the depth of each page view, and zero for one that was not scrolled', async () => {
    // 40, 90 and 0 percent.
    expect(await scrolls()).toEqual({
      views: 3,
      reached: [3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 0],
      averageDepth: 130 / 3,
      sampled: false,
    });
    expect(await scrolls({ page: 'https://shop.example/nowhere' })).toEqual({
      views: 0,
      reached: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      averageDepth: 0,
      sampled: false,
    });
  });
});

describe('the recorded visits of a segment', () => {
  it('are those that match it and whose visitors were recorded', async () => {
    const asked = (segment: Segment) => recordedVisits(lake.lake, { ...DAYS, segment }, siteOf(site), OPTIONS);
    const anything: Segment = { scope: 'visit', condition: { metric: 'pageviews', op: 'gte', value: 1 } };
    expect(await asked(anything)).toEqual({ visits: [], sampled: false });
    await database.pool.query(
      `insert into site_recordings (site_id, recording_id, visitor_id, day, created_at) select $1, gen_random_uuid(), v, '2026-03-10', to_timestamp($3) from unnest($2::uuid[]) v`,
      [site.id, [READER, CRAWLER], NOON / 1000],
    );
    const { rows } = await database.pool.query<{ visit_id: string }>(
      'select visit_id from site_visits where site_id = $1 and visitor_id = $2',
      [site.id, READER],
    );
    const ids = rows.map(({ visit_id: id }) => id);
    expect(ids).toHaveLength(1);
    expect((await asked(anything)).visits).toEqual(ids);
    expect((await asked(onPhones)).visits).toEqual(ids);
    const byGoal: Segment = { scope: 'visit', condition: { metric: 'conversions', op: 'gt', value: 0 } };
    expect((await asked(byGoal)).visits).toEqual([]);
  });
});
