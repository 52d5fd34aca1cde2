import { describe, expect, it } from '@jest/globals';
import type { PropertyType } from '../../../domain/items/properties.ts';
import {
  bindFilter,
  FILTER_OPS,
  isFilterFault,
  passesFilter,
  type BoundFilter,
  type FilterOp,
} from '../../../domain/output/propertyFilters.ts';
import { cpuMsOf } from '../../support/cpuTime.ts';

const TYPES: readonly PropertyType[] = ['string', 'number', 'datetime', 'boolean', 'string_array'];
const declared = new Map(
  [
    ...TYPES.map((type) => ({ name: type, type, filterable: true })),
    { name: 'inner', type: 'string' as const, filterable: false },
  ].map((property) => [property.name, property]),
);
const bind = (property: string, op: FilterOp, value: unknown) => bindFilter({ property, op, value }, declared);
const bound = (property: string, op: FilterOp, value: unknown): BoundFilter => {
  const result = bind(property, op, value);
  if (isFilterFault(result)) throw new Error(`${property} ${op}: ${result.part}`);
  return result;
};
const passes = (type: PropertyType, op: FilterOp, value: unknown, given: unknown) =>
  passesFilter(bound(type, op, value), given === undefined ? {} : { [type]: given });

describe('bindFilter', () => {
  // proves: output-request/unknown_filter
  it('refuses a property that is not declared filterable', () => {
    for (const property of ['inner', 'unknown', 'constructor', ''])
      expect(bind(property, 'eq', 'a')).toEqual({ part: 'property', code: 'unknown_filter' });
  });

  const ALLOWED: Record<PropertyType, string> = {
    string: 'eq neq in not_in exists',
    number: 'eq neq in not_in exists gt gte lt lte',
    datetime: 'eq neq in not_in exists gt gte lt lte',
    boolean: 'eq neq exists',
    string_array: 'contains_any contains_all exists',
  };
  const VALUES: Record<PropertyType, unknown> = {
    string: 'a',
    number: 1,
    datetime: '2026-11-01T00:00:00Z',
    boolean: true,
    string_array: 'a',
  };
  const valueFor = (type: PropertyType, op: FilterOp) => {
    if (op === 'exists') return true;
    return ['in', 'not_in', 'contains_any', 'contains_all'].includes(op) ? [VALUES[type]] : VALUES[type];
  };
  for (const type of TYPES)
    for (const op of FILTER_OPS) {
      const isAllowed = ALLOWED[type].split(' ').includes(op);
      it(`${isAllowed ? 'takes' : 'refuses'} ${op} of a ${type}`, () => {
        const result = bind(type, op, valueFor(type, op));
        if (isAllowed) expect(isFilterFault(result)).toBe(false);
        else expect(result).toEqual({ part: 'op', code: 'unknown_filter' });
      });
    }

  // proves: output-request/unknown_filter
  it('refuses a value of another type, a list for a single value, and a single value for a list', () => {
    const wrong: [PropertyType, FilterOp, unknown][] = [
      ['string', 'eq', 1],
      ['string', 'eq', ['a']],
      ['string', 'in', 'a'],
      ['string', 'in', ['a', 1]],
      ['string', 'eq', null],
      ['number', 'gt', '1'],
      ['number', 'gt', Number.NaN],
      ['number', 'gt', Infinity],
      ['boolean', 'eq', 'true'],
      ['datetime', 'lt', 0],
      ['string_array', 'contains_any', [true]],
      ['string', 'exists', 'yes'],
    ];
    for (const [type, op, value] of wrong)
      expect(bind(type, op, value)).toEqual({ part: 'value', code: 'invalid_type' });
  });

  it('names a text that is not a time with its zone', () => {
    const fault = { part: 'value', code: 'invalid_datetime' };
    const texts = ['yesterday', '2026-11-01', '2026-11-01T00:00:00', '2026-02-30T00:00:00Z', 'Nov 1 2026 00:00 GMT'];
    for (const text of texts) {
      expect(bind('datetime', 'lt', text)).toEqual(fault);
      expect(bind('datetime', 'in', ['2026-11-01T00:00:00Z', text])).toEqual(fault);
    }
  });
});

describe('passesFilter', () => {
  const CASES: [PropertyType, FilterOp, unknown, passing: unknown[], failing: unknown[]][] = [
    ['string', 'eq', 'a', ['a'], ['A', 'b', '']],
    ['string', 'neq', 'a', ['b', ''], ['a']],
    ['string', 'in', ['a', 'b'], ['a', 'b'], ['c']],
    ['string', 'not_in', ['a', 'b'], ['c'], ['a', 'b']],
    ['number', 'eq', 1, [1, 1.0], [2, 0]],
    ['number', 'gt', 1, [1.5], [1, 0]],
    ['number', 'gte', 1, [1, 2], [0.5]],
    ['number', 'lt', 1, [0, -1], [1]],
    ['number', 'lte', 1, [1, 0], [1.5]],
    ['number', 'in', [1, 2], [1, 2], [3]],
    ['boolean', 'eq', false, [false], [true]],
    ['boolean', 'neq', false, [true], [false]],
    ['datetime', 'eq', '2026-11-01T03:00:00+03:00', ['2026-11-01T00:00:00Z'], ['2026-11-01T03:00:00Z']],
    ['datetime', 'gt', '2026-11-01T00:00:00Z', ['2026-11-01T00:00:00.001Z'], ['2026-11-01T00:00:00Z']],
    ['datetime', 'lte', '2026-11-01T00:00Z', ['2026-11-01T00:00:00Z'], ['2026-11-01T00:00:01Z']],
    ['datetime', 'in', ['2026-11-01T00:00:00Z'], ['2026-11-01T01:00:00+01'], ['2026-11-02T00:00:00Z']],
    ['string_array', 'contains_any', ['a', 'b'], [['b'], ['x', 'a']], [['c'], []]],
    [
      'string_array',
      'contains_all',
      ['a', 'b'],
      [
        ['b', 'a'],
        ['a', 'b', 'c'],
      ],
      [['a'], []],
    ],
  ];
  for (const [type, op, value, passing, failing] of CASES)
    it(`${type} ${op} ${JSON.stringify(value)}`, () => {
      for (const given of passing) expect(passes(type, op, value, given)).toBe(true);
      for (const given of failing) expect(passes(type, op, value, given)).toBe(false);
      // A value that is missing, null or older than the declaration fails all but the negative operators.
      const isNegative = op === 'neq' || op === 'not_in';
      const odd = type === 'string' ? 5 : { odd: true };
      for (const given of [undefined, null, odd]) expect(passes(type, op, value, given)).toBe(isNegative);
      expect(passesFilter(bound(type, op, value), null)).toBe(isNegative);
    });

  // proves: output-request/missing-value
  it('checks whether there is a value of the type', () => {
    const present: [PropertyType, unknown][] = [
      ['string', ''],
      ['number', 0],
      ['boolean', false],
      ['datetime', '2026-11-01T00:00:00Z'],
      ['string_array', []],
    ];
    for (const [type, given] of present) {
      expect([passes(type, 'exists', true, given), passes(type, 'exists', false, given)]).toEqual([true, false]);
      for (const none of [undefined, null, Symbol.iterator])
        expect([passes(type, 'exists', true, none), passes(type, 'exists', false, none)]).toEqual([false, true]);
    }
    expect(passes('datetime', 'exists', true, 'soon')).toBe(false);
  });

  it('compares with a long list as with a short one, but not value by value', async () => {
    const list = Array.from({ length: 100 }, (_, n) => `value-${n}`);
    const others = Array.from({ length: 20 }, (_, n) => `other-${n}`);
    expect(passes('string_array', 'contains_any', list, [...others, 'value-99'])).toBe(true);
    expect(passes('string', 'in', list, 'value-99')).toBe(true);
    expect(passes('string', 'not_in', list, 'value-99')).toBe(false);
    expect(passes('string', 'not_in', list, 'other-1')).toBe(true);
    const filter = bound('string_array', 'contains_any', list);
    const properties = { string_array: others };
    const ms = await cpuMsOf(() => {
      for (let item = 0; item < 50_000; item += 1) if (passesFilter(filter, properties)) throw new Error('passed');
    });
    // Each of two thousand comparisons per item would take half a second.
    expect(ms).toBeLessThan(250);
  });

  it('does not treat inherited members as properties', () => {
    const all = new Map([['constructor', { name: 'constructor', type: 'string' as const, filterable: true }]]);
    const filter = bindFilter({ property: 'constructor', op: 'exists', value: true }, all);
    expect(isFilterFault(filter) || passesFilter(filter, {})).toBe(false);
  });
});
