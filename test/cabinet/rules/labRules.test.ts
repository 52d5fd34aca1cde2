/** The meaning of the lab's URL, and the request derived from it. */
import { describe, expect, it } from '@jest/globals';
import { filtersOf, valueOf } from '../../../cabinet/src/data/output/propertyFilters.ts';
import { applyChange, compare, labSearchOf, missingOf, requestOf } from '../../../cabinet/src/data/output/lab.ts';
import { eventFilterOf } from '../../../cabinet/src/data/project/eventFilter.ts';
import { impressionsByDay } from '../../../cabinet/src/pages/content/events/impressions.ts';

const said = (search: object): object =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));

describe('the address of the lab', () => {
  it('is read back as it was written', () => {
    const search = {
      path: 'next',
      user: 'u-1',
      kind: 'anonymous_id',
      items: ['a', 'b'],
      surface: 'feed',
      limit: 5,
      seen: false,
      diversity: 0.5,
      filters: [{ property: 'level', op: 'gte', value: 3 }],
      change: { exploration: 0.1, surface: '' },
    };
    expect(said(labSearchOf(search))).toEqual({ ...search, change: expect.objectContaining(search.change) });
  });

  it('accepts numbers as texts, and ignores malformed values', () => {
    expect(said(labSearchOf({ user: 42, query: 7 }))).toEqual({ user: '42', query: '7' });
    expect(
      said(
        labSearchOf({
          path: 'elsewhere',
          limit: 1.5,
          diversity: 2,
          exploration: '0.1',
          seen: 'yes',
          items: 'a',
          filters: [{ property: 'level' }, 7],
          change: { surface: {} },
          surface: 'x'.repeat(17),
        }),
      ),
    ).toEqual({});
  });

  it('keeps as many items as its path accepts: fifty of a session, twenty of a cart', () => {
    const items = Array.from({ length: 60 }, (_, at) => `i-${at}`);
    expect(labSearchOf({ path: 'next', items }).items).toEqual(items.slice(0, 50));
    expect(labSearchOf({ path: 'together', items }).items).toEqual(items.slice(0, 20));
  });

  it('says what is missing for the path', () => {
    expect([missingOf({}), missingOf({ path: 'similar' }), missingOf({ path: 'search/suggest' })]).toEqual([
      null,
      'item',
      'query',
    ]);
    expect(missingOf({ path: 'search' })).toBeNull();
  });
});

describe('the request', () => {
  it('contains only what was entered', () => {
    expect(requestOf({})).toEqual({ path: 'feed', request: { fields: ['title'] } });
    expect(requestOf({ path: 'similar', items: ['a', 'b'], user: 'u', diversity: 0 })).toEqual({
      path: 'similar',
      request: { item: 'a', user: { user_id: 'u' }, diversity: 0, fields: ['title'] },
    });
    expect(requestOf({ path: 'popular', period: '30d', rising: true, region: 'Казань' }).request).toMatchObject({
      period: '30d',
      kind: 'trending',
      region: 'Казань',
    });
    expect(requestOf({ path: 'feed', city: 'Казань' }).request).toMatchObject({ context: { city: 'Казань' } });
  });

  it('for completions contains no fields of a ranking', () => {
    expect(requestOf({ path: 'search/suggest', query: 'tr', limit: 100, diversity: 1 })).toEqual({
      path: 'search/suggest',
      request: { query: 'tr', limit: 20 },
    });
  });

  it('for a cart contains twenty items at most, however many the session had', () => {
    const items = Array.from({ length: 50 }, (_, at) => `i-${at}`);
    expect(requestOf({ path: 'next', items }).request).toMatchObject({ items });
    expect(requestOf({ path: 'together', items }).request).toMatchObject({ items: items.slice(0, 20) });
  });

  it('with a change contains the change', () => {
    const search = { surface: 'feed', diversity: 0.1, filters: [{ property: 'p', op: 'eq' as const, value: 1 }] };
    expect(said(applyChange({ ...search, change: { surface: '', diversity: 0.9, unfiltered: true } }))).toEqual({
      diversity: 0.9,
    });
    expect(said(applyChange({ ...search, change: { surface: 'item' } }))).toEqual({ ...search, surface: 'item' });
    expect(said(applyChange(search))).toEqual(search);
  });
});

describe('two answers', () => {
  it('are compared place by place', () => {
    const { moves, gone, added, moved } = compare(['a', 'b', 'c'], ['c', 'b', 'd']);
    expect([...moves]).toEqual([
      ['c', 2],
      ['b', 'same'],
      ['d', 'new'],
    ]);
    expect([gone, added, moved]).toEqual([['a'], 1, 1]);
  });
});

describe('a filter', () => {
  it.each([
    ['3', 'gte', 'number', 3],
    ['three', 'eq', 'number', 'three'],
    ['a, b,', 'in', 'string', ['a', 'b']],
    ['1,2', 'not_in', 'number', [1, 2]],
    ['false', 'eq', 'boolean', false],
    ['', 'exists', 'string', true],
    ['3', 'eq', 'string', '3'],
  ] as const)('with the text “%s” and the condition %s on a %s has the value %j', (text, op, type, value) => {
    expect(valueOf(text, op, type)).toEqual(value);
  });

  it('in an address has a property, a condition and a value', () => {
    expect(filtersOf([{ property: 'p', op: 'near', value: 1 }])).toBeUndefined();
    expect(filtersOf([{ property: 'p', op: 'in', value: ['a', {}] }])).toBeUndefined();
    expect(filtersOf([{ property: 'p', op: 'in', value: ['a'], other: 1 }])).toEqual([
      { property: 'p', op: 'in', value: ['a'] },
    ]);
  });
});

it('the address of events is read back as it was written', () => {
  const filter = { type: 'open', user: '17', kind: 'user_id', item: 'a', outcome: 'rejected' };
  expect(eventFilterOf({ ...filter, user: 17 })).toEqual(filter);
  expect(said(eventFilterOf({ kind: 'other', outcome: 1, item: '' }))).toEqual({});
});

it('the impressions of an item have a value for each of the last days', () => {
  const count = (day: string, some: number) => ({ day, surface: null, position: null, count: some });
  const { days, values } = impressionsByDay(
    [count('2026-11-20', 2), count('2026-11-20', 3), count('2026-11-18', 1)],
    new Date('2026-11-20T12:00:00Z'),
  );
  expect([days.length, days.at(-1), values.slice(-3)]).toEqual([31, '2026-11-20', [1, 0, 5]]);
});
