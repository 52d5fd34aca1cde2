import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FILTER_OPS } from '../../../domain/output/propertyFilters.ts';
import type { StageItem } from '../support/outputStage.ts';
import { idsOf, stageSearch, walk } from './support/searchStage.ts';

const stage = stageSearch();

const NOUNS = ['трамвай', 'автобус', 'поезд', 'вокзал', 'city'];
const LEVELS = ['easy', 'hard', 'средний'];
const SEED = 42;

/** Items of every kind, the same in each run. */
const ITEMS: StageItem[] = Array.from({ length: 60 }, (_, n) => ({
  id: `i-${n}`,
  title: `${NOUNS[n % 5]} ${NOUNS[(n * 3 + 1) % 5]} номер ${n}`,
  ...(n % 4 > 0 && { author: `a-${n % 3}` }),
  tags: n % 2 === 0 ? ['чётный', `тег ${n % 7}`] : [],
  ageRating: ([null, '0+', '12+', '18+'] as const)[n % 4] ?? null,
  properties: {
    ...(n % 5 > 0 && { level: LEVELS[n % 3] }),
    ...(n % 3 > 0 && { price: n % 10 }),
    ...(n % 2 > 0 && { parts: [`x${n % 3}`, `y${n % 4}`] }),
  },
}));

const filter = fc.oneof(
  fc.record({ property: fc.constant('level'), op: fc.constantFrom('eq', 'neq'), value: fc.constantFrom(...LEVELS) }),
  fc.record({
    property: fc.constant('level'),
    op: fc.constantFrom('in', 'not_in'),
    value: fc.constant(['easy', 'hard']),
  }),
  fc.record({ property: fc.constant('price'), op: fc.constantFrom('gt', 'gte', 'lt', 'lte'), value: fc.nat(9) }),
  fc.record({
    property: fc.constant('parts'),
    op: fc.constantFrom('contains_any', 'contains_all'),
    value: fc.constant(['x1', 'y1']),
  }),
  fc.record({ property: fc.constantFrom('level', 'price', 'parts'), op: fc.constant('exists'), value: fc.boolean() }),
);
const request = fc.record(
  {
    filters: fc.array(filter, { maxLength: 2 }),
    exclude_authors: fc.subarray(['a-0', 'a-1', 'a-2']),
    max_age_rating: fc.constantFrom('6+', '12+', null),
    exclude: fc.array(
      fc.nat(59).map((n) => `i-${n}`),
      { maxLength: 5 },
    ),
    user: fc.constant({ user_id: 'u-1' }),
    include_seen: fc.boolean(),
    semantic: fc.constantFrom('auto', 0, 1),
    sort: fc.constantFrom({ by: 'relevance' }, { by: 'price', dir: 'asc' }, { by: 'published_at' }),
    limit: fc.integer({ min: 5, max: 40 }),
  },
  { requiredKeys: ['limit', 'filters'] },
);
const query = fc.constantFrom(
  '',
  'трамвай',
  'поезд город',
  'номер',
  '"автобус поезд"',
  'номер -вокзал',
  'nhfvdfq',
  'city',
);

// proves: output-request/filters, output-request/fields, search/total, search/include_seen
it('totals and facets match all pages together, under any rules, and nothing appears twice', async () => {
  expect(new Set(FILTER_OPS).size).toBe(11);
  await stage.api.pool.query(
    `insert into item_properties (project_id, name, type, filterable)
     values ($1, 'level', 'string', true), ($1, 'price', 'number', true), ($1, 'parts', 'string_array', true)`,
    [stage.project.id],
  );
  await stage.addItems(ITEMS);
  await stage.call('POST', '/events', {
    events: Array.from({ length: 20 }, (_, n) => ({
      id: `e-${n}`,
      type: n % 5 === 0 ? 'hide' : 'open',
      item: `i-${n * 3}`,
      user: { user_id: 'u-1' },
      value: 1,
      occurred_at: new Date().toISOString(),
    })),
  });
  await stage.indexed();
  await fc.assert(
    fc.asyncProperty(query, request, async (asked, body) => {
      const facets = ['authors', 'tags', 'level', 'price', 'parts', 'types'];
      const pages = await walk(stage, asked, { ...body, facets, fields: ['author', 'tags', 'properties'] });
      const items = pages.flatMap((page) => page.items);
      const [first] = pages;
      expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
      expect(items.map(({ position }) => position)).toEqual(items.map((_, at) => at));
      for (const { total } of pages) expect(total).toEqual({ value: items.length, relation: 'eq' });
      const counted = (valuesOf: (fields: Record<string, unknown>) => unknown[]) => {
        const counts = new Map<unknown, number>();
        for (const { fields = {} } of items)
          for (const value of valuesOf(fields)) counts.set(value, (counts.get(value) ?? 0) + 1);
        return counts;
      };
      const told = (name: string) => new Map(first?.facets[name]?.map(({ value, count }) => [value, count]));
      const property = (name: string) => (fields: Record<string, unknown>) =>
        [(fields['properties'] as Record<string, unknown> | null)?.[name] ?? []].flat();
      expect(told('authors')).toEqual(counted(({ author }) => (author === null ? [] : [author])));
      expect(told('tags')).toEqual(counted(({ tags }) => (tags as string[] | null) ?? []));
      for (const name of ['level', 'price', 'parts']) expect(told(name)).toEqual(counted(property(name)));
      expect(told('types').get('text') ?? 0).toBe(items.length);
    }),
    { numRuns: 60, seed: SEED },
  );
  expect(idsOf(await stage.find('', { limit: 100 })).length).toBe(60);
});
