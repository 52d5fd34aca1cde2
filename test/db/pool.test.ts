import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inTransaction } from '../../db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

describe('inTransaction', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('survives a backend that ends between two statements', async () => {
    const broken = inTransaction(database.pool, async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      const ended = new Promise((resolve) => client.once('end', resolve));
      await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await ended;
      await client.query('select 1');
    });
    await expect(broken).rejects.toThrow(/terminat|not queryable/i);
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('rolls back after any exception', async () => {
    await database.pool.query('create table kept (n int)');
    await expect(
      inTransaction(database.pool, async (client) => {
        await client.query('insert into kept values (1)');
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect((await database.pool.query('select * from kept')).rows).toEqual([]);
  });
});
