/**
 * Reports that take longer than their limit, over HTTP: a tenth of the visitors represents all, and if that takes
 * too long as well there is no report.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { storeHits } from '../../../tools/bench/collect/storedHits.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createReportEngines } from '../../../reports/engines/index.ts';
import { clientOf, startTestApi, type Answer } from '../../api/support/testApi.ts';
import { createTestSite, type TestSite } from '../../api/support/testSite.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';

/** So many that even a tenth of them takes about a hundred times the limit. */
const HITS = 150_000;
/** The minimum of REPORT_SECONDS. */
const NO_TIME = 0.001;
/** Longer than the sample takes on any machine. */
const LONG = 300;

let database: TestDatabase;
let test: TestLake;
let site: TestSite;

beforeAll(async () => {
  database = await createTestDatabase();
  test = await openTestLake(database.url);
  site = await createTestSite(database.pool);
  await storeHits(test.lake, [site.id], HITS);
  // One bucket for each visitor, as the intake assigns them, and different visits.
  for (const table of ['hits', 'visits'])
    await test.lake.query(`update lake.${table} set visitor_bucket = hash(visitor_id) % 10000`);
  await test.lake.query(
    `update lake.visits set device_type = if(hash(visit_id) % 3 = 0, 'mobile', 'desktop'), is_bounce = hash(visit_id) % 7 = 0`,
  );
});
afterAll(async () => {
  await test?.close();
  await database?.drop();
});

const dayFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const REQUEST = {
  date_from: dayFromNow(-395),
  date_to: dayFromNow(0),
  dimensions: ['device_type'],
  metrics: ['visits', 'visitors', 'pageviews', 'unique_pageviews', 'bounce_rate', 'avg_time_on_page'],
};

/** Returns the answer when engines have these limits for a report and for its sample. */
async function report(seconds: number, sampleSeconds: number): Promise<Answer> {
  const lake = { ...test.settings, tempDir: join(test.settings.tempDir, 'engines'), memoryMb: 256 };
  const engines = createReportEngines(
    { lake, engines: 1, seconds, sampleSeconds, lateEventHours: 24, audienceMinPeople: 1 },
    createLogger('test', 'silent'),
  );
  const api = await startTestApi({ databaseUrl: database.url, reports: engines });
  try {
    return await clientOf(api.analytics, site.key)('POST', '/reports', REQUEST);
  } finally {
    await api.close();
    await engines.close();
  }
}

/** Counts the same metrics in the lake, over all visits together or for each device. */
async function counted(device: string | null, buckets: number): Promise<number[]> {
  const [row] = await test.lake.query<Record<string, number>>(`
    with seen as (from lake.visits where site_id = '${site.id}' and visitor_bucket < ${buckets} and ${device === null ? 'true' : `device_type = '${device}'`}),
      views as (select visit_id, count(*) as number, count(distinct page_path) as pages, min("at") as first_at from lake.hits where type = 'pageview' group by visit_id)
    select count(*)::double as visits, count(distinct visitor_id)::double as visitors, sum(weighted_pageviews)::double as pageviews, sum(pages)::double as pages, count_if(is_bounce)::double as bounces,
           sum(date_diff('microsecond', first_at, ended_at))::double as microseconds, sum(number)::double as number
      from seen join views using (visit_id)`);
  const { visits = 0, visitors = 0, pageviews = 0, pages = 0, bounces = 0, microseconds = 0, number = 0 } = row ?? {};
  return [visits, visitors, pageviews, pages, bounces / visits, microseconds / (number * 1e6)];
}

const tenfold = (metrics: readonly number[]): number[] =>
  metrics.map((value, index) => (index < 4 ? 10 * value : value));

// proves: report/sampled, report-limits/computation
// proves: report-rules/sample
it('a tenth of the visitors counts tenfold, and ratios stay as they are', async () => {
  const { status, body } = await report(NO_TIME, LONG);
  expect([status, body]).toEqual([
    200,
    {
      data: [
        { dimensions: ['desktop'], metrics: tenfold(await counted('desktop', 1000)) },
        { dimensions: ['mobile'], metrics: tenfold(await counted('mobile', 1000)) },
      ],
      totals: tenfold(await counted(null, 1000)),
      sampled: true,
      timezone: 'Europe/Moscow',
    },
  ]);
});

it('all visitors count if there is enough time', async () => {
  const { status, body } = await report(LONG, NO_TIME);
  expect([status, body.sampled, body.totals]).toEqual([200, false, await counted(null, 10_000)]);
});

// proves: analytics-rules/3, analytics-errors/503, report-limits/computation
it('the answer is 503 with Retry-After if there is no time for a tenth either', async () => {
  const { status, headers, body } = await report(NO_TIME, NO_TIME);
  expect([status, body.error.code, Number(headers.get('retry-after'))]).toEqual([503, 'unavailable', 30]);
});
