/** Each statement that reads a list for the fallbacks applies each condition of a list itself, before it limits. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { putItem } from '../../../db/items/writeItems.ts';
import { listNewestItems } from '../../../db/output/newest.ts';
import { listPopularItems } from '../../../db/popularity/readPopularity.ts';
import { findItemsByTitle } from '../../../db/search/itemsByTitle.ts';
import type { ItemContent } from '../../../domain/items/item.ts';
import type { ListFilter } from '../../../domain/output/listFilter.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestProject, textItem } from '../../support/project.ts';

const ANY: ListFilter = { types: null, authors: null, publishedAfter: null, publishedBefore: null };
const LIMIT = 10;
const DAY = 20_000;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The statements, each of which returns ids. */
const LISTS: Record<string, (projectId: string, wanted: ListFilter) => Promise<{ id: string }[]>> = {
  listNewestItems: (projectId, wanted) => listNewestItems(database.pool, projectId, wanted, LIMIT),
  listPopularItems: (projectId, wanted) =>
    listPopularItems(database.pool, projectId, [DAY], { ...wanted, limit: LIMIT }),
  findItemsByTitle: (projectId, wanted) =>
    findItemsByTitle(database.pool, projectId, { text: 'заголовок', ...wanted }, LIMIT),
};

/** For each condition a value, an item that meets it and another one that does not. */
const CONDITIONS: { [Name in keyof ListFilter]: [ListFilter[Name], Partial<ItemContent>, Partial<ItemContent>] } = {
  types: [['mixed'], { type: 'mixed' }, { type: 'text' }],
  authors: [['anna'], { author: 'anna' }, { author: null }],
  publishedAfter: [at(2), { publishedAt: at(2) }, { publishedAt: at(1) }],
  publishedBefore: [at(2), { publishedAt: at(1) }, { publishedAt: at(2) }],
};

function at(day: number): Date {
  return new Date(Date.UTC(2026, 0, day));
}

describe.each(Object.entries(LISTS))('%s', (_name, list) => {
  it.each(Object.entries(CONDITIONS))('applies %s', async (name, [value, wanted, other]) => {
    const { pool } = database;
    const projectId = await createTestProject(pool);
    for (const [itemId, content] of Object.entries({ wanted, other })) {
      await putItem(pool, { projectId, itemId, content: textItem(content), origin: 'api', requestId: null });
      await pool.query(`insert into item_popularity values ($1, $2, '', $3, false, 1)`, [projectId, itemId, DAY]);
    }
    const idsOf = async (filter: ListFilter): Promise<string[]> =>
      (await list(projectId, filter)).map(({ id }) => id).sort();
    expect(await idsOf(ANY)).toEqual(['other', 'wanted']);
    expect(await idsOf({ ...ANY, [name]: value })).toEqual(['wanted']);
  });
});
