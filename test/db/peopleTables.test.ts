import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  ANONYMOUS_TABLES,
  PART_TABLES,
  PROJECT_TABLES,
  REQUEST_TABLES,
  SITE_TABLES,
} from '../support/people/peopleTables.ts';

const TABLES = { ...PROJECT_TABLES, ...SITE_TABLES };
const DB = join(import.meta.dirname, '../../db');
/** The columns by which tables name people. The accounts of the cabinet have a `user_id` of the type uuid. */
const COLUMNS = [
  'identity_id',
  'identity_ids',
  'external_id',
  'anonymous_id',
  'fingerprint',
  'mark',
  'visitor_id',
  'user_id',
  'user_ids',
  'person_id',
];
/** Names of columns that may hold a person. */
const OF_PEOPLE =
  /user|visitor|person|people|identit|anonymous|external|fingerprint|device|customer|contact|mail|phone|mark/;
/** Columns of such names that name nobody, or an account of the cabinet, or stand beside one of the above. */
const OTHERS = [
  'email',
  'email_hash',
  'fingerprints',
  'identity_secret',
  'mail',
  'marks',
  'people',
  'personalization',
  'phone_hash',
  'proven_user_id',
  'require_user_hash',
  'server_email_hash',
  'server_phone_hash',
  'user_agent',
];

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('each column whose name suggests a person is in COLUMNS or in OTHERS', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select distinct a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped`,
  );
  const suggested = rows.map(({ name }) => name).filter((name) => OF_PEOPLE.test(name));
  expect(suggested.filter((name) => !COLUMNS.includes(name)).sort()).toEqual(OTHERS);
});

it('test/support/people/peopleTables.ts lists every table with one of COLUMNS', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select distinct c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped and a.attname = any($1)
        and not (a.attname = 'user_id' and a.atttypid = 'uuid'::regtype)`,
    [COLUMNS],
  );
  expect(rows.map(({ name }) => name).sort()).toEqual([...Object.keys(TABLES), ...REQUEST_TABLES].sort());
});

it('test/support/people/peopleTables.ts lists every table that belongs to one of TABLES by a foreign key', async () => {
  const { rows } = await database.pool.query<{ name: string; of: string }>(
    `select distinct c.conrelid::regclass::text as name, c.confrelid::regclass::text as of from pg_constraint c
      where c.contype = 'f' and c.confrelid::regclass::text = any($1) and not c.conrelid::regclass::text = any($1)
      order by 1`,
    [Object.keys(TABLES)],
  );
  expect(rows).toEqual(Object.entries(PART_TABLES).map(([name, { of }]) => ({ name, of })));
});

const WAYS: [string, string][] = [
  ...Object.entries(TABLES).flatMap(([table, ways]) =>
    Object.values(ways).map((way): [string, string] => [table, way]),
  ),
  ...Object.entries(PART_TABLES).map(([table, { erases }]): [string, string] => [table, erases]),
  ...Object.entries(ANONYMOUS_TABLES),
];

it.each(WAYS.filter(([, way]) => way.endsWith('.ts')))('%s is named by db/%s', (table, file) => {
  const path = join(DB, file);
  expect(existsSync(path) && new RegExp(`\\b${table}\\b`).test(readFileSync(path, 'utf8'))).toBe(true);
});
