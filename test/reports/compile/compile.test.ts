/** Properties of a request other than its identifiers. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWorld, type Result, type World } from './world.ts';
import { conversionRow, DIRECT, hitRow, orderLineRow, orderRow, visitRow } from '../../support/lake/lake.ts';

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const [ANNA, BORIS] = [uuid(1), uuid(2)] as const;
const at = (day: number, hour = 12): number => Date.UTC(2026, 2, day, hour);
const page = (path: string): { page_path: string; page_url: string } => ({
  page_path: path,
  page_url: `https://shop.example${path}`,
});

const FIRST = visitRow({ visit_id: uuid(11), visitor_id: ANNA, started_at: at(2), country: 'RU', visit_number: 1 });
const SECOND = visitRow({
  visit_id: uuid(12),
  visitor_id: ANNA,
  started_at: at(3),
  country: 'DE',
  visit_number: 2,
  source_first: { ...DIRECT, source_type: 'ad' },
});
const OTHER = visitRow({
  visit_id: uuid(13),
  visitor_id: BORIS,
  started_at: at(3),
  visitor_bucket: 5000,
  country: null,
});
const ROBOT = visitRow({ visit_id: uuid(14), visitor_id: uuid(3), started_at: at(4), is_robot: true, country: 'US' });
const EARLIER = visitRow({
  visit_id: uuid(15),
  visitor_id: BORIS,
  started_at: Date.UTC(2026, 1, 1),
  visitor_bucket: 5000,
  country: 'FR',
});
const of = ({ visit_id, visitor_id, visitor_bucket, started_at }: typeof FIRST): object => ({
  visit_id,
  visitor_id,
  visitor_bucket,
  user_id: null,
  visit_started_at: started_at,
});

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.put({
    visits: [FIRST, SECOND, OTHER, ROBOT, EARLIER],
    hits: [
      ...['/a', '/a', '/b'].map((path) => hitRow({ ...of(FIRST), ...page(path), at: at(2) })),
      hitRow({ ...of(SECOND), ...page('/a'), at: at(3) }),
      hitRow({ ...of(OTHER), ...page('/b'), at: at(3) }),
      hitRow({ ...of(ROBOT), ...page('/a'), at: at(4) }),
    ],
    conversions: [
      conversionRow({ ...of(FIRST), goal: 'lead', at: at(5) }),
      conversionRow({ ...of(FIRST), goal: 'lead', at: at(6) }),
      conversionRow({ ...of(FIRST), goal: 'call', at: at(6) }),
      // One in the period whose visit is before it, and one after the period whose visit is in it.
      conversionRow({ ...of(EARLIER), goal: 'call', at: at(7) }),
      conversionRow({ ...of(OTHER), goal: 'lead', at: Date.UTC(2026, 3, 20) }),
      conversionRow({ ...of(ROBOT), goal: 'lead', at: at(8) }),
      conversionRow({ visitor_id: null, visit_id: null, user_id: 'carla', goal: 'lead', at: at(8) }),
    ],
    orders: [
      orderRow({ ...of(FIRST), transaction_id: 't1', revenue: 10, at: at(2) }),
      orderRow({ ...of(SECOND), transaction_id: 't2', revenue: 5, currency: 'EUR', at: at(3) }),
    ],
    order_lines: [
      orderLineRow({ ...of(FIRST), transaction_id: 't1', line: 1, product_id: 'p1', at: at(2) }),
      orderLineRow({ ...of(FIRST), transaction_id: 't1', line: 2, product_id: 'p2', at: at(2) }),
      orderLineRow({ ...of(SECOND), transaction_id: 't2', product_id: 'p1', currency: 'EUR', at: at(3) }),
    ],
  });
});
afterAll(async () => world?.close());

const byLabel = ({ rows }: Result): Record<string, number[]> =>
  Object.fromEntries(rows.map(([labels, metrics]) => [labels.join('|'), metrics]));

describe('rows', () => {
  // proves: report/sort
  // proves: report-rules/ties
  it('are ordered by the first metric descending, ties by the dimensions, unknown ones last in either direction', async () => {
    expect((await world.report({ dimensions: ['country'] })).rows).toEqual([
      [['DE'], [1]],
      [['RU'], [1]],
      [[null], [1]],
    ]);
    const sort = (dir: 'asc' | 'desc'): Promise<Result> =>
      world.report({ dimensions: ['country'], sort: [{ field: 'country', dir }] });
    expect((await sort('asc')).rows.map(([labels]) => labels[0])).toEqual(['DE', 'RU', null]);
    expect((await sort('desc')).rows.map(([labels]) => labels[0])).toEqual(['RU', 'DE', null]);
  });

  // proves: report/sort
  it('are ordered by the first time dimension ascending if there is one', async () => {
    expect((await world.report({ dimensions: ['country', 'date'] })).rows.map(([labels]) => labels.join(' '))).toEqual([
      'RU 2026-03-02',
      'DE 2026-03-03',
      ' 2026-03-03',
    ]);
  });

  it('come as a page, with the total and the number of all rows', async () => {
    expect(await world.report({ dimensions: ['country'], limit: 1, offset: 1 })).toEqual({
      rows: [[['RU'], [1]]],
      totals: [3],
      rowCount: 3,
      isRateMissing: false,
    });
    expect(await world.report({ dimensions: ['country'], offset: 9 })).toMatchObject({
      rows: [],
      totals: [3],
      rowCount: 3,
    });
  });

  // proves: report-rules/zero
  it('do not exist for a period without visits, whose totals are zero', async () => {
    const empty = {
      date_from: '2025-01-01',
      date_to: '2025-01-31',
      metrics: ['visits', 'visitors', 'bounce_rate', 'revenue', 'conversions'],
    };
    expect(await world.report({ ...empty })).toEqual({
      rows: [],
      totals: [0, 0, 0, 0, 0],
      rowCount: 0,
      isRateMissing: false,
    });
    expect((await world.report({ ...empty, dimensions: ['country'] })).rows).toEqual([]);
  });
});

describe('levels', () => {
  // proves: report-dimensions/pages-of-visits
  it('count a visit once for a page, and once in the total', async () => {
    const report = await world.report({ dimensions: ['page_path'], metrics: ['visits', 'visitors', 'pageviews'] });
    expect(byLabel(report)).toEqual({ '/a': [2, 1, 3], '/b': [2, 2, 2] });
    expect(report.totals).toEqual([3, 2, 5]);
  });

  // proves: decisions-analytics/period-facts, decisions-analytics/period-visits, report-dimensions/other-levels
  it('count conversions at their own time, with the country of a visit before the period', async () => {
    const report = await world.report({ dimensions: ['country'], metrics: ['visits', 'conversions'] });
    expect(byLabel(report)).toEqual({ DE: [1, 0], RU: [1, 3], '': [1, 1], FR: [0, 1] });
    expect((await world.report({ dimensions: ['date'], metrics: ['conversions'] })).rows).toEqual([
      [['2026-03-05'], [1]],
      [['2026-03-06'], [2]],
      [['2026-03-07'], [1]],
      [['2026-03-08'], [1]],
    ]);
  });

  // proves: decisions-analytics/rates, report-dimensions/facts-of-visits
  it('compute rates over the visits of the period: over all of them if goals are a dimension or a filter', async () => {
    expect(byLabel(await world.report({ dimensions: ['goal'], metrics: ['conversion_rate', 'visits'] }))).toEqual({
      lead: [2 / 3, 2],
      call: [1 / 3, 1],
    });
    const filters = [{ dimension: 'goal', op: 'eq' as const, values: ['lead'] }];
    expect(
      (await world.report({ metrics: ['conversion_rate', 'visits', 'visitor_conversion_rate'], filters })).totals,
    ).toEqual([2 / 3, 2, 1]);
    expect(byLabel(await world.report({ dimensions: ['country', 'goal'], metrics: ['conversion_rate'] }))).toEqual({
      'RU|call': [1],
      'RU|lead': [1],
      '|lead': [1],
    });
  });

  // proves: report-dimensions/facts-of-visits
  it('join an order with its own lines', async () => {
    expect(
      byLabel(
        await world.report({
          dimensions: ['transaction_id', 'product_id'],
          metrics: ['orders', 'visits', 'product_orders'],
        }),
      ),
    ).toEqual({ 't1|p1': [1, 1, 1], 't1|p2': [1, 1, 1], 't2|p1': [1, 1, 1] });
    const report = await world.report({
      dimensions: ['product_id'],
      metrics: ['orders', 'revenue', 'order_conversion_rate'],
    });
    expect(byLabel(report)).toEqual({ p1: [2, 10, 2 / 3], p2: [1, 10, 1 / 3] });
    expect(report.totals).toEqual([2, 10, 2 / 3]);
  });

  // proves: report-rules/no-rate
  it('say if an amount has no rate, but only for what was requested', async () => {
    expect((await world.report({ metrics: ['revenue'] })).isRateMissing).toBe(true);
    expect((await world.report({ metrics: ['orders'] })).isRateMissing).toBe(false);
    expect((await world.report({ metrics: ['refund_revenue'] })).isRateMissing).toBe(false);
    expect(
      (
        await world.report({
          metrics: ['revenue'],
          filters: [{ dimension: 'order_currency', op: 'eq', values: ['RUB'] }],
        })
      ).isRateMissing,
    ).toBe(false);
  });
});

describe('the selection', () => {
  it('includes robots on request, and facts without a visit are not robots', async () => {
    const metrics = ['visits', 'pageviews', 'conversions', 'robot_share'];
    const totals = async (robots: 'exclude' | 'include' | 'only'): Promise<number[]> =>
      (await world.report({ metrics, robots })).totals;
    expect(await totals('exclude')).toEqual([3, 6, 5, 0]);
    expect(await totals('include')).toEqual([4, 8, 6, 0.25]);
    expect(await totals('only')).toEqual([1, 2, 1, 1]);
  });

  it.each([
    // proves: report-rules/filter-codes
    ['eq', ['RU'], ['RU']],
    ['neq', ['RU'], ['DE', null]],
    // proves: report-rules/filter-codes
    ['in', ['RU', 'DE'], ['DE', 'RU']],
    // proves: report-rules/filter-contains
    ['contains', ['r'], ['RU']],
    // proves: report-rules/filter-regex
    ['regex', ['^.E$'], ['DE']],
  ] as const)('follows a filter %s %j', async (op, values, expected) => {
    const { rows } = await world.report({ dimensions: ['country'], filters: [{ dimension: 'country', op, values }] });
    expect(rows.map(([labels]) => labels[0])).toEqual(expected);
  });

  it('consists of the exact hits for a filter on pages, and of the visits with such a hit', async () => {
    const filters = [{ dimension: 'page_path', op: 'neq' as const, values: ['/a'] }];
    expect((await world.report({ metrics: ['visits', 'pageviews'], filters })).totals).toEqual([2, 2]);
    expect(byLabel(await world.report({ dimensions: ['page_path'], metrics: ['visits'], filters }))).toEqual({
      '/b': [2],
    });
  });

  it('can be a segment of visits, for facts too, and of visitors', async () => {
    const condition = { dimension: 'page_path', op: 'eq', values: ['/a'] } as const;
    const metrics = ['visits', 'pageviews', 'conversions', 'revenue'];
    expect((await world.report({ metrics, segment: { scope: 'visit', condition } })).totals).toEqual([2, 4, 3, 10]);
    const ofVisitor = { dimension: 'page_path', op: 'eq', values: ['/b'] } as const;
    expect((await world.report({ metrics, segment: { scope: 'visitor', condition: ofVisitor } })).totals).toEqual([
      3, 6, 4, 10,
    ]);
    expect(
      (await world.report({ metrics: ['conversions'], segment: { scope: 'visit', condition: { not: condition } } }))
        .totals,
    ).toEqual([1]);
  });

  // proves: report-rules/attribution
  it('uses the requested attribution for the source', async () => {
    const types = async (attribution: 'first' | 'last'): Promise<Record<string, number[]>> =>
      byLabel(await world.report({ dimensions: ['source_type'], attribution }));
    expect(await types('last')).toEqual({ organic: [3] });
    expect(await types('first')).toEqual({ direct: [2], ad: [1] });
  });
});

describe('visits that have changed since they were written to the lake', () => {
  it("replace the lake's versions, and count at their current beginning", async () => {
    const moved = { ...SECOND, started_at: at(2, 1), country: 'BY' };
    const opened = visitRow({ visit_id: uuid(16), started_at: at(9), country: 'KZ' });
    const { rows } = await world.report(
      { dimensions: ['date', 'country'], metrics: ['visits', 'pageviews'] },
      { fresh: [moved, opened] },
    );
    expect(rows).toEqual([
      [
        ['2026-03-02', 'BY'],
        [1, 2],
      ],
      [
        ['2026-03-02', 'RU'],
        [1, 2],
      ],
      [
        ['2026-03-03', null],
        [1, 2],
      ],
      [
        ['2026-03-09', 'KZ'],
        [1, 2],
      ],
    ]);
    const { totals } = await world.report({ metrics: ['visits'], date_from: '2026-03-03' }, { fresh: [moved, opened] });
    expect(totals).toEqual([2]);
  });
});

describe('a sample', () => {
  // proves: report-rules/sample
  it('covers whole visitors, with counts and sums times ten', async () => {
    expect(
      (
        await world.report(
          { metrics: ['visits', 'visitors', 'pages_per_visit', 'conversions', 'gross_revenue'] },
          { sampled: true },
        )
      ).totals,
    ).toEqual([20, 10, 2, 40, 100]);
  });
});

describe('people', () => {
  const attributes = [
    { person: 'user:anna', attribute: 'gender', value: 'f' },
    { person: 'user:anna', attribute: 'interest', value: '1' },
    { person: 'user:anna', attribute: 'interest', value: '2' },
  ];
  const links = { [ANNA]: 'anna', [BORIS]: 'anna' };

  // proves: report-dimensions/audience, report-rules/distinct
  it('are users whatever browser they used', async () => {
    const report = await world.report(
      { dimensions: ['interest'], metrics: ['people', 'visits', 'visitors', 'people_share', 'undefined_share'] },
      { attributes, links },
    );
    expect(byLabel(report)).toEqual({ 1: [1, 3, 2, 1, 0], 2: [1, 3, 2, 1, 0] });
    expect(report.totals).toEqual([1, 3, 2, 1, 0]);
  });

  // proves: report-rules/affinity
  it('are compared with everybody of the period', async () => {
    const one = [
      { person: ANNA, attribute: 'gender', value: 'f' },
      { person: BORIS, attribute: 'gender', value: 'm' },
    ];
    const report = await world.report(
      {
        dimensions: ['gender'],
        metrics: ['people_share', 'affinity_index'],
        filters: [{ dimension: 'country', op: 'eq', values: ['RU'] }],
      },
      { attributes: one },
    );
    expect(byLabel(report)).toEqual({ f: [1, 200] });
    expect(report.totals).toEqual([1, 100]);
  });

  it('pass a filter by any one of their values, and those without a value pass only neq', async () => {
    const visits = async (op: 'eq' | 'neq', value: string, dimensions: string[] = []): Promise<Result> =>
      world.report(
        { dimensions, filters: [{ dimension: 'interest', op, values: [value] }] },
        { attributes, links: { [ANNA]: 'anna' } },
      );
    expect((await visits('eq', '1')).totals).toEqual([2]);
    expect((await visits('neq', '1')).totals).toEqual([3]);
    expect(byLabel(await visits('neq', '1', ['interest']))).toEqual({ 2: [2], '': [1] });
  });

  it('are not shown in rows with too few of them', async () => {
    const report = await world.report(
      { dimensions: ['gender'], metrics: ['visits'] },
      { attributes, links: { [ANNA]: 'anna' }, audienceMinPeople: 2 },
    );
    expect(report).toEqual({ rows: [], totals: [3], rowCount: 0, isRateMissing: false });
  });
});
