/** Later pages of an answer that began in a different mode from the one that the next request would have. */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { untilWaiting } from '../../support/lockWaits.ts';
import { MAX_DEADLINE_MS, vectorOf, type StageItem } from '../support/outputStage.ts';
import { idsOf, stageSearch, type Found } from './support/searchStage.ts';

const MEANT = 'Рецепт борща';
let isLate: boolean;
const stage = stageSearch({
  // Every query gets the vector of this title.
  embed: () => (isLate ? Promise.reject(new Error('no vector in time')) : Promise.resolve(vectorOf(MEANT))),
});
beforeEach(() => {
  isLate = false;
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

async function rest(first: Found): Promise<Found[]> {
  const pages = [first];
  for (let cursor = first.next_cursor; cursor;) {
    const page = await ask({ cursor });
    pages.push(page);
    cursor = page.next_cursor;
  }
  return pages;
}

function expectExact(pages: readonly Found[]): void {
  const shown = pages.flatMap(idsOf);
  expect(new Set(shown).size).toBe(shown.length);
  expect(pages.map(({ total }) => total.value)).toEqual(pages.map(() => shown.length));
  expect(pages.map(({ facets }) => facets['types']?.[0]?.count)).toEqual(pages.map(() => shown.length));
}

// proves: search/total, search/facets
it('pages after one without the vector of the query find by words as well, so that the total is exact', async () => {
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
