import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { binaryArray } from '../../db/arrays.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const TEXTS = [
  '',
  'a',
  '"quoted", {braces} and \\ backslashes',
  'ж😀\u{10FFFF}',
  'NULL',
  'line\nline\ttab',
  'x'.repeat(100_000),
];

describe('a binary array', () => {
  it('is read by PostgreSQL as the original texts, in order', async () => {
    const { rows } = await database.pool.query<{ text: string }>(
      'select text from unnest($1::text[]) with ordinality t (text, n) order by n',
      [binaryArray('text', TEXTS)],
    );
    expect(rows.map(({ text }) => text)).toEqual(TEXTS);
  });

  it('is read by PostgreSQL as JSON, which it validates', async () => {
    const values = TEXTS.map((text) => ({ [text]: [1, null, text] }));
    const { rows } = await database.pool.query<{ value: unknown }>(
      'select value from unnest($1::json[]) with ordinality t (value, n) order by n',
      [
        binaryArray(
          'json',
          values.map((value) => JSON.stringify(value)),
        ),
      ],
    );
    expect(rows.map(({ value }) => value)).toEqual(values);
    await expect(database.pool.query('select $1::json[]', [binaryArray('json', ['{no json'])])).rejects.toThrow('json');
  });

  it('may be empty', async () => {
    const { rows } = await database.pool.query('select count(*)::int as count from unnest($1::text[])', [
      binaryArray('text', []),
    ]);
    expect(rows).toEqual([{ count: 0 }]);
  });
});
