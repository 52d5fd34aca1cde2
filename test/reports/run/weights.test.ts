/**
 * Shares of visitors with weight one in one visit and ten in another, and of visits and hits after the day's quota
 * was exceeded; averages of money.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { nextBatchId, stageRows } from '../../../db/lake/batches.ts';
import { inTransaction } from '../../../db/pool.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import { commitStaged } from '../../../reports/lake/commit/commitStaged.ts';
import type { Report, ReportRequest, ReportSite } from '../../../reports/reportRequest.ts';
import { runReport } from '../../../reports/run/runReport.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { conversionRow, hitRow, openTestLake, orderLineRow, visitRow, type TestLake } from '../../support/lake/lake.ts';

const SITE: ReportSite = { siteId: 'site00000001', timezone: 'UTC', currency: 'RUB', rates: {}, goals: [] };
const [REGULAR, LATE] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;
const day = (number: number): number => Date.UTC(2026, 2, number, 12);

let database: TestDatabase;
let lake: TestLake;

beforeAll(async () => {
  database = await createTestDatabase();
  lake = await openTestLake(database.url);
  // The first visit of one visitor has weight ten, that of the other weight 0; the next day both have weight one.
  const visits = [
    visitRow({
      visitor_id: REGULAR,
      started_at: day(15),
      weight: 10,
      visit_number: 1,
      exit_url: 'https://shop.example/last',
      exit_path: '/last',
    }),
    visitRow({ visitor_id: REGULAR, started_at: day(16), weight: 1, visit_number: 2 }),
    visitRow({ visitor_id: LATE, started_at: day(15), weight: 0, visit_number: 1 }),
    visitRow({ visitor_id: LATE, started_at: day(16), weight: 1, visit_number: 2 }),
  ];
  const conversions = visits
    .slice(0, 1)
    .flatMap(({ visit_id, visitor_id, started_at }) =>
      ['a', 'b', 'b'].map((goal) =>
        conversionRow({ goal, visit_id, visitor_id, user_id: null, at: started_at, weight: 10 }),
      ),
    );
  // The last page view of a visit of the old day came after midnight.
  const hits = visits.slice(0, 1).map(({ visit_id, visitor_id, started_at }) =>
    hitRow({
      visit_id,
      visitor_id,
      visit_started_at: started_at,
      at: started_at + 60_000,
      weight: 1,
      page_path: '/last',
    }),
  );
  const order_lines = [{ price: 50 }, { price: null }, { price: 70, currency: 'JPY' }].map((given, line) =>
    orderLineRow({ line, at: day(15), quantity: 2, currency: 'RUB', product_id: 'tea', ...given }),
  );
  const shard = shardOf(SITE.siteId);
  await inTransaction(database.pool, async (client) =>
    stageRows(client, shard, await nextBatchId(client), { visits, conversions, hits, order_lines }),
  );
  await commitStaged(lake.lake, database.pool, [shard]);
});
afterAll(async () => {
  await lake?.close();
  await database?.drop();
});

function report(request: Partial<ReportRequest>): Promise<Report> {
  const plain: ReportRequest = {
    dimensions: [],
    metrics: ['visits'],
    date_from: '2026-03-15',
    date_to: '2026-03-16',
    filters: [],
    segment: null,
    attribution: 'last',
    robots: 'exclude',
    sort: [],
    limit: 100,
    offset: 0,
  };
  return runReport(lake.lake, { ...plain, ...request }, SITE, {
    language: 'en',
    sampled: false,
    lateEventHours: 24,
    audienceMinPeople: 1,
  });
}

// proves: report-rules/distinct
it('new visitors weigh as much as among all visitors, so that their share is never over 1', async () => {
  const { data, totals } = await report({
    dimensions: ['date'],
    metrics: ['visits', 'visitors', 'new_visitors', 'new_visitors_share'],
  });
  expect(data).toEqual([
    { dimensions: ['2026-03-15'], metrics: [10, 10, 10, 1] },
    { dimensions: ['2026-03-16'], metrics: [2, 2, 0, 0] },
  ]);
  expect(totals).toEqual([12, 2, 2, 1]);
});

it('converted visitors weigh the same in both parts of the visitor conversion rate', async () => {
  const { totals } = await report({
    metrics: ['visitors', 'visitor_conversion_rate', 'conversion_rate', 'converted_visitors'],
  });
  expect(totals).toEqual([2, 0.5, 10 / 12, 10]);
});

// proves: report-metrics/goal-code
it('metrics of several goals in one request each count their own goal', async () => {
  const { totals } = await report({
    metrics: [
      'conversions:a',
      'conversions:b',
      'conversions',
      'conversion_rate:a',
      'conversion_rate:none',
      'converted_visits:b',
    ],
  });
  expect(totals).toEqual([10, 20, 30, 10 / 12, 0, 10]);
});

it('the exit rate of a page is never over 1, although its exits may weigh more than its views', async () => {
  const { data } = await report({
    dimensions: ['page_path'],
    metrics: ['pageviews', 'exits', 'exit_rate'],
    filters: [{ dimension: 'page_path', op: 'eq', values: ['/last'] }],
  });
  expect(data).toEqual([{ dimensions: ['/last'], metrics: [1, 10, 1] }]);
});

it('an average price covers the units with a price in the site’s money', async () => {
  const { totals, notes } = await report({ metrics: ['product_quantity', 'product_revenue', 'product_avg_price'] });
  expect(totals).toEqual([6, 100, 50]);
  expect(notes).toMatchObject([{ code: 'missing_rate' }]);
});
