import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readCompanions, storeCompanions } from '../../../db/training/companions.ts';
import { createTestProject } from '../../api/support/testApi.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  ({ id: projectId } = await createTestProject(database.pool));
});
afterAll(() => database?.drop());

const store = (companions: Record<string, string[]>) =>
  storeCompanions(
    database.pool,
    projectId,
    Object.entries(companions).map(([item, others]) => ({ item, companions: others })),
  );
const read = async (...items: string[]) => (await readCompanions(database.pool, projectId, items)).toSorted();

async function versions(): Promise<Record<string, string>> {
  const { rows } = await database.pool.query<{ item: string; version: string }>(
    'select item_id as item, xmin::text as version from item_companions where project_id = $1',
    [projectId],
  );
  return Object.fromEntries(rows.map(({ item, version }) => [item, version]));
}

it('the companions of several items are read, each once', async () => {
  await store({ tea: ['cup', 'milk'], coffee: ['milk', 'filter'] });
  expect(await read('tea', 'coffee', 'unknown')).toEqual(['cup', 'filter', 'milk']);
  expect(await read('unknown')).toEqual([]);
  expect(await read()).toEqual([]);
});

it('new companions replace those of the previous model, and unchanged rows are left alone', async () => {
  await store({ tea: ['cup', 'milk'], coffee: ['milk', 'filter'], cocoa: ['mug'] });
  const before = await versions();
  await store({ tea: ['cup', 'milk'], coffee: ['filter', 'milk'], 'it\'s "quoted", {odd}': ['mug', 'a,b'] });
  const after = await versions();
  expect(Object.keys(after).toSorted()).toEqual(['coffee', 'it\'s "quoted", {odd}', 'tea']);
  expect([after['tea'] === before['tea'], after['coffee'] === before['coffee']]).toEqual([true, false]);
  expect(await read('it\'s "quoted", {odd}')).toEqual(['a,b', 'mug']);
});

it('more items than one statement writes are replaced', async () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`i-${n}`, ['other']]));
  await store(many(4_500));
  expect(Object.keys(await versions())).toHaveLength(4_500);
  await store(many(10));
  expect(Object.keys(await versions())).toHaveLength(10);
});
