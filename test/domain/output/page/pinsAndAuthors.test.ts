import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { arrange, type Arranging, type Placeable } from '../../../../domain/output/page/pinsAndAuthors.ts';

interface Entry extends Placeable {
  id: string;
}

const entry = (id: string, author: string | null = null, earliest = 0): Entry => ({ id, author, earliest });
const page = (given: Partial<Arranging<Entry>>) => {
  const { placed, left } = arrange<Entry>({
    ranked: [],
    pinned: [],
    first: 0,
    limit: 10,
    perAuthor: null,
    isAll: true,
    ...given,
  });
  return { ids: placed.map(({ entry: { id } }) => id), placed, left };
};

describe('a page', () => {
  it('has its pins at their positions', () => {
    const ranked = ['a', 'b', 'c', 'd'].map((id) => entry(id));
    const pinned = [
      { entry: entry('p3'), position: 3 },
      { entry: entry('p0'), position: 0 },
    ];
    expect(page({ ranked, pinned }).ids).toEqual(['p0', 'a', 'b', 'p3', 'c', 'd']);
    expect(page({ ranked, pinned, limit: 2 })).toMatchObject({ ids: ['p0', 'a'], left: 4 });
    // Two pins for one place are adjacent.
    const both = [0, 0].map((position, at) => ({ entry: entry(`p${at}`), position }));
    expect(page({ ranked, pinned: both }).ids.slice(0, 3)).toEqual(['p0', 'p1', 'a']);
  });

  it('has pins beyond the end at its end, once the end is known', () => {
    const pinned = [{ entry: entry('far'), position: 500 }];
    const ranked = [entry('a')];
    expect(page({ ranked, pinned })).toMatchObject({ ids: ['a', 'far'], left: 0 });
    expect(page({ ranked, pinned, isAll: false })).toMatchObject({ ids: ['a'], left: 1 });
    expect(page({ ranked, pinned, limit: 1 })).toMatchObject({ ids: ['a'], left: 1 });
  });

  it('has no more items of one author than allowed, including pins', () => {
    const ranked = [entry('a1', 'a'), entry('a2', 'a'), entry('a3', 'a'), entry('n1'), entry('n2'), entry('b', 'b')];
    expect(page({ ranked, perAuthor: 2 })).toMatchObject({ ids: ['a1', 'a2', 'n1', 'n2', 'b'], left: 1 });
    const pinned = [2, 4].map((position) => ({ entry: entry(`p${position}`, 'a'), position }));
    expect(page({ ranked, pinned, perAuthor: 2 }).ids).toEqual(['n1', 'n2', 'p2', 'b', 'p4']);
    expect(page({ ranked, pinned, perAuthor: 1 })).toMatchObject({ ids: ['n1', 'n2', 'p2', 'b'], left: 4 });
  });

  it('does not begin with a trial item, unless there is nothing else', () => {
    const tried = entry('tried', null, 2);
    expect(page({ ranked: [tried, entry('a'), entry('b'), entry('c')] }).ids).toEqual(['a', 'b', 'tried', 'c']);
    expect(page({ ranked: [tried, entry('a')] }).ids).toEqual(['a', 'tried']);
  });
});

describe('consecutive pages', () => {
  const authors = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: null });
  interface Given {
    ranked: (string | null)[];
    pinned: { author: string | null; position: number }[];
    limit: number;
    perAuthor: number | null;
  }
  const lists: fc.Arbitrary<Given> = fc.record({
    ranked: fc.array(authors, { maxLength: 40 }),
    pinned: fc.array(fc.record({ author: authors, position: fc.nat(60) }), { maxLength: 5 }),
    limit: fc.integer({ min: 1, max: 12 }),
    perAuthor: fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
  });

  /** Simulates an answer's pages: items that a page has placed are removed for the next one. */
  function pagesOf({ ranked: given, pinned: wanted, limit, perAuthor }: Given) {
    let ranked = given.map((author, at) => entry(`r${at}`, author));
    let pinned = wanted.map(({ author, position }, at) => ({ entry: entry(`p${at}`, author), position }));
    const pages = [];
    for (let first = 0; ;) {
      const { placed, left } = arrange({ ranked, pinned, first, limit, perAuthor, isAll: true });
      pages.push({ placed, left, first });
      first += placed.length;
      if (placed.length === 0 || left === 0) return pages;
      const gone = new Set(placed.map(({ entry: { id } }) => id));
      ranked = ranked.filter(({ id }) => !gone.has(id));
      pinned = pinned.filter(({ entry: { id } }) => !gone.has(id));
    }
  }

  it('show everything once, at positions without gaps, and say correctly whether more follows', () => {
    fc.assert(
      fc.property(lists, (given) => {
        const pages = pagesOf(given);
        const placed = pages.flatMap((one) => one.placed);
        expect(placed.map(({ position }) => position)).toEqual(placed.map((_, at) => at));
        expect(new Set(placed.map(({ entry: { id } }) => id)).size).toBe(placed.length);
        expect(placed).toHaveLength(given.ranked.length + given.pinned.length);
        for (const { placed: own, left } of pages.slice(0, -1))
          expect([own.length > 0, left > 0]).toEqual([true, true]);
        expect(pages.at(-1)?.left).toBe(0);
      }),
    );
  });

  // proves: output-small/max_per_author
  it('respect the limit per author on every page, and the ranking within an author', () => {
    fc.assert(
      fc.property(lists, (given) => {
        const pages = pagesOf(given);
        for (const { placed } of pages)
          for (const [author, own] of Map.groupBy(placed, (one) => one.entry.author))
            if (author !== null) expect(own.length).toBeLessThanOrEqual(given.perAuthor ?? Infinity);
        const ranked = pages.flatMap(({ placed }) => placed.filter(({ isPinned }) => !isPinned));
        for (const own of Map.groupBy(ranked, (one) => one.entry.author).values()) {
          const numbers = own.map(({ entry: { id } }) => Number(id.slice(1)));
          expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  it('have every pin at its position, or as close after it as the rules and the end of the list allow', () => {
    fc.assert(
      fc.property(lists, (given) => {
        const free = { ...given, perAuthor: null };
        const total = given.ranked.length + given.pinned.length;
        const placed = new Map(
          pagesOf(free).flatMap((one) => one.placed.map((each) => [each.entry.id, each.position] as const)),
        );
        const wanted = given.pinned.map(({ position }, at) => ({ position, at: placed.get(`p${at}`) ?? -1 }));
        for (const { position, at } of wanted) {
          const before = wanted.filter((other) => other.position <= position).length - 1;
          expect(at).toBeGreaterThanOrEqual(Math.min(position, total - given.pinned.length));
          expect(at).toBeLessThanOrEqual(position + before);
        }
      }),
    );
  });
});
