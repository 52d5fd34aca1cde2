import { describe, expect, it } from '@jest/globals';
import { propertyFaults, type PropertyType } from '../../../domain/items/properties.ts';

const judge = (type: PropertyType, value: unknown) =>
  propertyFaults([{ name: 'p', type, filterable: true }], { p: value }).map(({ field, code }) => `${field} ${code}`);

describe('a filterable property', () => {
  it.each<[PropertyType, unknown[]]>([
    ['string', ['', 'a']],
    ['number', [0, -1.5]],
    ['boolean', [true, false]],
    ['datetime', ['2026-11-20T09:00:00Z', '2026-11-20T09:00+03:00']],
    ['string_array', [[], ['a', 'b']]],
  ])('of type %s accepts its values, and null', (type, values) => {
    for (const value of [...values, null]) expect(judge(type, value)).toEqual([]);
  });

  // proves: write/properties
  it.each<[PropertyType, unknown[]]>([
    ['string', [1, true, ['a'], {}]],
    ['number', ['1', true]],
    ['boolean', ['true', 1]],
    ['datetime', [1763629200, ['2026-11-20T09:00:00Z']]],
    ['string_array', ['a', [1], [null], {}]],
  ])('of type %s refuses others', (type, values) => {
    for (const value of values)
      expect(judge(type, value)).toEqual(['p'].map((name) => `properties.${name} invalid_type`));
  });

  it('of type datetime distinguishes an invalid time', () => {
    for (const value of ['2026-11-20T09:00:00', 'tomorrow', '2026-02-30T00:00:00Z'])
      expect(judge('datetime', value)).toEqual(['properties.p invalid_datetime']);
  });

  it('may be missing, and inherited members do not count', () => {
    const declared = [
      { name: 'toString', type: 'string', filterable: true },
      { name: '__proto__', type: 'string', filterable: true },
    ] as const;
    expect(propertyFaults(declared, {})).toEqual([]);
    expect(propertyFaults(declared, null)).toEqual([]);
    expect(propertyFaults(declared, JSON.parse('{"__proto__": 1}') as Record<string, unknown>)).toEqual([
      { field: 'properties.__proto__', code: 'invalid_type' },
    ]);
  });
});

it('a property that is not filterable may have any value', () => {
  expect(propertyFaults([{ name: 'p', type: 'number', filterable: false }], { p: 'x' })).toEqual([]);
});
