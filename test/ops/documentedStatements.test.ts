/** The statements of docs/operations.md fit the tables: PostgreSQL plans each of them, without running it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { readText } from './support/compose.ts';

const OPERATIONS = readText('docs/operations.md');
/** Those of `sql -c "…"`, of blocks, and of sentences. */
const STATEMENTS = [
  ...OPERATIONS.matchAll(/sql -c "((?:[^"\\]|\\.)+)"/g),
  ...OPERATIONS.matchAll(/```sql\n([^`]+)```/g),
  ...OPERATIONS.matchAll(/`((?:select|insert|delete|update) [^`]+)`/g),
]
  .map(([, text = '']) => text.replaceAll('\\$', '$').trim())
  .filter((text) => /^(?:select|insert|delete|update) /.test(text));
/** DuckLake creates its own tables, and the extension is not in the database of the tests. */
const isOfOthers = (text: string): boolean => /\blake\.|pg_stat_statements|<pid>/.test(text);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

describe('docs/operations.md', () => {
  it('has statements', () => {
    expect(STATEMENTS.length).toBeGreaterThan(20);
  });

  it.each(STATEMENTS.filter((text) => !isOfOthers(text)))('%s', async (text) => {
    await expect(database.pool.query(`explain ${text}`)).resolves.toBeDefined();
  });
});
