/** Later pages of an answer that began in a different mode from the one that the next request would have. */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { untilWaiting } from '../../support/lockWaits.ts';
import { MAX_DEADLINE_MS, sightOf, vectorOf, type StageItem } from '../support/outputStage.ts';
import { idsOf, stageSearch, type SearchResponse } from './support/searchStage.ts';

const MEANT = 'Рецепт борща';
let isLate: boolean;
let isSightLate: boolean;
const stage = stageSearch({
  // Every query gets the vector of this title.
  embed: () => (isLate ? Promise.reject(new Error('no vector in time')) : Promise.resolve(vectorOf(MEANT))),
  embedSight: (text) => (isSightLate ? Promise.reject(new Error('no vector in time')) : Promise.resolve(sightOf(text))),
});
beforeEach(() => {
  isLate = false;
  isSightLate = false;
});
afterEach(() => {
  jest.restoreAllMocks();
});

const ITEMS: StageItem[] = [
  { id: 'h-1', title: 'История трамваев Петербурга' },
  { id: 'h-2', title: 'Трамваи и их история' },
  { id: 'm-1', title: MEANT },
];
const QUERY = 'история трамваев';
const ask = (body: object) => stage.find(QUERY, { semantic: 'auto', limit: 1, facets: ['types'], ...body });

async function rest(first: SearchResponse): Promise<SearchResponse[]> {
  const pages = [first];
  for (let cursor = first.next_cursor; cursor;) {
    const page = await ask({ cursor });
    pages.push(page);
    cursor = page.next_cursor;
  }
  return pages;
}

function expectExact(pages: readonly SearchResponse[]): void {
  const shown = pages.flatMap(idsOf);
  expect(new Set(shown).size).toBe(shown.length);
  expect(pages.map(({ total }) => total.value)).toEqual(pages.map(() => shown.length));
  expect(pages.map(({ facets }) => facets['types']?.[0]?.count)).toEqual(pages.map(() => shown.length));
}

// proves: search/total, search/facets
it('pages after one that had no query vector find by words alone too, so that the total is exact', async () => {
  await stage.addItems(ITEMS);
  await stage.indexed();
  isLate = true;
  const first = await ask({});
  isLate = false;
  expect([first.mode, first.total.value]).toEqual(['lexical', 2]);
  expectExact(await rest(first));
  expect(await ask({})).toMatchObject({ mode: 'hybrid', total: { value: 3 } });
});

// proves: search/total, search/facets
it('pages after a fallback are fallbacks, although the words are in memory by then', async () => {
  await stage.addItems(ITEMS);
  // Nothing of a new project is in memory when it is first searched.
  const first = await ask({});
  expect([first.mode, first.total.value]).toEqual(['fallback', 2]);
  await stage.indexed();
  await eventually(async () => (await ask({})).total.value === 3, 'a search by words and meaning');
  const pages = await rest(first);
  expect(pages.map(({ mode }) => mode)).toEqual(['fallback', 'fallback']);
  expectExact(pages);
});

// proves: search/total, search/facets
it('pages after one without pictures find none either', async () => {
  const media = [{ kind: 'video' as const, url: 'https://media.test/a.mp4' }];
  await stage.addItems([
    ...['Закат Европы', 'Закат империи'].map((title, n) => ({ id: `h-${n}`, title })),
    { id: 'evening', type: 'video', title: 'IMG 2041', media, pictures: [[0.9, 0.3, 0.2]] },
  ]);
  await stage.indexed();
  const askFor = (body: object) => ask({ query: 'закат', ...body });
  isSightLate = true;
  const first = await askFor({});
  isSightLate = false;
  expect([first.mode, first.total.value]).toEqual(['hybrid', 2]);
  const second = await askFor({ cursor: first.next_cursor });
  expectExact([first, second]);
  expect(second.next_cursor).toBeNull();
  expect((await askFor({})).total.value).toBe(3);
});

/** Stands for a selection process that is away. */
const takeAway = () => jest.spyOn(stage.selection.catalogues, 'find').mockReturnValue('loading');

// proves: search/total, search/facets, search/mode
it('a repeated page states the mode in which its total was counted, and the total includes what was shown', async () => {
  await stage.addItems(ITEMS);
  await stage.indexed();
  // With this weight, what is found by meaning alone comes last.
  const body = { limit: 2, semantic: 0.1 };
  const first = await ask(body);
  const again = () => ask({ ...body, cursor: first.next_cursor });
  const second = await again();
  expect([second.mode, idsOf(second)]).toEqual(['hybrid', ['m-1']]);
  expectExact([first, second]);
  takeAway();
  const repeated = await again();
  expect([repeated.mode, repeated.model, idsOf(repeated)]).toEqual(['fallback', null, ['m-1']]);
  expectExact([first, repeated]);
  await stage.call('DELETE', '/items/m-1');
  expect(await again()).toMatchObject({ items: [], total: { value: 2 } });
});

// proves: search/total, search/facets
it('a fallback after other pages counts what these have shown', async () => {
  await stage.addItems([...ITEMS, { id: 'm-2', title: MEANT }]);
  await stage.indexed();
  const body = { query: 'борщ', limit: 1 };
  const first = await ask({ ...body, semantic: 1 });
  expect(first.total.value).toBe(2);
  takeAway();
  await stage.call('PUT', `/items/${idsOf(first)[0]}`, { type: 'text', title: 'Без названия' });
  const second = await ask({ ...body, semantic: 1, cursor: first.next_cursor });
  expect(second).toMatchObject({ mode: 'fallback', next_cursor: null });
  expectExact([{ ...first, total: second.total, facets: second.facets }, second]);
});

// proves: search/total
it('a page that had to wait for the snapshot of the page before has the whole deadline for itself', async () => {
  await stage.addItems(ITEMS);
  await stage.indexed();
  const { pool } = stage.database;
  const first = await ask({});
  await eventually(async () => {
    const { rowCount } = await pool.query('select from output_snapshots where id = $1', [first.recommendation_id]);
    return rowCount === 1;
  }, 'the snapshot of the first page');
  const holder = await pool.connect();
  await holder.query('begin; lock table output_snapshots in access exclusive mode');
  const asked = ask({ cursor: first.next_cursor });
  await untilWaiting(pool, 1);
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + MAX_DEADLINE_MS);
  await holder.query('commit');
  holder.release();
  expect(await asked).toMatchObject({ mode: 'hybrid', total: { value: 3 } });
});
