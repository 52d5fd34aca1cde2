import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { conditionsFaults, segmentOf } from '../../../reports/validate/index.ts';
import { textsOf } from './support.ts';

const leaf = { dimension: 'country', op: 'eq', values: ['RU'] };
const faultsOf = (value: unknown): string[] => textsOf(conditionsFaults(value, 'segment'));
/** Wraps a leaf in groups. */
const nested = (depth: number, group: (inner: unknown) => unknown): unknown =>
  depth === 0 ? leaf : group(nested(depth - 1, group));

describe('conditions', () => {
  // proves: decisions-analytics/segment-forms, decisions-analytics/segment-metrics
  it.each<[string, unknown]>([
    ['of a dimension', leaf],
    ['of a metric', { metric: 'pageviews', op: 'gte', value: -2.5 }],
    ['of a goal', { metric: 'conversions:lead', op: 'gt', value: 0 }],
    ...['eq', 'neq', 'gt', 'gte', 'lt', 'lte'].map((op): [string, unknown] => [
      `with ${op}`,
      { metric: 'pageviews', op, value: 1 },
    ]),
    ['joined by all', { all: [leaf, leaf] }],
    ['joined by any', { any: [leaf] }],
    ['negated', { not: leaf }],
    ['a list', [leaf, { not: leaf }]],
    ['a list inside a group', { any: [[leaf, leaf], leaf] }],
    ['about whole visitors', { scope: 'visitor', ...leaf }],
    ['a group about whole visitors', { scope: 'visitor', all: [leaf] }],
    ['about visits', { scope: 'visit', not: leaf }],
    // proves: decisions-analytics/segment-size
    ['four groups deep', nested(4, (inner) => ({ all: [inner] }))],
    // proves: decisions-analytics/segment-size
    ['fifty in number', { any: Array.from({ length: 50 }, () => leaf) }],
  ])('may be %s', (_what, value) => {
    expect(faultsOf(value)).toEqual([]);
  });

  it.each([
    ['nothing', {}, 'segment'],
    ['a scope alone', { scope: 'visitor' }, 'segment'],
    // proves: decisions-analytics/segment-scope
    ['an unknown scope', { scope: 'user', ...leaf }, 'segment'],
    ['a text', 'RU', 'segment'],
    ['null', null, 'segment'],
    ['no condition in a group', { all: [] }, 'segment'],
    ['an empty list', [], 'segment'],
    ['null in a group', { any: [leaf, null] }, 'segment.any[1]'],
    ['a group that is not a list', { all: leaf }, 'segment'],
    ['two kinds in one', { all: [leaf], any: [leaf] }, 'segment'],
    ['a condition with a group', { ...leaf, not: leaf }, 'segment'],
    // proves: decisions-analytics/segment-scope
    ['a scope inside a group', { all: [leaf, { scope: 'visitor', ...leaf }] }, 'segment.all[1]'],
    ['an additional field', { all: [{ ...leaf, label: 'x' }] }, 'segment.all[0]'],
    // proves: decisions-analytics/segment-faults
    ['an unknown operation', { not: { ...leaf, op: 'gt' } }, 'segment.not'],
    ['two values', [leaf, { ...leaf, values: ['a', 'b'] }], 'segment[1]'],
    ['a number as a value', { ...leaf, values: [1] }, 'segment'],
    ['an unsupported pattern', { any: [{ ...leaf, op: 'regex', values: ['(?!a)'] }] }, 'segment.any[0]'],
    // proves: decisions-analytics/segment-faults
    ['an unknown comparison', { metric: 'pageviews', op: 'in', value: 1 }, 'segment'],
    ['a text to compare with', { metric: 'pageviews', op: 'eq', value: '1' }, 'segment'],
    ['infinity', { metric: 'pageviews', op: 'eq', value: Infinity }, 'segment'],
    [
      'a metric without a meaning for one visit',
      { all: [{ metric: 'visits_per_day', op: 'gt', value: 1 }] },
      'segment.all[0]',
    ],
    // proves: decisions-analytics/segment-size
    ['five groups deep', nested(5, (inner) => ({ not: inner })), 'segment.not.not.not.not'],
    // proves: decisions-analytics/segment-size
    ['fifty-one', { any: Array.from({ length: 51 }, () => leaf) }, 'segment'],
    [
      'fifty-one in groups',
      [{ any: Array.from({ length: 26 }, () => leaf) }, { all: Array.from({ length: 25 }, () => leaf) }],
      'segment',
    ],
    ['__proto__ as a key', JSON.parse('{"__proto__":{"all":[]}}'), 'segment'],
  ])('are bad_filter at the wrong condition: %s', (_what, value, field) => {
    expect(faultsOf(value)).toEqual([`${field} bad_filter`]);
  });

  // proves: decisions-analytics/segment-faults
  it('have faults that name unknown dimensions and metrics', () => {
    expect(
      faultsOf({ all: [leaf, { ...leaf, dimension: 'planet' }, { any: [{ metric: 'smiles', op: 'gt', value: 1 }] }] }),
    ).toEqual(['segment.all[1].dimension unknown_dimension', 'segment.all[2].any[0].metric unknown_metric']);
    expect(textsOf(conditionsFaults({ ...leaf, dimension: '__proto__' }, 'conditions'))).toEqual([
      'conditions.dimension unknown_dimension',
    ]);
  });

  it('are validated quickly however many and deep they are', () => {
    const deep = JSON.parse(`${'{"not":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as unknown;
    expect(faultsOf(deep)).toEqual(['segment.not.not.not.not bad_filter']);
    expect(faultsOf(JSON.parse(`[${'['.repeat(100_000)}${']'.repeat(100_000)}]`))).toHaveLength(1);
    expect(faultsOf(Array.from({ length: 300_000 }, () => null))).toEqual(['segment bad_filter']);
    const wide = Array.from({ length: 50 }, () =>
      Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => [])),
    );
    expect(faultsOf(wide).length).toBeLessThanOrEqual(100);
  });

  it('in any JSON are validated without an error, and read if they are valid', () => {
    const some = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(leaf, { metric: 'hits', op: 'lt', value: 3 }, { ...leaf, dimension: 'x' }, 5),
        fc.record({ all: fc.array(tie('node')) }),
        fc.record({ any: fc.array(tie('node')) }),
        fc.record({ not: tie('node') }),
        fc.array(tie('node')),
      ),
    }));
    fc.assert(
      fc.property(fc.oneof(some.node, fc.jsonValue()), (value) => {
        if (conditionsFaults(value, 'segment').length === 0) expect(segmentOf(value).scope).toBe('visit');
      }),
      { numRuns: 500 },
    );
  });
});

describe('segmentOf', () => {
  // proves: decisions-analytics/segment-list, decisions-analytics/segment-scope
  it('treats lists as all, and uses the outermost scope', () => {
    expect(segmentOf([leaf, { any: [leaf, [leaf]] }])).toEqual({
      scope: 'visit',
      condition: { all: [leaf, { any: [leaf, { all: [leaf] }] }] },
    });
    expect(segmentOf({ scope: 'visitor', not: [leaf] })).toEqual({
      scope: 'visitor',
      condition: { not: { all: [leaf] } },
    });
    expect(segmentOf({ scope: 'visitor', ...leaf })).toEqual({ scope: 'visitor', condition: leaf });
    expect(segmentOf({ metric: 'hits', op: 'lt', value: 3 })).toEqual({
      scope: 'visit',
      condition: { metric: 'hits', op: 'lt', value: 3 },
    });
  });
});
