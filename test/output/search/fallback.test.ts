import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { readRecommendationId } from '../../../domain/output/recommendationId.ts';
import { countChanges } from '../../../loops/relay/popularityCounter.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import type { StageItem } from '../support/outputStage.ts';
import { declare, idsOf, stageSearch, walk } from './support/searchStage.ts';

/** Selection is never asked, as while it is down or loading. */
const stage = stageSearch({ deadlineMs: 0 });

afterEach(() => void jest.restoreAllMocks());

const ITEMS: [StageItem, StageItem, StageItem] = [
  { id: 'a', title: 'История трамваев Петербурга', author: 'x', tags: ['город'], published_at: '2026-01-01T00:00:00Z' },
  { id: 'b', title: 'Трамвай', author: 'y', published_at: '2026-02-01T00:00:00Z' },
  { id: 'c', title: 'Ёлка и tram stops', published_at: '2026-03-01T00:00:00Z' },
];

describe('a search that selection does not answer', () => {
  // proves: output-answer/other-trouble, search/mode, search/total
  it('finds by the words of titles, and counts what its pages show', async () => {
    await stage.addItems(ITEMS);
    const found = await stage.find('трамваи', { facets: ['authors', 'tags', 'types'], limit: 1 });
    expect(found).toMatchObject({ mode: 'fallback', model: null, total: { value: 2, relation: 'eq' } });
    expect(readRecommendationId(found.recommendation_id)?.mode).toBe('fallback');
    expect(found.facets['authors']).toEqual([
      { value: 'x', count: 1 },
      { value: 'y', count: 1 },
    ]);
    const pages = await walk(stage, 'трамваи', { limit: 1 });
    expect(pages.flatMap(idsOf)).toEqual(['b', 'a']);
    expect(pages.map(({ total }) => total.value)).toEqual([2, 2]);
    expect(found.items[0]?.highlights[0]).toEqual({ field: 'title', text: 'Трамвай', ranges: [[0, 7]] });
  });

  // proves: search/sort, search/languages
  it('supports both languages, ё, minus words and another order', async () => {
    await stage.addItems(ITEMS);
    expect(idsOf(await stage.find('елка'))).toEqual(['c']);
    expect(idsOf(await stage.find('stop'))).toEqual(['c']);
    expect(idsOf(await stage.find('трамвай -история'))).toEqual(['b']);
    expect(idsOf(await stage.find('-трамвай'))).toEqual(['c']);
    expect(idsOf(await stage.find('', { sort: { by: 'published_at', dir: 'asc' } }))).toEqual(['a', 'b', 'c']);
    expect(idsOf(await stage.find('ничего'))).toEqual([]);
  });

  // proves: search/sort
  it('orders hits by what people did in the last week, then by age', async () => {
    await stage.addItems(ITEMS);
    const visitors = ['a-1', 'a-2', 'a-3'];
    await stage.send([
      ...visitors.map((who) => ({ who, item: 'b' })),
      { who: 'a-1', item: 'a' },
      ...visitors.map((who) => ({ who, item: 'c', daysAgo: 9 })),
    ]);
    while ((await countChanges({ pool: stage.database.pool, logger: createLogger('relay', 'silent') })) > 0);
    const byPopularity = async (dir: string) => idsOf(await stage.find('', { sort: { by: 'popular', dir } }));
    expect(await byPopularity('desc')).toEqual(['b', 'a', 'c']);
    expect(await byPopularity('asc')).toEqual(['c', 'a', 'b']);
    await stage.addItems([{ id: 'd', title: 'Метро', published_at: '2026-04-01T00:00:00Z' }]);
    expect(await byPopularity('desc')).toEqual(['b', 'a', 'd', 'c']);
  });

  // proves: search/sort
  it('orders hits by a number or a time, and by their dates, in both directions', async () => {
    await declare(stage, 'price', 'number');
    await declare(stage, 'made', 'datetime');
    await stage.addItems([
      { ...ITEMS[0], properties: { price: 10, made: '2026-01-02T01:00:00+03:00' } },
      { ...ITEMS[1], properties: { price: 9, made: '2026-01-01T23:00:00Z' } },
      ITEMS[2],
    ]);
    const sortedBy = async (by: string, dir?: string) =>
      idsOf(await stage.find('', { sort: { by, ...(dir && { dir }) } })).join('');
    expect([await sortedBy('price', 'asc'), await sortedBy('price')]).toEqual(['bac', 'abc']);
    expect([await sortedBy('made', 'asc'), await sortedBy('made')]).toEqual(['abc', 'bac']);
    expect([await sortedBy('published_at', 'asc'), await sortedBy('published_at')]).toEqual(['abc', 'cba']);
  });

  // proves: search/phrases, search/minus-words
  it('finds the words of a phrase only together and in order, and nothing that has a minus word in any of its texts', async () => {
    await stage.addItems([
      { id: 'phrase', title: 'История трамваев' },
      { id: 'turned', title: 'Трамвай и его история' },
      { id: 'tagged', title: 'Трамваи города', tags: ['ремонт путей'] },
    ]);
    await stage.call('PUT', '/items/body', {
      type: 'text',
      title: 'Трамваи сегодня',
      body: 'Первые ремо\u0301нты вагонов. Которые вагоны старше?',
    });
    const found = async (query: string) => idsOf(await stage.find(query)).toSorted();
    expect(await found('"история трамваев"')).toEqual(['phrase']);
    expect(await found('«историй трамваев»')).toEqual(['phrase']);
    expect(await found('трамвай -"история трамваев"')).toEqual(['body', 'tagged', 'turned']);
    expect(await found('трамвай -ремонт')).toEqual(['phrase', 'turned']);
    expect(await found('трамвай -"ремонт вагона"')).toEqual(['phrase', 'tagged', 'turned']);
    expect(await found('трамвай -"вагон ремонта"')).toEqual(['body', 'phrase', 'tagged', 'turned']);
    // A word that only begins like an unwanted one is another word.
    expect(await found('трамвай -кот')).toEqual(['body', 'phrase', 'tagged', 'turned']);
    expect(await found('-ремонт')).toEqual(['phrase', 'turned']);
    // A query of signs alone finds nothing; an empty query finds everything.
    expect(await found('?! 🙂')).toEqual([]);
    expect(await found(' ')).toEqual(['body', 'phrase', 'tagged', 'turned']);
  });

  // proves: search/phrases, search/minus-words
  it('judges phrases and minus words by the words that readers of HTML see', async () => {
    await stage.addItems([
      { id: 'shy', title: 'Трам&shy;вай &amp; город' },
      { id: 'tagged', title: 'Город <b>Трам</b>вай<br>' },
      { id: 'named', title: '&Tcy;рамвай, город' },
      { id: 'numbered', title: '&#1058;рамвай, город' },
      { id: 'other', title: 'Город <b>без</b> метро &amp; &laquo;рельсов&raquo;' },
    ]);
    const found = async (query: string) => idsOf(await stage.find(query)).toSorted();
    expect(await found('город -трамвай')).toEqual(['other']);
    expect(await found('"город без метро"')).toEqual(['other']);
    expect(await found('"метро рельсов"')).toEqual(['other']);
  });

  // proves: search/minus-words
  it('reads at most two million characters to look for minus words, and leaves out items that it has not read', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    await stage.addItems(ids.map((id) => ({ id, title: 'Трамвай', published_at: '2026-01-01T00:00:00Z' })));
    await stage.api.pool.query(`update items set body = rpad('', 1000000, 'которые ') where project_id = $1`, [
      stage.project.id,
    ]);
    expect(idsOf(await stage.find('трамвай -кот'))).toEqual(['a', 'b']);
    expect(idsOf(await stage.find('трамвай -кошка'))).toEqual(ids);
  });

  // proves: search/minus-words, output-answer/503
  it('leaves out items with more text than can be looked through in time, instead of giving no answer', async () => {
    const ids = Array.from({ length: 30 }, (_, n) => `i-${String(n).padStart(2, '0')}`);
    await stage.addItems(ids.map((id) => ({ id, title: 'Трамвай', published_at: '2026-01-01T00:00:00Z' })));
    await stage.api.pool.query(`update items set body = rpad('', 1000000, 'вагоны ') where project_id = $1`, [
      stage.project.id,
    ]);
    // A letter takes two bytes, a space one: 26 items have 48.3 MB. Two more are read in full.
    expect(idsOf(await stage.find('трамвай -кот', { limit: 100 }))).toEqual(ids.slice(0, 28));
  });

  // proves: search/minus-words, output-answer/503
  it('reads what it can when looking through the texts takes too long', async () => {
    await stage.addItems(ITEMS);
    const { pool } = stage.api;
    const query = pool.query.bind(pool) as (...asked: unknown[]) => unknown;
    const late = (...asked: unknown[]): unknown => {
      if (JSON.stringify(asked[0]).includes('search-ids-')) throw Object.assign(new Error('late'), { code: '57014' });
      return query(...asked);
    };
    jest.spyOn(pool, 'query').mockImplementation(late as typeof pool.query);
    expect(idsOf(await stage.find('трамвай -история'))).toEqual(['b']);
  });

  // proves: search/minus-words
  it('excludes an item by a word that follows a backslash in its summary', async () => {
    await stage.addItems([
      { id: 'angle', title: 'Поток' },
      { id: 'plain', title: 'Потоки' },
    ]);
    await stage.api.pool.query(
      `update item_summaries set summary = jsonb_set(summary, '{summary}', to_jsonb($2::text)) where project_id = $1 and item_id = 'angle'`,
      [stage.project.id, 'Угол \\beta и поток'],
    );
    expect(idsOf(await stage.find('поток -beta'))).toEqual(['plain']);
  });

  // proves: output-answer/503
  it('answers without moments when they are not read in time', async () => {
    await stage.addItems(ITEMS);
    const { pool } = stage.api;
    const query = pool.query.bind(pool) as (...asked: unknown[]) => unknown;
    const late = (asked: { name?: string; values?: unknown[] }, ...more: unknown[]): unknown => {
      const isOfChunks = asked.name === 'search-excerpts' && asked.values?.[3] !== null;
      if (isOfChunks) throw Object.assign(new Error('late'), { code: '57014' });
      return query(asked, ...more);
    };
    jest.spyOn(pool, 'query').mockImplementation(late as typeof pool.query);
    const { items } = await stage.find('трамвай', { limit: 1 });
    expect(items[0]?.highlights[0]).toEqual({ field: 'title', text: 'Трамвай', ranges: [[0, 7]] });
  });

  it('applies authors and dates before it limits the number of titles', async () => {
    await stage.api.pool.query(
      `insert into items (project_id, id, type, title, author, status, published_at, origin, available, revision, steps, created_at, updated_at)
       select $1, 'i-' || n, 'text', 'Трамвай', 'many', 'ready', '2026-06-01', 'api', true, 1, '{}', now(), now() from generate_series(1, 2100) n`,
      [stage.project.id],
    );
    await stage.addItems([{ id: 'old', title: 'Трамвай', author: 'one', published_at: '2020-01-01T00:00:00Z' }]);
    expect(idsOf(await stage.find('трамвай', { authors: ['one'] }))).toEqual(['old']);
    expect(idsOf(await stage.find('трамвай', { published_before: '2021-01-01T00:00:00Z' }))).toEqual(['old']);
  });

  it('ranks titles higher the fewer words they have besides those of the query', async () => {
    await stage.addItems([
      { id: 'new', title: 'Красный чай и многое другое', published_at: '2026-03-01T00:00:00Z' },
      { id: 'exact', title: 'Красный чай', published_at: '2026-01-01T00:00:00Z' },
      { id: 'one', title: 'Чай', published_at: '2020-01-01T00:00:00Z' },
      { id: 'two', title: 'Чай белый', published_at: '2026-03-01T00:00:00Z' },
    ]);
    expect(idsOf(await stage.find('"красный чай"'))).toEqual(['exact', 'new']);
    // An excluded word does not count as a word of the query.
    expect(idsOf(await stage.find('чай -красный'))).toEqual(['one', 'two']);
  });

  // proves: output-request/explain, output-request/boosts
  it('multiplies the scores by boosts, and explains both', async () => {
    await stage.addItems([
      { id: 'boosted', title: 'Красный чай', published_at: '2026-01-01T00:00:00Z', properties: { level: 2 } },
      { id: 'plain', title: 'Чай', published_at: '2026-01-01T00:00:00Z' },
    ]);
    await stage.api.pool.query(
      `insert into item_properties (project_id, name, type, filterable) values ($1, 'level', 'number', true)`,
      [stage.project.id],
    );
    const boosts = [{ filter: { property: 'level', op: 'exists', value: true }, factor: 10 }];
    const [boosted, plain] = (await stage.find('чай', { boosts, explain: true })).items;
    expect([boosted?.id, plain?.id]).toEqual(['boosted', 'plain']);
    expect(boosted?.explain).toEqual({ relevance: expect.closeTo((boosted?.score ?? 0) / 10, 5), factor: 10 });
    expect(plain?.explain).toEqual({ relevance: plain?.score });
    expect(boosted?.score).toBeGreaterThan(plain?.score ?? Infinity);
  });

  // proves: search/include_seen
  it('respects excluded authors, deletions and include_seen', async () => {
    await stage.addItems(ITEMS);
    expect((await stage.find('трамвай', { exclude_authors: ['y'] })).total.value).toBe(1);
    await stage.call('DELETE', '/items/a');
    expect((await stage.find('трамвай')).total.value).toBe(1);
    const user = { user_id: 'u-1' };
    await stage.call('POST', '/events', {
      events: [{ id: 'e-1', type: 'open', item: 'b', user, value: 1, occurred_at: new Date().toISOString() }],
    });
    expect((await stage.find('трамвай', { user, include_seen: false })).total.value).toBe(0);
  });

  // proves: search/suggestions
  it('suggests titles that contain the words', async () => {
    await stage.addItems(ITEMS);
    const { body } = await stage.call('POST', '/search/suggest', { query: 'трамвай' });
    expect(body.suggestions).toContainEqual({ text: 'Трамвай', kind: 'title', highlights: [[0, 7]] });
  });

  // proves: search/suggestions
  it('suggests no title that a search would read as a phrase, an excluded word or a connecting word', async () => {
    await stage.addItems([
      { id: 'minus', title: 'Скидка -50%' },
      { id: 'quoted', title: 'Скидка «дня»' },
      { id: 'plain', title: 'Скидка на всё' },
      { id: 'joining', title: 'И' },
    ]);
    const textsFor = async (query: string) => {
      const { body } = await stage.call('POST', '/search/suggest', { query });
      return body.suggestions.map(({ text }: { text: string }) => text);
    };
    expect(await textsFor('скидка')).toEqual(['Скидка на всё']);
    expect(await textsFor('')).toEqual(['Скидка на всё']);
  });

  // proves: search/suggestions
  it('suggests titles in HTML as readers see them, if they find their item', async () => {
    await stage.addItems([
      { id: 'plain', title: 'Кофе &amp; чай' },
      { id: 'split', title: 'Кофе и ка&shy;као' },
    ]);
    const { body } = await stage.call('POST', '/search/suggest', { query: 'кофе' });
    expect(body.suggestions.map(({ text }: { text: string }) => text)).toEqual(['Кофе & чай']);
    expect(idsOf(await stage.find('Кофе & чай'))).toEqual(['plain']);
  });
});
