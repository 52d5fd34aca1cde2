/** Data of the tag and of a site's server reaches POST /reports of both APIs through the whole pipeline. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fetch } from 'undici';
import type { RunningProcess } from '../../platform/process/lifecycle.ts';
import type { ReportEngines } from '../../reports/engines/index.ts';
import { DIMENSIONS, findDimension, isCompatible, METRICS } from '../../reports/registry/index.ts';
import { todayIn } from '../../reports/validate/index.ts';
import { createTestEngines } from '../api/support/reportEngines.ts';
import {
  clientOf,
  createTestToken,
  startTestApi,
  type Answer,
  type Client,
  type TestApi,
} from '../api/support/testApi.ts';
import { createTestGoal, createTestSite, type TestSite } from '../api/support/testSite.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { startTestIngest } from '../support/lake/ingest.ts';
import { openTestLake, type TestLake } from '../support/lake/lake.ts';
import { createReportRole, type ReportRole } from '../support/lake/reportRole.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0';
const WIDE = { requests_per_second: 10_000, output_per_second: 10_000, reports_per_minute: 100_000 };
const [ANNA, BORIS] = [randomUUID(), randomUUID()];

let database: TestDatabase;
let lake: TestLake;
let ingest: RunningProcess;
let engines: ReportEngines;
let role: ReportRole;
let api: TestApi;
let site: TestSite;
let server: Client;
let cabinet: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  lake = await openTestLake(database.url);
  ingest = await startTestIngest(database.url, lake.settings, { lakeCommitMs: 100 });
  // As in an installation, reports run under an account with read access only.
  role = await createReportRole(database);
  engines = createTestEngines({ ...lake.settings, databaseUrl: role.url, readOnly: true });
  api = await startTestApi({ databaseUrl: database.url, reports: engines, env: { TRUSTED_PROXIES: '127.0.0.1' } });
  site = await createTestSite(database.pool, WIDE);
  await createTestGoal(database.pool, site.id, 'lead', 150);
  server = clientOf(api.analytics, site.key);
  cabinet = clientOf(api.cabinet, await createTestToken(database.pool));
});

afterAll(async () => {
  await api?.close();
  await engines?.close();
  await ingest?.close();
  await lake?.close();
  await role?.drop();
  await database?.drop();
});

/** Returns a period that includes the current moment, even if the day changes during the test. */
function period(): { date_from: string; date_to: string } {
  const now = Date.now();
  return {
    date_from: todayIn('Europe/Moscow', new Date(now - 86_400_000)),
    date_to: todayIn('Europe/Moscow', new Date(now)),
  };
}

const ask = (body: Record<string, unknown>, client = server, path = '/reports'): Promise<Answer> =>
  client('POST', path, { ...period(), ...body });
const totalsOf = async (body: Record<string, unknown>): Promise<number[]> => {
  const answer = await ask(body);
  if (answer.status !== 200) throw new Error(`a report was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.totals as number[];
};

/** Sends a batch of the tag, now. */
async function tell(visitorId: string, events: Record<string, unknown>[]): Promise<void> {
  const at = new Date().toISOString();
  const response = await fetch(`${api.origin}/collect`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': BROWSER, 'x-forwarded-for': '77.88.8.8' },
    body: JSON.stringify({
      key: site.tagKey,
      visitor_id: visitorId,
      sent_at: at,
      device: { screen: '1920x1080', language: 'ru-RU' },
      events: events.map((event) => ({
        id: randomUUID().slice(0, 36),
        at,
        type: 'pageview',
        url: 'https://shop.example/',
        ...event,
      })),
    }),
  });
  expect([response.status, ((await response.json()) as { dropped: unknown[] }).dropped]).toEqual([202, []]);
}

async function send(path: string, body: unknown): Promise<void> {
  const answer = await server('POST', path, body);
  expect([answer.status, answer.body.rejected ?? []]).toEqual([202, []]);
}

describe('reports', () => {
  it('of a site without a visit have no rows, and totals of zero', async () => {
    const { status, body } = await ask({
      dimensions: ['source_type'],
      metrics: ['visits', 'bounce_rate', 'revenue', 'affinity_index'].slice(0, 3),
    });
    expect([status, body]).toEqual([200, { data: [], totals: [0, 0, 0], sampled: false, timezone: 'Europe/Moscow' }]);
  });

  // proves: report/data, report/totals, report/sampled, report/timezone, analytics-endpoints/reports
  it("show the tag's data as soon as it is ingested, including open visits", async () => {
    await tell(ANNA, [
      { url: 'https://shop.example/catalogue/?utm_source=news&utm_medium=email' },
      { url: 'https://shop.example/catalogue/lamp', title: 'Лампа «Ночь» 💡' },
      { type: 'goal', name: 'lead', url: 'https://shop.example/catalogue/lamp' },
    ]);
    await tell(BORIS, [{ url: 'https://shop.example/catalogue/lamp' }]);
    await eventually(
      async () => (await totalsOf({ metrics: ['visits', 'pageviews', 'conversions:lead'] })).join() === '2,3,1',
      'the visits',
    );
    const { body } = await ask({
      dimensions: ['source_type', 'device_type'],
      metrics: ['visits', 'visitors', 'pageviews', 'conversion_rate:lead'],
    });
    expect(body).toEqual({
      data: [
        { dimensions: ['direct', 'desktop'], metrics: [1, 1, 1, 0] },
        { dimensions: ['email', 'desktop'], metrics: [1, 1, 2, 1] },
      ],
      totals: [2, 2, 3, 0.5],
      sampled: false,
      timezone: 'Europe/Moscow',
    });
    expect(
      (
        await ask({
          dimensions: ['page_title'],
          metrics: ['pageviews'],
          filters: [{ dimension: 'page_title', op: 'contains', values: ['НОЧЬ» 💡'] }],
        })
      ).body.data,
    ).toEqual([{ dimensions: ['Лампа «Ночь» 💡'], metrics: [1] }]);
  });

  // proves: report/audience-labels, analytics-endpoints/reports
  it("show the data of the site's server: conversions, orders, refunds, people", async () => {
    await send('/users', { users: [{ user_id: 'anna', gender: 'female' }] });
    await tell(ANNA, [{ type: 'user', user: { user_id: 'anna' }, url: 'https://shop.example/catalogue/lamp' }]);
    await send('/conversions', { conversions: [{ id: 'c-1', goal: 'lead', visitor_id: BORIS, value: 50.5 }] });
    await send('/orders', {
      orders: [
        {
          transaction_id: 't-1',
          visitor_id: ANNA,
          revenue: 1000.1,
          currency: 'RUB',
          products: [{ id: 'p1', name: 'Лампа', price: 500.05, qty: 2 }],
        },
        { transaction_id: 't-2', visitor_id: BORIS, revenue: 10, currency: 'XTS' },
      ],
    });
    await eventually(
      async () =>
        (await totalsOf({ metrics: ['conversions', 'conversion_value', 'orders', 'product_quantity'] })).join() ===
        '2,200.5,2,2',
      'the facts',
    );
    const money = await ask({ metrics: ['revenue', 'orders'] });
    expect(money.body).toMatchObject({
      totals: [1000.1, 2],
      notes: [{ code: 'missing_rate', message: expect.stringMatching(/^[ -~]+$/) }],
    });
    await eventually(
      async () =>
        (await ask({ dimensions: ['gender'], metrics: ['people', 'revenue'] })).body.data[0]?.metrics[1] === 1000.1,
      'the person of the order',
    );
    await send('/orders', { orders: [{ transaction_id: 't-1', visitor_id: ANNA, status: 'refunded' }] });
    await eventually(
      async () => (await totalsOf({ metrics: ['orders', 'refund_revenue'] })).join() === '1,1000.1',
      'the refund',
    );
  });

  // proves: analytics/2-reports
  it('are the same in the cabinet, with names in Russian', async () => {
    const body = { dimensions: ['country'], metrics: ['visits', 'users'] };
    const [english, russian] = [await ask(body), await ask(body, cabinet, `/sites/${site.id}/reports`)];
    expect(english.body.data).toEqual([{ dimensions: [{ id: 'RU', name: 'Russia' }], metrics: [2, 1] }]);
    expect(russian.body).toEqual({
      data: [{ dimensions: [{ id: 'RU', name: 'Россия' }], metrics: [2, 1] }],
      totals: [2, 1],
      sampled: false,
      timezone: 'Europe/Moscow',
      rows: 1,
    });
  });

  // proves: report/segment_id, report/segment
  it('can use a segment, inline or saved', async () => {
    const conditions = {
      any: [
        { dimension: 'page_path', op: 'regex', values: ['^/catalogue/$'] },
        { metric: 'pageviews', op: 'gte', value: 2 },
      ],
    };
    const { body: saved } = await cabinet('POST', `/sites/${site.id}/segments`, { title: 'Каталог', conditions });
    for (const segment of [{ segment: conditions }, { segment_id: saved.id }])
      expect((await ask({ metrics: ['visits', 'pageviews'], ...segment })).body.totals).toEqual([1, 2]);
    expect((await ask({ metrics: ['visits'], segment: { not: conditions } })).body.totals).toEqual([1]);
  });

  // proves: report/offset
  it('page through their rows in one order', async () => {
    const body = { dimensions: ['page_path'], metrics: ['pageviews'], sort: [{ field: 'pageviews', dir: 'desc' }] };
    const all = (await ask(body)).body.data as unknown[];
    expect(all).toEqual([
      { dimensions: ['/catalogue/lamp'], metrics: [2] },
      { dimensions: ['/catalogue/'], metrics: [1] },
    ]);
    const pages = await Promise.all([0, 1].map(async (offset) => (await ask({ ...body, limit: 1, offset })).body));
    expect(pages.map(({ data }) => data)).toEqual(all.map((row) => [row]));
    const past = (await ask({ ...body, offset: 9_007_199_254_740_991 })).body;
    expect([past.data, past.totals]).toEqual([[], [3]]);
  });

  // proves: report/identifiers, report/audience-metrics
  // proves: report-dimensions/registry
  it('work for every dimension and metric', async () => {
    const params = { key: 'plan', goal: 'lead', attribute: 'gender' };
    const dimensions = DIMENSIONS.map(({ id, takes }) => (takes ? `${id}:${params[takes]}` : id));
    for (let at = 0; at < dimensions.length; at += 5) {
      const { status, body } = await ask({ dimensions: dimensions.slice(at, at + 5), metrics: ['visits'] });
      expect([dimensions[at], status, body.error]).toEqual([dimensions[at], 200, undefined]);
    }
    const gender = findDimension('gender')?.dimension;
    if (!gender) throw new Error('there is no gender');
    const needsPerson = METRICS.filter((metric) => !isCompatible(metric, [])).map(({ id }) => id);
    const plain = METRICS.filter((metric) => isCompatible(metric, [])).flatMap(({ id, takes }) =>
      takes ? [id, `${id}:lead`] : [id],
    );
    for (let at = 0; at < plain.length; at += 10) {
      const { status, body } = await ask({ dimensions: ['date'], metrics: plain.slice(at, at + 10) });
      expect([plain[at], status, body.error]).toEqual([plain[at], 200, undefined]);
    }
    expect((await ask({ dimensions: ['gender'], metrics: needsPerson })).status).toBe(200);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a period before there was anything', { date_from: '1990-01-01', date_to: '1991-12-31', dimensions: ['date'] }],
    ['the same dimension and metric twice', { dimensions: ['country', 'country'], metrics: ['visits', 'visits'] }],
    [
      'quotes and statements as values',
      {
        dimensions: ["visit_param:'; drop table x; --"],
        filters: [{ dimension: 'page_path', op: 'in', values: ["'", '"', '\\', '%', '$1', ';--'] }],
      },
    ],
    [
      "patterns of the engine's own",
      { filters: [{ dimension: 'page_title', op: 'regex', values: ['(x+x+)+y|\\pL{2,}\\d?$'] }] },
    ],
    ['a long value', { filters: [{ dimension: 'page_url', op: 'neq', values: ['я'.repeat(200_000)] }] }],
    [
      'a hundred values in twenty filters',
      {
        filters: Array.from({ length: 20 }, () => ({
          dimension: 'browser',
          op: 'in',
          values: ['Firefox', ...Array.from({ length: 99 }, (_, index) => `b${index}`)],
        })),
      },
    ],
    [
      'a segment of fifty conditions',
      {
        segment: {
          scope: 'visitor',
          any: Array.from({ length: 50 }, (_, index) => ({
            dimension: index % 2 ? 'page_path' : 'event_param:a',
            op: 'eq',
            values: [`${index}`],
          })),
        },
      },
    ],
  ])('may have %s', async (_what, body) => {
    const answer = await ask({ metrics: ['visits'], ...body });
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  });

  // proves: analytics-errors/bad_filter
  it('refuse a pattern that is too complex for the engine', async () => {
    const { status, body } = await ask({
      metrics: ['pageviews'],
      filters: [
        { dimension: 'page_title', op: 'eq', values: ['a'] },
        { dimension: 'page_title', op: 'regex', values: ['\\pL{900}'] },
      ],
    });
    expect([status, body.error?.details]).toEqual([422, [{ field: 'filters[1]', code: 'bad_filter' }]]);
  });
});
