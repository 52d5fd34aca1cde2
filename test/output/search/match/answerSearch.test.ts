import { describe, expect, it } from '@jest/globals';
import type { SearchSort } from '../../../../domain/search/facetAndSortNames.ts';
import type { SearchContext } from '../../../../output/search/match/answerSearch.ts';
import { columnBytes } from '../../../../output/search/match/cachedItemValues.ts';
import { NO_RULES } from '../../../support/showRules.ts';
import { change, placed } from '../../support/catalogues.ts';
import { ask, idsOf, libraryOf, type Book } from '../support/library.ts';

const sizes = { type: 'number', isWanted: true } as const;

function shelf(): SearchContext {
  return libraryOf(
    [
      { id: 'a', title: 'Стол дубовый', author: 'Иванов', tags: ['мебель', 'дуб'], item: { properties: { size: 3 } } },
      {
        id: 'b',
        title: 'Стол белый',
        author: 'Петров',
        tags: ['мебель'],
        item: { properties: { size: 1, level: ['x', 'y'] } },
      },
      { id: 'c', title: 'Стол письменный', author: 'Иванов', item: { properties: { made: '2026-01-02T00:00:00Z' } } },
      { id: 'd', title: 'Лампа', tags: ['мебель'], item: { properties: { size: 2 } } },
    ],
    { filterable: ['size', 'level', 'made'] },
  );
}

describe('facets and totals', () => {
  // proves: search/facets
  it('cover all hits, whatever the page', () => {
    const reply = ask(shelf(), 'стол', {
      limit: 1,
      facets: [
        { kind: 'authors' },
        { kind: 'tags' },
        { kind: 'types' },
        { kind: 'property', property: 'size', type: 'number' },
      ],
    });
    expect(reply).toMatchObject({ total: 3, isAll: false });
    expect(reply.facets).toEqual([
      {
        name: 'authors',
        values: [
          { value: 'Иванов', count: 2 },
          { value: 'Петров', count: 1 },
        ],
      },
      {
        name: 'tags',
        values: [
          { value: 'мебель', count: 2 },
          { value: 'дуб', count: 1 },
        ],
      },
      { name: 'types', values: [{ value: 'text', count: 3 }] },
      {
        name: 'size',
        values: [
          { value: 1, count: 1 },
          { value: 3, count: 1 },
        ],
      },
    ]);
  });

  // proves: search/include_seen
  it('leave out what the rules, the filters and the history exclude, and keep what was shown', () => {
    const filter = { ...sizes, property: 'size', op: 'gte', operands: [2] } as const;
    expect(ask(shelf(), 'стол', { rules: { ...NO_RULES, filters: [filter] } }).total).toBe(1);
    expect(ask(shelf(), 'стол', { rules: { ...NO_RULES, excludedAuthors: new Set(['Иванов']) } }).total).toBe(1);
    expect(ask(shelf(), 'стол', { seen: ['a'] }).total).toBe(2);
    const passed = ask(shelf(), 'стол', { passedOver: ['a', 'b'] });
    expect([passed.total, idsOf(passed), passed.isAll]).toEqual([3, ['c'], true]);
  });

  // proves: search/facets
  it('support lists and times', () => {
    const facets = [
      { kind: 'property', property: 'level', type: 'string_array' },
      { kind: 'property', property: 'made', type: 'datetime' },
    ] as const;
    expect(ask(shelf(), '', { facets }).facets.map(({ values }) => values.map(({ value }) => value))).toEqual([
      ['x', 'y'],
      ['2026-01-02T00:00:00.000Z'],
    ]);
  });
});

describe('sorting', () => {
  // proves: search/sort
  it('by a property puts missing values last in either direction', () => {
    const by = { kind: 'property', property: 'size', type: 'number' } as const;
    expect(idsOf(ask(shelf(), '', { sort: { by, dir: 'asc' } }))).toEqual(['b', 'd', 'a', 'c']);
    expect(idsOf(ask(shelf(), '', { sort: { by, dir: 'desc' } }))).toEqual(['a', 'd', 'b', 'c']);
  });

  // proves: search/sort
  it('by popularity works in both directions', () => {
    const library = { ...shelf(), popularity: (slot: number) => [1, 9, 5, 7][slot] ?? 0 };
    expect(idsOf(ask(library, '', { sort: { by: { kind: 'popular' }, dir: 'desc' } }))).toEqual(['b', 'd', 'c', 'a']);
    expect(idsOf(ask(library, '', { sort: { by: { kind: 'popular' }, dir: 'asc' } }))).toEqual(['a', 'c', 'd', 'b']);
  });

  // proves: search/sort
  it('by a time compares moments, whatever their zones', () => {
    const book = (id: string, publishedAt: string, made?: string): Book => ({
      id,
      title: 'Стол',
      item: { publishedAt: new Date(publishedAt), properties: made === undefined ? {} : { made } },
    });
    const library = libraryOf(
      [
        book('middle', '2026-02-01T00:00:00Z', '2026-01-02T01:00:00+03:00'),
        book('last', '2026-01-01T00:00:00Z', '2026-01-01T23:00:00Z'),
        book('first', '2026-03-01T00:00:00Z', '2026-01-01T12:00:00-01:00'),
        book('timeless', '2026-04-01T00:00:00Z'),
      ],
      { filterable: ['made'] },
    );
    const made = { kind: 'property', property: 'made', type: 'datetime' } as const;
    const sorted = (by: SearchSort['by'], dir: SearchSort['dir']) => idsOf(ask(library, 'стол', { sort: { by, dir } }));
    expect(sorted(made, 'asc')).toEqual(['first', 'middle', 'last', 'timeless']);
    expect(sorted(made, 'desc')).toEqual(['last', 'middle', 'first', 'timeless']);
    expect(sorted({ kind: 'published_at' }, 'asc')).toEqual(['last', 'middle', 'first', 'timeless']);
    expect(sorted({ kind: 'published_at' }, 'desc')).toEqual(['timeless', 'first', 'middle', 'last']);
  });

  // proves: search/personal
  it('puts what a person likes first, without adding or leaving out anything', () => {
    const taste = { weight: 0.5, items: [], authors: ['Петров'], interests: [] };
    const reply = ask(shelf(), 'стол', { taste });
    expect(idsOf(reply)[0]).toBe('b');
    expect([reply.total, idsOf(reply).toSorted()]).toEqual([3, ['a', 'b', 'c']]);
    expect(idsOf(ask(shelf(), 'стол', { taste: { ...taste, weight: 0 } }))).toEqual(idsOf(ask(shelf(), 'стол')));
    // Without a query all items are equally relevant.
    expect(idsOf(ask(shelf(), '', { taste: { ...taste, weight: 0.2 } }))[0]).toBe('b');
    expect(idsOf(ask(shelf(), '', { taste: { ...taste, weight: 0 } }))).toEqual(idsOf(ask(shelf(), '')));
  });

  // proves: search/personal
  it('weighs newness against what a person likes when there is no query', () => {
    const library = libraryOf([
      { id: 'old', author: 'Петров', item: { publishedAt: new Date(0) } },
      { id: 'new', author: 'Иванов', item: { publishedAt: new Date() } },
    ]);
    const first = (weight: number) =>
      idsOf(ask(library, '', { taste: { weight, items: [], authors: ['Петров'], interests: [] } }))[0];
    expect([0, 0.02, 0.2, 1].map(first)).toEqual(['new', 'new', 'old', 'old']);
  });
});

/** Two directions and some between them. */
const BOOKS: Book[] = [
  { id: 'soup', title: 'Борщ', item: { placed: placed([1, 0, 0]) } },
  { id: 'stew', title: 'Рагу из овощей', item: { placed: placed([0.9, 0.3, 0]) } },
  { id: 'tram', title: 'Трамвай', item: { placed: placed([0, 0, 1]) } },
  { id: 'other', title: 'Суп', item: { placed: placed([1, 0, 0], 'another model') } },
];
function cookbook(): SearchContext {
  const query = placed([1, 0.1, 0]);
  return { ...libraryOf(BOOKS), meaning: { placed: query, threshold: 0.3 } };
}

describe('search by meaning', () => {
  // proves: search/by-meaning
  it('finds items without the words, and nothing dissimilar to the query', () => {
    const reply = ask(cookbook(), 'обед', { semantic: 'auto' });
    expect([reply.mode, reply.model, reply.total]).toEqual(['hybrid', 'circle', 2]);
    expect(idsOf(reply)).toEqual(['soup', 'stew']);
  });

  // proves: search/semantic
  it('is combined with words', () => {
    expect(idsOf(ask(cookbook(), 'рагу', { semantic: 0.5 }))).toEqual(['stew', 'soup']);
    expect(idsOf(ask(cookbook(), 'суп', { semantic: 0.5 })).toSorted()).toEqual(['other', 'soup', 'stew']);
  });

  // proves: search/semantic
  it('ignores words if it is used alone, and words alone ignore meaning', () => {
    expect(idsOf(ask(cookbook(), 'трамвай', { semantic: 1 }))).toEqual(['soup', 'stew']);
    const reply = ask(cookbook(), 'трамвай', { semantic: 0 });
    expect([reply.mode, reply.model, idsOf(reply)]).toEqual(['lexical', null, ['tram']]);
  });

  // proves: search/phrases
  it('does not bypass phrases, minus words and rules', () => {
    expect(idsOf(ask(cookbook(), '"рагу из овощей" обед', { semantic: 0.5 }))).toEqual(['stew']);
    expect(idsOf(ask(cookbook(), 'обед -борщ', { semantic: 0.5 }))).toEqual(['stew']);
    expect(
      ask(cookbook(), 'обед', { semantic: 0.5, rules: { ...NO_RULES, excludedItems: new Set(['soup']) } }).total,
    ).toBe(1);
  });

  it('leaves out what is the same as excluded items', () => {
    const same = libraryOf([...BOOKS, { id: 'again', title: 'Борщ', item: { placed: placed([1, 0.01, 0]) } }]);
    const reply = ask(same, '', { suppressed: ['soup'] });
    expect([reply.total, idsOf(reply).toSorted()]).toEqual([2, ['other', 'tram']]);
  });
});

describe('the preferences of a request', () => {
  // proves: search/pin
  it('raise and lower relevance, and pins count whatever the query says', () => {
    const boost = { filter: { ...sizes, property: 'size', op: 'eq', operands: [1] } as const, factor: 10 };
    const [best, second] = ask(shelf(), 'стол', { boosts: [boost] }).found;
    expect([best?.id, best?.factor, second?.factor]).toEqual(['b', 10, undefined]);
    expect(idsOf(ask(shelf(), 'стол', { boosts: [{ ...boost, factor: 0.1 }] })).at(-1)).toBe('b');
    for (const [factor, place] of [
      [10, 0],
      [0.1, -1],
    ] as const)
      expect(idsOf(ask(shelf(), '', { boosts: [{ ...boost, factor }] })).at(place)).toBe('b');
    expect(ask(shelf(), 'стол', { pinned: ['d', 'a', 'nothing'] }).total).toBe(4);
    const rules = { ...NO_RULES, excludedItems: new Set(['d']) };
    expect(ask(shelf(), 'стол', { pinned: ['d'], rules }).total).toBe(3);
  });
});

describe('the order of hits', () => {
  const at = (time: string) => ({ publishedAt: new Date(`2026-10-01T${time}Z`) });
  const library = libraryOf([
    { id: 'older', title: 'Стол', item: at('10:00:00') },
    { id: 'newer', title: 'Стол', item: at('10:01:00') },
    { id: 'oldest', title: 'Стол', item: at('09:59:00') },
  ]);
  const popular = { ...library, popularity: () => 5_000 };

  it('uses their age if they are equally relevant or popular', () => {
    expect(idsOf(ask(library, 'стол'))).toEqual(['newer', 'older', 'oldest']);
    expect(idsOf(ask(library, ''))).toEqual(['newer', 'older', 'oldest']);
    expect(idsOf(ask(popular, 'стол', { sort: { by: { kind: 'popular' }, dir: 'desc' } }))).toEqual([
      'newer',
      'older',
      'oldest',
    ]);
  });
});

describe('the marks of a query that is being typed', () => {
  const library = libraryOf([{ id: 'a', title: 'Зелёный чай и кофейник' }]);
  const prefixesOf = (query: string) => ask(library, query, { prefix: true }).marks.prefixes;

  it('include the last word as a prefix if it may be the beginning of a word', () => {
    expect(prefixesOf('чай коф')).toEqual(['коф']);
    expect(prefixesOf('чай -кофе')).toEqual([]);
    expect(prefixesOf('"зелёный чай"')).toEqual([]);
    expect(ask(library, 'чай коф').marks.prefixes).toEqual([]);
  });
});

describe('the values of a facet', () => {
  it("are those of the items' current versions, however often they have changed", () => {
    const tables = Array.from({ length: 50 }, (_, n) => `t-${n}`);
    const library = libraryOf(
      tables.map((id) => ({ id, title: 'Стол', item: { properties: { size: 0 } } })),
      { filterable: ['size'] },
    );
    const facets = [{ kind: 'property', property: 'size', type: 'number' } as const];
    for (let first = 1; first <= 10_050; first += tables.length) {
      library.catalogue.apply(tables.map((id, n) => change(id, { properties: { size: first + n } })));
      const [facet] = ask(library, 'стол', { facets }).facets;
      const sizes = (facet?.values ?? []).map(({ value }) => Number(value) - first);
      if (sizes.length < 10 || sizes.some((size) => !(size >= 0 && size < tables.length)))
        throw new Error(`the facet is ${JSON.stringify(facet)} and not of ${first} and more`);
    }
    // A facet of 10,000 values is not kept.
    expect(columnBytes(library.catalogue)).toBeLessThan(100_000);
  });
});
