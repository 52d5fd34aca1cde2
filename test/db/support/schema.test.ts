/** Which changes of a schema are found to be more than additions, against the catalogue of a real PostgreSQL. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { changesBeyondAdditions, readSchema } from './schema.ts';

const BASE = `
  drop schema public cascade;
  create schema public;
  create table items (id int primary key, title text default '', check (id > 0));
  create index items_by_title on items (title);
  create table webhooks (url text);`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
});

/** Returns the faults of files that are applied one after another. */
async function faultsOf(files: readonly string[], { buildsOpenly = false } = {}): Promise<string[]> {
  await database.pool.query(BASE);
  const base = await readSchema(database.pool);
  const faults: string[] = [];
  let before = base;
  for (const file of files) {
    await database.pool.query(file);
    const after = await readSchema(database.pool);
    const building = { buildsOpenly, smallTables: new Set(['webhooks']) };
    faults.push(...changesBeyondAdditions(base, before, after, building));
    before = after;
  }
  return faults;
}

it.each([
  ['drops column items.title', 'alter table items drop column title, add column title text'],
  ['drops column items.title', 'alter table items rename column title to name'],
  ['changes the type of column items.title', 'alter table items alter column title type varchar(9)'],
  ['forbids null in column items.title', 'alter table items alter column title set not null'],
  ['takes the default away from column items.title', 'alter table items alter column title drop default'],
  ['drops relation webhooks', 'alter table webhooks rename to hooks'],
  ['drops index items_by_title', 'drop index items_by_title'],
  ['adds, without a default, column items.slot', 'alter table items add column slot int not null'],
  ['adds constraint items.short', 'alter table items add constraint short check (length(title) < 9)'],
  ['forbids duplicates by constraint items.one', 'alter table items add constraint one unique (title)'],
  [
    'forbids duplicates by constraint items.one',
    'alter table items add column slot int default 0, add constraint one unique (slot)',
  ],
  ['stops writes while it builds index by_id', 'create index by_id on items (title, id)'],
  ['forbids duplicates by index one', 'create unique index one on webhooks (url)'],
])('finds that a file %s: %s', async (fault, file) => {
  expect(await faultsOf([file])).toContain(fault);
});

it('finds a dropped table with its columns, and nothing else', async () => {
  expect(await faultsOf(['drop table webhooks'])).toEqual(['drops relation webhooks', 'drops column webhooks.url']);
});

it.each([
  ['loses its default', 'add column slot int not null default 0', 'alter column slot drop default'],
  ['forbids null', 'add column slot int', 'alter column slot set not null'],
])('finds a column of an earlier file that %s', async (_change, first, second) => {
  const files = [first, second].map((change) => `alter table items ${change}`);
  expect(await faultsOf(files)).toEqual(['adds, without a default, column items.slot']);
});

it('finds a column of the base that is recreated without a default', async () => {
  expect(await faultsOf([`alter table items drop column title, add column title text not null`])).toEqual([
    'drops column items.title',
    'drops index items_by_title',
    'adds, without a default, column items.title',
  ]);
});

it.each([
  ['a column that may be null', ['alter table items add column slot int']],
  ['a column with a default', ['alter table items add column slot int not null default 0']],
  ['an identity column', ['alter table items add column slot int generated always as identity']],
  ['a constraint on a new column', ['alter table items add column slot int check (slot > 0) references items']],
  ['a dropped constraint', ['alter table items drop constraint items_id_check']],
  ['a null that is no longer forbidden', ['alter table items alter column title drop not null']],
  ['an index on a small table', ['create index by_url on webhooks (url)']],
  [
    'a table with constraints',
    ['create table lots (id int primary key, item int not null references items, unique (item))'],
  ],
  [
    'a table that a later file changes',
    ['create table lots (id int, name text)', 'alter table lots drop column name, add column slot int not null'],
  ],
  ['a column that a later file drops', ['alter table items add column slot int', 'alter table items drop column slot']],
])('passes %s', async (_addition, files) => {
  expect(await faultsOf(files)).toEqual([]);
});

it('passes an index that is built without stopping writes, unless it forbids duplicates', async () => {
  const open = { buildsOpenly: true };
  expect(await faultsOf(['create index by_id on items (title, id)'], open)).toEqual([]);
  expect(await faultsOf(['create unique index one on items (title)'], open)).toEqual([
    'forbids duplicates by index one',
  ]);
});
