/**
 * The form and the access rules of POST /reports. The limits are tested in reportLimits.test.ts, the faults in
 * reportFaults.test.ts, and the numbers in test/reports/.
 */
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { analyticsOperations } from '../../../api/analyticsApi.ts';
import { insertSegment } from '../../../db/sites/segments.ts';
import { updateSite } from '../../../db/sites/sites.ts';
import { DIMENSIONS, METRICS } from '../../../reports/registry/index.ts';
import { conditionsFaults, todayIn } from '../../../reports/validate/index.ts';
import { clientOf, startTestApi } from '../support/testApi.ts';
import { createTestSite } from '../support/testSite.ts';
import { eventually } from '../../support/eventually.ts';
import { filter, GOOD, LEAF, stageReports, WIDE, withChanges } from './support/reportStage.ts';

const stage = stageReports();
const { ask } = stage;

/** The last request that reached the engine. */
const lastRequest = () => stage.reports.asked.at(-1)?.request;

describe('POST /reports', () => {
  // proves: analytics-endpoints/reports
  it('returns the report without what only the cabinet gets, with labels in English', async () => {
    const answer = await ask(withChanges({}));
    expect([answer.status, answer.body]).toEqual([
      200,
      { data: [{ dimensions: ['direct'], metrics: [1] }], totals: [1], sampled: false, timezone: 'Europe/Moscow' },
    ]);
    expect(stage.reports.asked.at(-1)).toMatchObject({
      language: 'en',
      site: {
        siteId: stage.site.id,
        timezone: 'Europe/Moscow',
        currency: 'RUB',
        rates: {},
        goals: [],
      },
    });
  });

  // proves: report/attribution, report/robots, report/limit
  it('fills in defaults', async () => {
    expect((await ask(GOOD)).status).toBe(200);
    expect(lastRequest()).toEqual({
      ...GOOD,
      dimensions: [],
      filters: [],
      segment: null,
      attribution: 'last_significant',
      robots: 'exclude',
      sort: [],
      limit: 100,
      offset: 0,
    });
  });

  // proves: report/dimensions, report/metrics, report/filters, report/attribution, report/robots, report/sort
  // proves: report/limit, analytics-limits/reports
  it('accepts as much as the document allows', async () => {
    const body = withChanges({
      dimensions: ['date', 'source_type', 'device_type', 'country', 'browser'],
      metrics: [
        'visits',
        'visitors',
        'users',
        'pageviews',
        'hits',
        'bounces',
        'bounce_rate',
        'conversions:lead',
        'orders',
        'revenue',
      ],
      date_from: '2024-06-01',
      date_to: '2026-06-30',
      filters: Array.from({ length: 20 }, () =>
        filter(
          'in',
          Array.from({ length: 100 }, (_, index) => `c${index}`),
        ),
      ),
      segment: { scope: 'visitor', any: Array.from({ length: 50 }, () => LEAF) },
      attribution: 'first',
      robots: 'only',
      sort: [
        { field: 'date', dir: 'asc' },
        { field: 'visits', dir: 'desc' },
        { field: 'browser', dir: 'asc' },
      ],
      limit: 10_000,
      offset: 9_007_199_254_740_991,
    });
    expect((await ask(body)).status).toBe(200);
    const { segment, ...rest } = body;
    expect(lastRequest()).toEqual({
      ...rest,
      segment: { scope: 'visitor', condition: { any: (segment as { any: unknown[] }).any } },
    });
  });

  // proves: report/attribution, report/robots, report/filters, report/sort
  it('accepts every documented value', async () => {
    const accepts = async (changes: Record<string, unknown>): Promise<void> => {
      expect([changes, (await ask(withChanges(changes))).status]).toEqual([changes, 200]);
      expect(lastRequest()).toMatchObject(changes);
    };
    for (const attribution of ['last_significant', 'first', 'last']) await accepts({ attribution });
    for (const robots of ['exclude', 'include', 'only']) await accepts({ robots });
    for (const op of ['eq', 'neq', 'contains', 'regex', 'in']) await accepts({ filters: [filter(op, ['RU'])] });
    for (const dir of ['asc', 'desc']) await accepts({ sort: [{ field: 'source_type', dir }] });
    for (const limit of [1, 10_000]) await accepts({ limit });
  });

  // proves: report/dates, report/timezone
  it("accepts the current day in the site's time zone, and no later day", async () => {
    const zoned = await createTestSite(stage.database.pool, WIDE);
    const settings = { timezone: 'Pacific/Kiritimati', currency: 'AUD', rates: { USD: 1.5 } };
    await updateSite(stage.database.pool, zoned.id, settings);
    const client = clientOf(stage.api.analytics, zoned.key);
    const today = todayIn('Pacific/Kiritimati', new Date());
    expect((await ask(withChanges({ date_from: today, date_to: today }), client)).status).toBe(200);
    expect(stage.reports.asked.at(-1)?.site).toMatchObject({ siteId: zoned.id, ...settings });
    const later = todayIn('Pacific/Kiritimati', new Date(Date.now() + 2 * 86_400_000));
    expect((await ask(withChanges({ date_from: today, date_to: later }), client)).body.error.details).toEqual([
      { field: 'date_to', code: 'bad_date' },
    ]);
  });

  // proves: report/segment_id
  it('accepts a saved segment of the site', async () => {
    const saved = await insertSegment(stage.database.pool, stage.site.id, { title: 'Россия', conditions: [LEAF] });
    if (typeof saved === 'string') throw new Error('no segment was stored');
    expect((await ask(withChanges({ segment_id: saved.id.toUpperCase() }))).status).toBe(200);
    expect(lastRequest()?.segment).toEqual({ scope: 'visit', condition: { all: [LEAF] } });
  });

  it('validates a saved segment again, because what it refers to may no longer exist', async () => {
    const saved = await insertSegment(stage.database.pool, stage.site.id, {
      title: 'Old',
      conditions: { dimension: 'planet', op: 'eq', values: ['mars'] },
    });
    if (typeof saved === 'string') throw new Error('no segment was stored');
    const answer = await ask(withChanges({ segment_id: saved.id }));
    expect([answer.status, answer.body.error.details]).toEqual([
      422,
      [{ field: 'segment_id', code: 'unknown_dimension' }],
    ]);
  });

  it('is refused for a blocked site', async () => {
    const own = await createTestSite(stage.database.pool, WIDE);
    const client = clientOf(stage.api.analytics, own.key);
    expect((await ask(GOOD, client)).status).toBe(200);
    await updateSite(stage.database.pool, own.id, { state: 'blocked' });
    const answer = await eventually(async () => {
      const next = await ask(GOOD, client);
      return next.status === 200 ? null : next;
    }, 'the refusal');
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
  });

  it('answers 503 with Retry-After where no engine runs', async () => {
    const own = await startTestApi({ databaseUrl: stage.database.url });
    try {
      const { status, headers, body } = await ask(GOOD, clientOf(own.analytics, stage.site.key));
      expect([status, body.error.code]).toEqual([503, 'unavailable']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    } finally {
      await own.close();
    }
  });
});

describe('the description of reports', () => {
  // proves: report/identifiers, report-dimensions/registry, report-metrics/goal-code
  it('lists every identifier, those with a parameter as patterns', async () => {
    const { body } = await clientOf(stage.api.analytics, null)('GET', '/openapi.json');
    const forms = (name: string) =>
      body.components.schemas[name].anyOf as { const?: string; pattern?: string; description: string }[];
    const dimensions = forms('ReportDimension');
    const plain = DIMENSIONS.filter(({ takes }) => takes === null).map(({ id }) => id);
    expect(dimensions.map((form) => form.const).filter(Boolean)).toEqual(plain);
    expect(dimensions.map((form) => form.pattern).filter(Boolean)).toEqual(
      ['visit_param', 'event_param', 'visitor_param', 'value_source'].map((name) =>
        expect.stringMatching(new RegExp(`^\\^${name}:`)),
      ),
    );
    const metrics = forms('ReportMetric');
    expect(metrics.map((form) => form.const).filter(Boolean)).toEqual(METRICS.map(({ id }) => id));
    expect(metrics.map((form) => form.pattern).filter(Boolean)).toEqual(
      [
        'conversions',
        'converted_visits',
        'converted_visitors',
        'conversion_rate',
        'visitor_conversion_rate',
        'conversion_value',
        'value_per_conversion',
      ].map((name) => expect.stringMatching(new RegExp(`^\\^${name}:`))),
    );
    const goal = metrics.find(({ pattern }) => pattern?.startsWith('^conversions:'));
    expect('conversions:lead').toMatch(new RegExp(goal?.pattern ?? 'none'));
    for (const { description } of [...dimensions, ...metrics]) expect(description).toMatch(/^[a-z]+: \S/);
  });

  it('allows segment conditions exactly as validation does, with a scope only in the outermost object', async () => {
    const { body } = await clientOf(stage.api.analytics, null)('GET', '/openapi.json');
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(body, 'document');
    const fits = (segment: unknown): boolean =>
      ajv.validate({ $ref: 'document#/components/schemas/ReportRequest/properties/segment' }, segment);
    const scoped = { scope: 'visitor', ...LEAF };
    const allowed = [
      LEAF,
      [LEAF, [LEAF]],
      scoped,
      { metric: 'pageviews', op: 'gt', value: 1 },
      { scope: 'visit', metric: 'pageviews', op: 'gt', value: 1 },
      { scope: 'visitor', all: [LEAF, { any: [LEAF] }] },
      { scope: 'visit', not: { not: LEAF } },
    ];
    const refused = [
      [scoped],
      { all: [scoped] },
      { any: [LEAF, { scope: 'visit', all: [LEAF] }] },
      { not: scoped },
      { scope: 'visitor', not: { scope: 'visitor', not: LEAF } },
      { scope: 'visitor' },
      { ...LEAF, scope: 'person' },
      [],
    ];
    for (const segment of allowed)
      expect([segment, fits(segment), conditionsFaults(segment, 'segment')]).toEqual([segment, true, []]);
    for (const segment of refused)
      expect([segment, fits(segment), conditionsFaults(segment, 'segment').map(({ code }) => code)]).toEqual([
        segment,
        false,
        ['bad_filter'],
      ]);
  });

  it('has an example with the documented members in their order', () => {
    const { example } = analyticsOperations.find(({ operationId }) => operationId === 'postReports')?.body ?? {};
    expect(Object.keys(example as object)).toEqual([
      'dimensions',
      'metrics',
      'date_from',
      'date_to',
      'filters',
      'segment',
      'attribution',
      'robots',
      'sort',
      'limit',
      'offset',
    ]);
  });
});
