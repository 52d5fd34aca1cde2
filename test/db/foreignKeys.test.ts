/** Rows that the product deletes: what becomes of the rows of other tables that name them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const DB = join(import.meta.dirname, '../../db');

/** Foreign keys without an action, and why a deletion is not refused. */
const REFUSING: Readonly<Record<string, string>> = {
  'profiles (project_id, identity_id)': 'db/people/profiles.ts deletes them before the identity',
  'site_recording_chunks (site_id, recording_id)':
    'db/recordings/deleteRecordings.ts deletes them before the recording',
};

interface ForeignKey {
  /** The table and the columns that name the other table. */
  key: string;
  named: string;
  hasAction: boolean;
  /** It has an index of all of its rows, or of all that name a row. */
  hasIndex: boolean;
}

let database: TestDatabase;
let keys: ForeignKey[];

beforeAll(async () => {
  database = await createTestDatabase();
  const { rows } = await database.pool.query<ForeignKey>(
    `select c.conrelid::regclass || ' (' || (
              select string_agg(a.attname, ', ' order by k.at) from unnest(c.conkey) with ordinality k (attnum, at)
                join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum) || ')' as key,
            c.confrelid::regclass::text as named, c.confdeltype not in ('a', 'r') as "hasAction",
            exists (select from pg_index i where i.indrelid = c.conrelid and i.indisvalid
                       and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) in (
                              select format('(%I IS NOT NULL)', a.attname) from pg_attribute a
                               where a.attrelid = c.conrelid and a.attnum = any (c.conkey)))
                       and (string_to_array(i.indkey::text, ' ')::int2[])[1:cardinality(c.conkey)] @> c.conkey) as "hasIndex"
       from pg_constraint c where c.contype = 'f' and c.conparentid = 0 order by 1`,
  );
  const deleted = tablesWithDeletions();
  keys = rows.filter(({ named }) => deleted.has(named));
});
afterAll(() => database.drop());

/** Returns the tables of which a statement of the product deletes rows. */
function tablesWithDeletions(): Set<string> {
  const files = readdirSync(DB, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const texts = files.map((file) => readFileSync(join(DB, file), 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(/\bdelete from (\w+)/g)].map(([, table = '']) => table)));
}

it('a foreign key to rows that are deleted says what becomes of its own rows', () => {
  expect(keys.length).toBeGreaterThan(15);
  expect(keys.filter(({ hasAction }) => !hasAction).map(({ key }) => key)).toEqual(Object.keys(REFUSING));
});

it('a foreign key to rows that are deleted has an index, without which each deletion reads its whole table', () => {
  expect(keys.filter(({ hasIndex }) => !hasIndex).map(({ key }) => key)).toEqual([]);
});
