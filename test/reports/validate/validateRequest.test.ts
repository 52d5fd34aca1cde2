import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DIMENSIONS, METRICS } from '../../../reports/registry/index.ts';
import { reportFaults, reportRequestOf } from '../../../reports/validate/index.ts';
import { faultsOf, GOOD, NOW, SITE } from './support.ts';

const filter = (op: string, values: unknown, dimension = 'country') => ({ dimension, op, values });

describe('a request', () => {
  it('without faults has none reported', () => {
    expect(faultsOf({})).toEqual([]);
    expect(
      faultsOf({
        dimensions: ['date', 'source_type', 'device_type', 'country', 'visit_param:plan'],
        filters: [filter('in', ['RU', 'KZ'])],
        segment: { dimension: 'browser', op: 'eq', values: ['Firefox'] },
        sort: [
          { field: 'visits', dir: 'asc' },
          { field: 'date', dir: 'desc' },
        ],
      }),
    ).toEqual([]);
  });

  it('has all of its faults reported at once, in every field', () => {
    expect(
      faultsOf({
        dimensions: ['country', 'planet'],
        metrics: ['visits', 'smiles'],
        date_from: '2026-02-30',
        date_to: '2026-11-21',
        filters: [filter('eq', ['RU'], 'sign'), filter('like', ['R%'])],
        segment: [
          { metric: 'smiles', op: 'gt', value: 1 },
          { dimension: 'planet', op: 'eq', values: ['x'] },
        ],
        sort: [{ field: 'visits', dir: 'up' }],
      }),
    ).toEqual([
      'dimensions[1] unknown_dimension',
      'metrics[1] unknown_metric',
      'date_from bad_date',
      'date_to bad_date',
      'filters[0].dimension unknown_dimension',
      'filters[1] bad_filter',
      'segment[0].metric unknown_metric',
      'segment[1].dimension unknown_dimension',
      'sort[0] invalid_value',
    ]);
  });

  it('gets the documented defaults', () => {
    expect(reportRequestOf({ metrics: ['visits'], date_from: '2026-11-01', date_to: '2026-11-01' }, null)).toEqual({
      dimensions: [],
      metrics: ['visits'],
      date_from: '2026-11-01',
      date_to: '2026-11-01',
      filters: [],
      segment: null,
      attribution: 'last_significant',
      robots: 'exclude',
      sort: [],
      limit: 100,
      offset: 0,
    });
  });

  it('of any JSON is validated without an exception', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.constantFrom(...Object.keys(GOOD), 'filters', 'sort', 'segment', 'segment_id', '__proto__', 'constructor'),
        (value, field) => {
          const body = JSON.parse(
            `{"dimensions":["date"],"metrics":["visits"],${JSON.stringify(field)}:${JSON.stringify(value)}}`,
          ) as unknown;
          expect(Array.isArray(reportFaults(body, SITE, NOW))).toBe(true);
          expect(Array.isArray(reportFaults(value, SITE, NOW))).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('identifiers', () => {
  it('are those in the registry, not inherited keys of objects', () => {
    const names = [
      '__proto__',
      'constructor',
      'toString',
      '',
      ' visits',
      'VISITS',
      'visits:',
      'visits:a',
      'conversions:',
      'conversions:Lead',
      'conversions:a b',
      'visits\0',
    ];
    expect(faultsOf({ metrics: names.slice(0, 10) })).toEqual(
      names.slice(0, 10).map((_name, index) => `metrics[${index}] unknown_metric`),
    );
    expect(faultsOf({ metrics: names.slice(10) })).toEqual(['metrics[0] unknown_metric', 'metrics[1] unknown_metric']);
    expect(faultsOf({ metrics: ['conversions:lead', 'conversion_rate:a_b-1', 'conversions'] })).toEqual([]);
  });

  // proves: report-dimensions/parameter
  it('have a parameter if they need one, and otherwise none', () => {
    expect(
      faultsOf({
        dimensions: ['visit_param:a', 'event_param:a:b', 'visitor_param:план', 'value_source:gender'],
        metrics: ['visits'],
      }),
    ).toEqual([]);
    expect(
      faultsOf({ dimensions: ['visit_param', 'visit_param:', 'country:RU', 'value_source:visits', 'value_source'] }),
    ).toEqual([0, 1, 2, 3, 4].map((index) => `dimensions[${index}] unknown_dimension`));
  });

  it('in the registry can all be requested', () => {
    const params = { key: 'plan', goal: 'lead', attribute: 'gender' };
    for (const { id, takes } of DIMENSIONS)
      expect(faultsOf({ dimensions: [takes ? `${id}:${params[takes]}` : id], metrics: ['visits'] })).toEqual([]);
    for (const { id, group } of METRICS)
      expect(faultsOf({ dimensions: group === 'audience' ? ['gender'] : [], metrics: [id] })).toEqual([]);
  });

  // proves: analytics-errors/incompatible
  it.each([
    ['a goal metric', { dimensions: ['page_path'], metrics: ['visits', 'conversions'] }, ['metrics[1] incompatible']],
    [
      'an order metric',
      { dimensions: ['goal'], metrics: ['revenue', 'visits', 'orders'] },
      ['metrics[0] incompatible', 'metrics[2] incompatible'],
    ],
    ['a product metric', { dimensions: ['event_name'], metrics: ['product_quantity'] }, ['metrics[0] incompatible']],
    ['a page metric', { dimensions: ['product_id'], metrics: ['unique_pageviews'] }, ['metrics[0] incompatible']],
    [
      'a share of people without a dimension of the audience',
      { dimensions: ['country'], metrics: ['people', 'people_share'] },
      ['metrics[1] incompatible'],
    ],
    [
      'a share of people with two dimensions of the audience',
      { dimensions: ['gender', 'age_group'], metrics: ['affinity_index'] },
      ['metrics[0] incompatible'],
    ],
    [
      'a share of people by pages',
      { dimensions: ['gender', 'page_path'], metrics: ['undefined_share'] },
      ['metrics[0] incompatible'],
    ],
    [
      'an order metric with a filter by page',
      { filters: [filter('eq', ['/a'], 'page_path')], metrics: ['orders'] },
      ['metrics[0] incompatible'],
    ],
    [
      'a share of people filtered by products',
      { dimensions: ['gender'], filters: [filter('eq', ['a'], 'product_id')], metrics: ['network_share'] },
      ['metrics[0] incompatible'],
    ],
  ])('that are incompatible are reported at the metric: %s', (_what, changes, faults) => {
    expect(faultsOf(changes)).toEqual(faults);
  });

  it('that are unknown make nothing incompatible', () => {
    expect(faultsOf({ dimensions: ['planet', 'country'], metrics: ['orders'] })).toEqual([
      'dimensions[0] unknown_dimension',
    ]);
  });

  it('beyond the limit of a list are not checked', () => {
    expect(
      faultsOf({
        dimensions: [...Array.from({ length: 5 }, () => 'country'), 'planet'],
        metrics: [...Array.from({ length: 10 }, () => 'visits'), 'smiles'],
      }),
    ).toEqual([]);
  });
});

describe('filters', () => {
  // proves: report/filters
  it.each([
    ['eq', ['RU']],
    ['neq', ['']],
    ['contains', ['я']],
    ['regex', ['^(RU|KZ)$']],
    ['regex', ['']],
    ['in', ['RU']],
    ['in', Array.from({ length: 100 }, (_, index) => `c${index}`)],
  ])('may be %s %j', (op, values) => {
    expect(faultsOf({ filters: [filter(op, values)] })).toEqual([]);
  });

  // proves: report/filters, analytics-errors/bad_filter
  it.each<[string, string, string[]]>([
    ['an unknown operation', 'like', ['RU']],
    ['an operation that only metrics have', 'gt', ['1']],
    ['an inherited key of objects', 'constructor', ['1']],
    ...['eq', 'neq', 'contains', 'regex'].flatMap((op): [string, string, string[]][] => [
      [`no value for ${op}`, op, []],
      [`two values for ${op}`, op, ['RU', 'KZ']],
    ]),
    ['no values for in', 'in', []],
    ['101 values for in', 'in', Array.from({ length: 101 }, () => 'RU')],
    ['an open group', 'regex', ['(']],
    // proves: report-rules/filter-regex
    ['look-ahead', 'regex', ['a(?=b)']],
    // proves: report-rules/filter-regex
    ['a back reference', 'regex', ['(a)\\1']],
    ['too many repeats', 'regex', ['a{1001}']],
    ['repeats of repeats', 'regex', ['((a{100}){100}){100}']],
    ['a named group in a syntax that only newer RE2 accepts', 'regex', ['(?<x>a)']],
    ['a long pattern', 'regex', ['a'.repeat(1001)]],
    ['a long pattern of emoji', 'regex', ['😀'.repeat(1001)]],
    ['a large pattern', 'regex', ['(abc){1000}']],
  ])('are bad_filter with %s', (_what, op, values) => {
    expect(faultsOf({ filters: [filter('eq', ['RU']), filter(op, values)] })).toEqual(['filters[1] bad_filter']);
  });

  it('accept patterns that take exponential time in other engines', () => {
    expect(
      faultsOf({
        filters: [
          filter('regex', ['(x+x+)+y']),
          filter('regex', ['(a*)*b']),
          filter('regex', ['(?P<name>\\p{Cyrillic}+)']),
        ],
      }),
    ).toEqual([]);
  });

  // proves: decisions-faults/characters
  it("have patterns of at most 4,000 characters in total, including the segment's; a repeated one counts once", () => {
    const long = (letter: string) => filter('regex', [letter.repeat(1_000)]);
    const four = ['a', 'b', 'c', '😀'].map(long);
    expect(faultsOf({ filters: [...four, long('a')] })).toEqual([]);
    expect(faultsOf({ filters: [...four, filter('regex', ['e'])] })).toEqual(['filters[4] bad_filter']);
    expect(faultsOf({ filters: four, segment: filter('regex', ['e']) })).toEqual(['segment bad_filter']);
  });

  it('can have one fault in the dimension and another in the operation', () => {
    expect(faultsOf({ filters: [filter('like', ['a'], 'planet')] })).toEqual([
      'filters[0].dimension unknown_dimension',
      'filters[0] bad_filter',
    ]);
  });
});

describe('a sort', () => {
  // proves: report/sort
  it('uses a dimension or a metric of the request', () => {
    expect(
      faultsOf({
        sort: [
          { field: 'source_type', dir: 'asc' },
          { field: 'visits', dir: 'desc' },
        ],
      }),
    ).toEqual([]);
  });

  // proves: report/sort
  it.each([
    [{ field: 'visitors', dir: 'asc' }],
    [{ field: 'country', dir: 'asc' }],
    [{ field: 'visits', dir: 'DESC' }],
    [{ field: 'visits' }],
    [{ dir: 'asc' }],
    [{ field: 'visits', dir: 'asc', nulls: 'last' }],
    ['visits'],
    [null],
    [[]],
    [{ field: ['visits'], dir: 'asc' }],
  ])('is invalid_value as a whole: %j', (entry) => {
    expect(faultsOf({ sort: [{ field: 'visits', dir: 'asc' }, entry] })).toEqual(['sort[1] invalid_value']);
  });
});

describe('a segment', () => {
  it('is inline or saved; if a request has both, each is a fault', () => {
    const segment = { dimension: 'country', op: 'eq', values: ['RU'] };
    expect(faultsOf({ segment })).toEqual([]);
    expect(faultsOf({ segment, segment_id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11' })).toEqual([
      'segment invalid_value',
      'segment_id invalid_value',
    ]);
  });
});
