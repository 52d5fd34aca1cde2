import { describe, expect, it } from '@jest/globals';
import { readRecommendationId } from '../../../domain/output/recommendationId.ts';
import { MODEL } from '../support/outputStage.ts';
import { stageSurfaces } from '../support/surfaces.ts';
import { declare, idsOf, stageSearch, TRAMS, walk } from './support/searchStage.ts';

const stage = stageSearch();
const surfaces = stageSurfaces(stage);

describe('POST /search', () => {
  // proves: output-paths/search, output-answer/match, search/mode, search/highlights
  it('returns the matches, with total, facets and marked words', async () => {
    await stage.addItems(TRAMS);
    await stage.indexed();
    const found = await stage.find('трамвай', { facets: ['authors', 'tags'], fields: ['title'] });
    expect(idsOf(found).toSorted()).toEqual(['tram-1', 'tram-2', 'tram-3']);
    expect(found).toMatchObject({
      mode: 'lexical',
      model: null,
      next_cursor: null,
      total: { value: 3, relation: 'eq' },
      corrected_query: null,
    });
    expect(readRecommendationId(found.recommendation_id)).toEqual({ mode: 'lexical', variant: null });
    expect(found.facets).toEqual({
      authors: [
        { value: 'a-1', count: 2 },
        { value: 'a-2', count: 1 },
      ],
      tags: [
        { value: 'транспорт', count: 2 },
        { value: 'город', count: 1 },
      ],
    });
    const third = found.items.find(({ id }) => id === 'tram-3');
    expect(third).toMatchObject({ reason: { code: 'match' }, fields: { title: 'Трамваи Москвы' }, chunks: [] });
    expect(third?.highlights[0]).toEqual({ field: 'title', text: 'Трамваи Москвы', ranges: [[0, 7]] });
  });

  // proves: search/semantic, search/mode, search/by-meaning
  it('combines words with meaning if `semantic` is auto, and leaves out items that match neither', async () => {
    await stage.addItems(TRAMS);
    await stage.indexed();
    const found = await stage.find('петербургские трамваи', { semantic: 'auto' });
    expect(found).toMatchObject({ mode: 'hybrid', model: MODEL });
    expect(readRecommendationId(found.recommendation_id)?.mode).toBe('hybrid');
    expect(idsOf(found)).not.toContain('soup-1');
  });

  // proves: search/keyboard, search/synonyms, output-cabinet/synonym-endpoints
  it('corrects typing errors, and uses changed synonyms from the next search on', async () => {
    await stage.addItems(TRAMS);
    await stage.indexed();
    expect(await stage.find('nhfvdfb')).toMatchObject({ corrected_query: 'трамваи', total: { value: 3 } });
    expect((await stage.find('вагончик')).total.value).toBe(0);
    const synonyms = [{ words: ['вагончик'], to: ['трамвай'] }];
    expect((await surfaces.cabinet('PUT', surfaces.of('/synonyms'), { synonyms })).status).toBe(200);
    expect((await stage.find('вагончик')).total.value).toBe(3);
    expect((await stage.find('вагончики петербург')).total.value).toBe(2);
  });

  // proves: search/typos, search/prefix, output-paths/suggest
  it('corrects errors unless `typos` is false, and completes words if `prefix` is true, as suggestions do by default', async () => {
    await stage.addItems(TRAMS);
    await stage.indexed();
    const totalOf = async (query: string, body: object = {}) => (await stage.find(query, body)).total.value;
    expect([await totalOf('nhfvdfb'), await totalOf('nhfvdfb', { typos: false })]).toEqual([3, 0]);
    expect([await totalOf('петерб'), await totalOf('петерб', { prefix: true })]).toEqual([0, 2]);
    const titlesFor = async (query: string, body: object = {}) => {
      const { body: answer } = await stage.call('POST', '/search/suggest', { query, ...body });
      return answer.suggestions.flatMap(({ kind, text }: { kind: string; text: string }) =>
        kind === 'title' ? [text] : [],
      );
    };
    const [first, second, third] = TRAMS.map(({ title }) => title);
    expect((await titlesFor('петерб')).toSorted()).toEqual([first, second]);
    expect(await titlesFor('петерб', { prefix: false })).toEqual([]);
    expect((await titlesFor('nhfvdfb')).toSorted()).toEqual([first, third, second]);
    expect(await titlesFor('nhfvdfb', { typos: false })).toEqual([]);
  });

  it('finds pictures by what they show, in addition to what is found by words', async () => {
    const media = [{ kind: 'video', url: 'https://media.test/a.mp4' }] as const;
    await stage.addItems([
      {
        id: 'evening',
        type: 'video',
        title: 'IMG 2041',
        media: [...media],
        pictures: [
          [0, 0.1, 1],
          [0.9, 0.3, 0.2],
        ],
      },
      { id: 'beach', type: 'video', title: 'IMG 2042', media: [...media], pictures: [[0.1, 0.9, 0.1]] },
      { id: 'essay', title: 'Закат Европы' },
    ]);
    await stage.indexed();
    const idsOf = async (query: string, body: object = {}) =>
      (await stage.find(query, { semantic: 'auto', ...body })).items.map(({ id }) => id).toSorted();
    expect(await idsOf('закат')).toEqual(['essay', 'evening']);
    expect(await idsOf('море')).toEqual(['beach']);
    expect(await idsOf('закат', { semantic: 0 })).toEqual(['essay']);
    expect(await idsOf('закат', { types: ['text'] })).toEqual(['essay']);
    await stage.call('DELETE', '/items/evening');
    expect(await idsOf('закат')).toEqual(['essay']);
  });

  // proves: search/relation-gte
  it('says that there are more than 10,000 hits', async () => {
    await stage.api.pool.query(
      `insert into items (project_id, id, type, title, status, published_at, origin, available, revision, steps, created_at, updated_at)
       select $1, 'i-' || n, 'text', 'Трамвай', 'ready', now(), 'api', true, 1, '{}', now(), now() from generate_series(1, 10001) n`,
      [stage.project.id],
    );
    await stage.indexed();
    const found = await stage.find('трамвай', { facets: ['types'], limit: 1 });
    expect(found).toMatchObject({ mode: 'lexical', total: { value: 10_000, relation: 'gte' } });
    expect(found.facets['types']).toEqual([{ value: 'text', count: 10_001 }]);
    await stage.call('DELETE', '/items/i-7');
    expect((await stage.find('трамвай', { limit: 1 })).total).toEqual({ value: 10_000, relation: 'eq' });
  });

  // proves: search/sort
  it('sorts by a property, the highest first by default, and refuses one that is not filterable or of the wrong type', async () => {
    await declare(stage, 'price', 'number');
    await declare(stage, 'level', 'string');
    await declare(stage, 'note', 'string', false);
    await stage.addItems([3, 1, 2].map((price) => ({ id: `p-${price}`, title: 'Трамвай', properties: { price } })));
    await stage.indexed();
    const sortedBy = async (sort: object) => idsOf(await stage.find('трамвай', { sort }));
    expect(await sortedBy({ by: 'price', dir: 'asc' })).toEqual(['p-1', 'p-2', 'p-3']);
    for (const dir of [{}, { dir: 'desc' }])
      expect(await sortedBy({ by: 'price', ...dir })).toEqual(['p-3', 'p-2', 'p-1']);
    const refused = await stage.call('POST', '/search', {
      query: '',
      facets: ['level', 'note', 'nothing'],
      sort: { by: 'level' },
    });
    expect(refused.status).toBe(422);
    expect(refused.body.error.details).toMatchObject([
      { field: 'facets[1]', code: 'unknown_filter' },
      { field: 'facets[2]', code: 'unknown_filter' },
      { field: 'sort.by', code: 'unknown_filter' },
    ]);
  });

  // proves: output-request/cursor
  it('refuses a forged cursor before any fault that only stored data can show, as all paths do', async () => {
    const filters = [{ property: 'nothing', op: 'eq', value: 1 }];
    for (const [path, body] of [
      ['/search', { query: '', facets: ['nothing'] }],
      ['/search', { query: '', filters }],
      ['/recommendations/feed', { filters }],
    ] as const) {
      const { status, body: answer } = await stage.call('POST', path, { ...body, cursor: 'forged' });
      expect([status, answer.error.details]).toMatchObject([400, [{ field: 'cursor', code: 'invalid_value' }]]);
    }
  });

  // proves: output-paths/unknown-fields, output-paths/search, search/semantic, search/facets
  it('refuses a query that is missing or too long, other invalid values, and unknown fields', async () => {
    const faultOf = async (body: object) => {
      const { status, body: answer } = await stage.call('POST', '/search', body);
      return [status, answer.error.details.map(({ field }: { field: string }) => field)];
    };
    expect(await faultOf({ query: 'я'.repeat(501) })).toEqual([422, ['query']]);
    expect(await faultOf({})).toEqual([422, ['query']]);
    expect(await faultOf({ query: '', semantic: 2 })).toEqual([422, ['semantic']]);
    expect(await faultOf({ query: '', facets: Array.from({ length: 11 }, () => 'tags') })).toEqual([422, ['facets']]);
    expect(await faultOf({ query: '', fuzzy: true })).toEqual([422, ['fuzzy']]);
  });
});

describe('the taste of a person', () => {
  const user = { user_id: 'u-1' };
  /** Adds books that are found by their words alone; the person follows `liked`. */
  async function addBooks(books: readonly { title: string; author?: string }[]): Promise<void> {
    const put = (book: object, n: number) => ({
      op: 'put',
      id: `i-${n}`,
      data: { type: 'text', published_at: new Date(Date.UTC(2026, 0, 200 - n)).toISOString(), ...book },
    });
    const operations = books.map(put);
    for (let from = 0; from < operations.length; from += 100)
      await stage.call('POST', '/items/batch', { operations: operations.slice(from, from + 100) });
    await stage.call('POST', '/users/profile', { user, followed_authors: ['liked'] });
    await stage.indexed();
  }
  const orderWith = async (body: object) => idsOf(await stage.find('трамвай', { user, ...body }));

  // proves: search/semantic-default
  it('has a weight of 0.2 by default', async () => {
    const longer = Array.from({ length: 12 }, (_, n) => Array.from({ length: 5 * n + 4 }, (_word, at) => `слово${at}`));
    await addBooks([
      { title: 'Трамвай' },
      ...longer.map((words) => ({ title: `Трамвай ${words.join(' ')}`, author: 'liked' })),
    ]);
    const plain = await orderWith({});
    expect(plain).toEqual(await orderWith({ personal: 0.2 }));
    for (const personal of [0, 0.15, 0.25]) expect(await orderWith({ personal })).not.toEqual(plain);
  });

  // proves: search/personal-reach
  it('reorders only the first hundred, on all pages, and does not change the total', async () => {
    await addBooks(
      Array.from({ length: 105 }, (_, n) => ({ title: 'Трамвай', ...([99, 100].includes(n) && { author: 'liked' }) })),
    );
    const pages = await walk(stage, 'трамвай', { user, personal: 1, limit: 60 });
    const others = Array.from({ length: 105 }, (_, n) => n).filter((n) => n !== 99);
    expect(pages.flatMap(idsOf)).toEqual([99, ...others].map((n) => `i-${n}`));
    expect(pages.map(({ mode, total }) => [mode, total.value])).toEqual(pages.map(() => ['lexical', 105]));
  });
});

describe('the explanation of a hit', () => {
  // proves: output-request/explain
  it('consists of its words and meaning, and of the taste that changed its place', async () => {
    const user = { user_id: 'u-1' };
    await stage.addItems(TRAMS.map((item) => ({ ...item, published_at: '2026-01-01T00:00:00Z' })));
    await stage.call('POST', '/users/profile', { user, followed_authors: ['a-2'] });
    await stage.indexed();
    const pins = [{ item: 'soup-1', position: 3 }];
    const body = { semantic: 'auto', personal: 1, explain: true, pins, user, limit: 4 };
    const { items, model } = await stage.find('трамваи', body);
    const explained = items.map(({ id, score, explain = {} }) => ({ id, score, ...explain })) as {
      id: string;
      score: number;
      relevance?: number;
      parts: Record<string, number>;
    }[];
    const hits = explained.filter(({ id }) => id !== 'soup-1');
    expect(hits.length).toBeGreaterThan(1);
    for (const { score, relevance, parts } of hits) {
      expect(relevance).toBe(score);
      expect((parts['words'] ?? 0) + (parts['meaning'] ?? 0)).toBeCloseTo(score, 4);
    }
    expect(hits[0]).toMatchObject({ id: 'tram-2', parts: { taste: 1 }, model });
    expect(hits[0]?.score).toBeLessThan(Math.max(...hits.map(({ score }) => score)));
    expect(items.find(({ id }) => id === 'soup-1')?.explain).toEqual({ parts: {} });
  });
});

describe('the weight of meaning', () => {
  // proves: search/semantic-default
  it('is auto by default', async () => {
    await stage.addItems(TRAMS);
    await stage.indexed();
    const scoresWith = async (body: object) => {
      const answer = await stage.call('POST', '/search', { query: 'история трамваев', ...body });
      return [answer.body.mode, answer.body.items.map(({ id, score }: { id: string; score: number }) => [id, score])];
    };
    const plain = await scoresWith({});
    expect(plain).toEqual(await scoresWith({ semantic: 'auto' }));
    for (const semantic of [0, 0.4, 0.6, 1]) expect(await scoresWith({ semantic })).not.toEqual(plain);
  });
});

describe('a pinned item', () => {
  // proves: search/pin
  it('stays at its position whatever the query says, counts, and appears once', async () => {
    await stage.addItems(TRAMS);
    await stage.indexed();
    const body = { pins: [{ item: 'soup-1', position: 1 }], limit: 2 };
    const pages = await walk(stage, 'трамвай', body);
    expect(pages.map(({ total }) => total.value)).toEqual([4, 4]);
    const ids = pages.flatMap(idsOf);
    expect([ids[1], ids.toSorted()]).toEqual(['soup-1', ['soup-1', 'tram-1', 'tram-2', 'tram-3']]);
    expect(pages[0]?.items[1]).toMatchObject({ reason: { code: 'pinned' } });
  });
});
