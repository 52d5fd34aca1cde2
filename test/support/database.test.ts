import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { onServer } from './servers/template.ts';

describe('createTestDatabase', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('makes a separate migrated copy', async () => {
    const other = await createTestDatabase();
    const { rows } = await other.pool.query('select count(*)::int as applied from migrations');
    await other.pool.query('create table only_here (id int)');
    await other.drop();
    expect(rows[0].applied).toBeGreaterThanOrEqual(0);
    const { rows: tables } = await database.pool.query("select to_regclass('only_here') as found");
    expect(tables[0].found).toBeNull();
  });

  it('supports Russian letters', async () => {
    const { rows } = await database.pool.query("select to_tsvector('russian', 'Миры и миру')::text as words");
    expect(rows[0].words).toBe("'мир':1,3");
  });

  it('makes a database that is gone after drop, and drop reports connections that are still open', async () => {
    const other = await createTestDatabase();
    const name = new URL(other.url).pathname.slice(1);
    const { default: pg } = await import('pg');
    const forgotten = new pg.Client({ connectionString: other.url });
    forgotten.on('error', () => {});
    await forgotten.connect();
    await expect(other.drop(500)).rejects.toThrow('1 database connections open');
    const { rows } = await onServer(database.url, 'select 1 from pg_database where datname = $1', [name]);
    expect(rows).toEqual([]);
  });
});
