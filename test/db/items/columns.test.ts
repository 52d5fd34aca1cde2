import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SENT_COLUMNS } from '../../../db/items/columns.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

/** Columns that no row of a write sends: the statements set them. */
const SET_BY_STATEMENTS = ['created_at', 'project_id', 'updated_at'];

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('SENT_COLUMNS lists every column of the table with its type', async () => {
  const { rows } = await database.pool.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = 'items'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  );
  const stored = rows.filter(({ name }) => !SET_BY_STATEMENTS.includes(name));
  const inFull = (type: string): string => (type === 'timestamptz' ? 'timestamp with time zone' : type);
  const listed = SENT_COLUMNS.split(', ').flatMap((column) => {
    const [name = '', ...type] = column.split(' ');
    return name === 'keeps_body' ? [] : [`${name} ${inFull(type.join(' '))}`];
  });
  expect(listed.toSorted()).toEqual(stored.map(({ name, type }) => `${name} ${type}`).toSorted());
});
