import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction, together } from '../../db/pool.ts';
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

describe('statements that are sent together', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.pool.query('create table ordered (n int primary key)');
  });
  afterAll(() => database.drop());
  beforeEach(() => database.pool.query('truncate ordered'));

  const stored = async () => (await database.pool.query<{ n: number }>('select n from ordered order by ctid')).rows;

  it('are executed in their order', async () => {
    await inTransaction(database.pool, (client) =>
      together([3, 1, 2].map((n) => client.query('insert into ordered values ($1)', [n]))),
    );
    expect(await stored()).toEqual([{ n: 3 }, { n: 1 }, { n: 2 }]);
  });

  it('answer in the order in which they are given', async () => {
    const answers = await inTransaction(database.pool, (client) =>
      together([client.query<{ n: number }>('select 1 as n'), client.query<{ n: number }>('select 2 as n')]),
    );
    expect(answers.map(({ rows }) => rows[0]?.n)).toEqual([1, 2]);
  });

  it('store nothing and throw the first error, even when a later statement of another part fails because of it', async () => {
    const failed = inTransaction(database.pool, async (client) => {
      const insert = (n: number) => client.query('insert into ordered values ($1)', [n]);
      const inTurn = async (numbers: readonly number[]): Promise<void> => {
        for (const n of numbers) await insert(n);
      };
      await together([inTurn([1, 2, 3, 4]), insert(1), insert(5)]);
    });
    await expect(failed).rejects.toMatchObject({ constraint: 'ordered_pkey' });
    expect(await stored()).toEqual([]);
  });

  it('go out before the first is answered', async () => {
    const inTurn: string[] = [];
    await inTransaction(database.pool, async (client) => {
      const noting = async (name: string): Promise<void> => {
        inTurn.push(`${name} sent`);
        await client.query('select pg_sleep(0)');
        inTurn.push(`${name} answered`);
      };
      await together([noting('one'), noting('two')]);
    });
    expect(inTurn).toEqual(['one sent', 'two sent', 'one answered', 'two answered']);
  });
});
