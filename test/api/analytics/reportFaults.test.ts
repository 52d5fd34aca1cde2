/** Faults in the body of POST /reports: each is reported by its code. */
import { describe, expect, it } from '@jest/globals';
import { insertSegment } from '../../../db/sites/segments.ts';
import { createHeldReports } from '../support/heldReports.ts';
import { clientOf, startTestApi } from '../support/testApi.ts';
import { filter, LEAF, stageReports, withChanges } from './support/reportStage.ts';

const stage = stageReports();
const { ask, faultsOf } = stage;

describe('a fault of the request', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    // proves: analytics-errors/unknown_dimension, report/dimensions
    [
      'unknown_dimension',
      { dimensions: ['source_type', 'planet', 'visit_param'] },
      ['dimensions[1] unknown_dimension', 'dimensions[2] unknown_dimension'],
    ],
    // proves: analytics-errors/unknown_dimension
    [
      'unknown_dimension in a filter',
      { filters: [filter('eq', ['x'], 'planet')] },
      ['filters[0].dimension unknown_dimension'],
    ],
    // proves: analytics-errors/unknown_dimension
    [
      'unknown_dimension in a segment',
      { segment: { all: [LEAF, filter('eq', ['x'], 'planet')] } },
      ['segment.all[1].dimension unknown_dimension'],
    ],
    // proves: analytics-errors/unknown_metric, report/metrics
    [
      'unknown_metric',
      { metrics: ['visits', 'smiles', 'visits:lead'] },
      ['metrics[1] unknown_metric', 'metrics[2] unknown_metric'],
    ],
    // proves: analytics-errors/unknown_metric
    [
      'unknown_metric in a segment',
      { segment: { not: { metric: 'smiles', op: 'gt', value: 1 } } },
      ['segment.not.metric unknown_metric'],
    ],
    // proves: analytics-errors/incompatible
    ['incompatible', { dimensions: ['page_path'], metrics: ['visits', 'revenue'] }, ['metrics[1] incompatible']],
    // proves: analytics-errors/incompatible
    [
      'incompatible with the dimension of a filter',
      { metrics: ['conversions'], filters: [filter('eq', ['/'], 'page_path')] },
      ['metrics[0] incompatible'],
    ],
    // proves: analytics-errors/too_many-report, report/dimensions, analytics-limits/reports
    [
      'too_many dimensions',
      { dimensions: ['date', 'country', 'region', 'city', 'browser', 'os'] },
      ['dimensions too_many'],
    ],
    // proves: analytics-errors/too_many-report, report/metrics, analytics-limits/reports
    ['too_many metrics', { metrics: Array.from({ length: 11 }, () => 'visits') }, ['metrics too_many']],
    // proves: analytics-errors/too_many-report, report/filters
    ['too_many filters', { filters: Array.from({ length: 21 }, () => LEAF) }, ['filters too_many']],
    // proves: analytics-errors/too_many-report, report/sort
    ['too_many sorts', { sort: Array.from({ length: 4 }, () => ({ field: 'visits', dir: 'asc' })) }, ['sort too_many']],
    // proves: analytics-errors/bad_date
    ['bad_date: another format', { date_from: '01.06.2026' }, ['date_from bad_date']],
    // proves: analytics-errors/bad_date
    ['bad_date: a day that does not exist', { date_to: '2026-06-31' }, ['date_to bad_date']],
    // proves: analytics-errors/bad_date
    [
      'bad_date: an end before the beginning',
      { date_from: '2026-06-30', date_to: '2026-06-29' },
      ['date_from bad_date'],
    ],
    // proves: analytics-errors/bad_date
    ['bad_date: more than 25 months', { date_from: '2024-05-30', date_to: '2026-06-30' }, ['date_from bad_date']],
    // proves: analytics-errors/bad_date
    ['bad_date: a day in the future', { date_to: '2999-01-01' }, ['date_to bad_date']],
    // proves: analytics-errors/bad_filter
    ['bad_filter: an unknown operation', { filters: [LEAF, filter('starts', ['a'])] }, ['filters[1] bad_filter']],
    // proves: analytics-errors/bad_filter, report/filters
    [
      'bad_filter: a wrong number of values',
      { filters: [filter('eq', []), filter('neq', ['a', 'b']), filter('in', [])] },
      ['filters[0] bad_filter', 'filters[1] bad_filter', 'filters[2] bad_filter'],
    ],
    // proves: analytics-errors/bad_filter, report/filters
    [
      'bad_filter: 101 values',
      {
        filters: [
          filter(
            'in',
            Array.from({ length: 101 }, () => 'RU'),
          ),
        ],
      },
      ['filters[0] bad_filter'],
    ],
    // proves: analytics-errors/bad_filter
    ['bad_filter: an invalid pattern', { filters: [filter('regex', ['['])] }, ['filters[0] bad_filter']],
    // proves: analytics-errors/bad_filter
    [
      'bad_filter in a segment',
      { segment: [LEAF, { any: [{ dimension: 'country', op: 'is', values: ['RU'] }] }] },
      ['segment[1].any[0] bad_filter'],
    ],
    // proves: analytics-errors/unknown_segment, report/segment_id
    ['unknown_segment', { segment_id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11' }, ['segment_id unknown_segment']],
    // proves: analytics-errors/unknown_segment
    ['unknown_segment with a malformed id', { segment_id: 'mine' }, ['segment_id unknown_segment']],
    // proves: report/segment
    // proves: report-rules/invalid_value
    [
      'segment and segment_id',
      { segment: LEAF, segment_id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11' },
      ['segment invalid_value', 'segment_id invalid_value'],
    ],
    // proves: report/limit
    // proves: report-rules/invalid_value
    ['a limit of 0', { limit: 0 }, ['limit invalid_value']],
    // proves: report/limit, analytics-limits/reports
    // proves: report-rules/invalid_value
    ['a limit of 10,001', { limit: 10_001 }, ['limit invalid_value']],
    ['a fractional limit', { limit: 1.5 }, ['limit invalid_value']],
    ['a limit of the wrong type', { limit: '100' }, ['limit invalid_value']],
    ['a null limit', { limit: null }, ['limit invalid_value']],
    // proves: report/offset
    // proves: report-rules/invalid_value
    ['an offset below 0', { offset: -1 }, ['offset invalid_value']],
    ['an offset of the wrong type', { offset: {} }, ['offset invalid_value']],
    // proves: report/attribution
    // proves: report-rules/invalid_value
    ['an unknown attribution', { attribution: 'linear' }, ['attribution invalid_value']],
    ['an attribution of the wrong type', { attribution: 1 }, ['attribution invalid_value']],
    // proves: report/robots
    // proves: report-rules/invalid_value
    ['unknown robots', { robots: 'all' }, ['robots invalid_value']],
    ['robots of the wrong type', { robots: [] }, ['robots invalid_value']],
    // proves: report/sort
    [
      'a sort by a field that is not requested',
      {
        sort: [
          { field: 'visits', dir: 'desc' },
          { field: 'orders', dir: 'asc' },
        ],
      },
      ['sort[1] invalid_value'],
    ],
    // proves: report/sort
    // proves: report-rules/invalid_value
    ['a sort with an unknown direction', { sort: [{ field: 'visits', dir: 'down' }] }, ['sort[0] invalid_value']],
    ['a sort that is a string', { sort: ['visits'] }, ['sort[0] invalid_value']],
    // proves: report/metrics
    ['no metrics', { metrics: [] }, ['metrics invalid_value']],
    [
      'missing fields',
      { metrics: undefined, date_from: undefined, date_to: undefined },
      ['metrics required', 'date_from required', 'date_to required'],
    ],
    [
      'missing fields of a filter',
      { filters: [{}] },
      ['filters[0].dimension required', 'filters[0].op required', 'filters[0].values required'],
    ],
    [
      'unknown fields',
      { metric: 'visits', filters: [{ ...LEAF, not: true }] },
      ['metric unknown_field', 'filters[0].not unknown_field'],
    ],
    [
      'wrong types',
      {
        dimensions: 'date',
        metrics: [1],
        date_from: 20_260_601,
        filters: [filter(1, 'RU', null), 5],
        segment: 'a',
        sort: 'visits',
        segment_id: 7,
      },
      [
        'dimensions invalid_type',
        'metrics[0] invalid_type',
        'date_from invalid_type',
        'filters[0].op invalid_type',
        'filters[0].values invalid_type',
        'filters[0].dimension invalid_type',
        'filters[1] invalid_type',
        'segment invalid_type',
        'segment_id invalid_type',
        'sort invalid_type',
      ],
    ],
  ])('names its field: %s', async (_what, changes, faults) => {
    expect((await faultsOf(withChanges(changes))).toSorted()).toEqual(faults.toSorted());
  });

  // proves: analytics-rules/3
  it('does not hide other faults', async () => {
    expect(
      await faultsOf({
        dimensions: ['planet'],
        metrics: ['smiles'],
        date_from: '2999-01-01',
        date_to: '2026-06-31',
        filters: [filter('starts', ['a'])],
        segment_id: 'mine',
        attribution: 'x',
        robots: 'x',
        sort: [1],
        limit: 0,
        offset: -1,
        more: 1,
      }).then((faults) => faults.toSorted()),
    ).toEqual([
      'attribution invalid_value',
      'date_from bad_date',
      'date_to bad_date',
      'dimensions[0] unknown_dimension',
      'filters[0] bad_filter',
      'limit invalid_value',
      'metrics[0] unknown_metric',
      'more unknown_field',
      'offset invalid_value',
      'robots invalid_value',
      'segment_id unknown_segment',
      'sort[0] invalid_value',
    ]);
  });

  it('in a body that is not an object is reported for the body', async () => {
    for (const body of ['[]', '1', 'null', '"a"']) expect(await faultsOf(body)).toEqual([' invalid_type']);
  });

  it("that only the engine's RE2 finds is bad_filter too", async () => {
    const held = createHeldReports();
    const own = await startTestApi({ databaseUrl: stage.database.url, reports: held });
    try {
      const client = clientOf(own.analytics, stage.site.key);
      const waiting = ask(
        withChanges({ filters: [LEAF, filter('regex', ['\\pL{500}'])], segment: { not: filter('regex', ['a']) } }),
        client,
      );
      (await held.nth(0)).fail(Object.assign(new Error('pattern too large'), { name: 'ReportPatternError' }));
      const { status, body } = await waiting;
      expect([status, body.error.details]).toEqual([
        422,
        [
          { field: 'filters[1]', code: 'bad_filter' },
          { field: 'segment', code: 'bad_filter' },
        ],
      ]);
    } finally {
      await own.close();
    }
  });

  it('that RE2 finds in a saved segment is reported at segment_id', async () => {
    const held = createHeldReports();
    const own = await startTestApi({ databaseUrl: stage.database.url, reports: held });
    try {
      const saved = await insertSegment(stage.database.pool, stage.site.id, {
        title: 'Letters',
        conditions: { any: [LEAF, filter('regex', ['\\pL{500}'])] },
      });
      if (typeof saved === 'string') throw new Error('no segment was stored');
      const waiting = ask(withChanges({ segment_id: saved.id }), clientOf(own.analytics, stage.site.key));
      (await held.nth(0)).fail(Object.assign(new Error('pattern too large'), { name: 'ReportPatternError' }));
      const { status, body } = await waiting;
      expect([status, body.error.details]).toEqual([422, [{ field: 'segment_id', code: 'bad_filter' }]]);
    } finally {
      await own.close();
    }
  });

  it('is reported at limit when the rows have too much text for one answer', async () => {
    const held = createHeldReports();
    const own = await startTestApi({ databaseUrl: stage.database.url, reports: held });
    try {
      const waiting = ask(withChanges({}), clientOf(own.analytics, stage.site.key));
      (await held.nth(0)).fail(Object.assign(new Error('too long'), { name: 'ReportTooLargeError' }));
      const { status, body } = await waiting;
      expect([status, body.error.details]).toEqual([422, [{ field: 'limit', code: 'invalid_value' }]]);
    } finally {
      await own.close();
    }
  });
});

describe('hostile requests', () => {
  const text = (changes: Record<string, unknown>): string => JSON.stringify(withChanges(changes));
  it.each<[string, () => string]>([
    [
      'nesting',
      () =>
        text({ segment: 1 }).replace('"segment":1', `"segment":${'{"not":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    ],
    [
      'lists in lists',
      () => text({ segment: 1 }).replace('"segment":1', `"segment":${'['.repeat(200_000)}${']'.repeat(200_000)}`),
    ],
    [
      'keys of objects as names',
      () =>
        text({
          dimensions: ['__proto__', 'constructor'],
          metrics: ['toString', 'hasOwnProperty'],
          sort: [{ field: '__proto__', dir: 'asc' }],
        }),
    ],
    ['a key __proto__', () => text({}).replace('{', '{"__proto__":{"metrics":["visits"]},')],
    [
      'a key __proto__ in a segment',
      () => text({ segment: 1 }).replace('"segment":1', '"segment":{"__proto__":{"all":[]},"all":[]}'),
    ],
    [
      'NUL in values',
      () => text({ filters: [filter('eq', ['\0']), filter('regex', ['a\0'])], segment: filter('eq', ['\0']) }),
    ],
    ['NUL in names', () => text({ dimensions: ['visit_param:\0'], metrics: ['visits\0'] })],
    ['half a character', () => text({}).replace('source_type', 'visit_param:\\ud800')],
    ['numbers beyond every limit', () => text({ limit: 1 }).replace('"limit":1', '"limit":1e999,"offset":1e308')],
    ['a megabyte of filters', () => text({ filters: Array.from({ length: 12_000 }, () => LEAF) })],
    ['a megabyte of dimensions', () => text({ dimensions: Array.from({ length: 200_000 }, () => 1) })],
    ['a megabyte of conditions', () => text({ segment: Array.from({ length: 15_000 }, () => LEAF) })],
    ['a megabyte of a pattern', () => text({ filters: [filter('regex', ['(a|b'.repeat(100_000)])] })],
    ['a long name', () => text({ dimensions: ['x'.repeat(900_000)] })],
    ['10,000 fields', () => text(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 1])))],
  ])('are refused with few details: %s', async (_what, body) => {
    const answer = await ask(body());
    expect([answer.status, answer.body.error.code]).toEqual([422, 'validation_failed']);
    expect(answer.body.error.details.length).toBeGreaterThan(0);
    expect(answer.body.error.details.length).toBeLessThanOrEqual(101);
  });

  it('may contain long values', async () => {
    expect((await ask(withChanges({ filters: [filter('contains', ['я'.repeat(400_000)])] }))).status).toBe(200);
  });
});
