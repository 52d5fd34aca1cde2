import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { inTransaction, together } from '../../db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

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

  it('store nothing if one fails, not even what another part sends afterwards', async () => {
    let late: Promise<unknown> | undefined;
    const failed = inTransaction(database.pool, async (client) => {
      const insert = (n: number) => client.query('insert into ordered values ($1)', [n]);
      const pausing = async (beforeNext: Promise<unknown>): Promise<void> => {
        await Promise.allSettled([insert(2), beforeNext]);
        await nextTurn();
        await insert(3);
      };
      await insert(1);
      const failing = insert(1);
      late = pausing(failing);
      await together([late, failing]);
    });
    await expect(failed).rejects.toMatchObject({ constraint: 'ordered_pkey' });
    await expect(late).rejects.toMatchObject({ code: '25P02' });
    expect(await stored()).toEqual([]);
  });

  it('throw the error that made the others fail, even if a nested part reports it after them', async () => {
    const failed = inTransaction(database.pool, async (client) => {
      const insert = (n: number) => client.query('insert into ordered values ($1)', [n]);
      await insert(1);
      await answeredTogether(client, 'select 1 as refused', () =>
        together([together([insert(2), insert(1)]), client.query('select 1 as refused')]),
      );
    });
    await expect(failed).rejects.toMatchObject({ constraint: 'ordered_pkey' });
    expect(await stored()).toEqual([]);
  });

  it('go out before the first is answered', async () => {
    const answers = await inTransaction(database.pool, (client) =>
      answeredTogether(client, 'select 2 as second', () =>
        together([client.query('select 1 as first'), client.query('select 2 as second')]),
      ),
    );
    expect(answers.flatMap(({ rows }) => rows)).toEqual([{ first: 1 }, { second: 2 }]);
  });

  /** Lets the client read no answer before the server has answered the statement `last`, and then all at once. */
  async function answeredTogether<T>(client: pg.PoolClient, last: string, send: () => Promise<T>): Promise<T> {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const { stream } = client.connection;
    stream.pause();
    const answers = send();
    const isAnswered = `select from pg_stat_activity
      where pid = $1 and query = $2 and state like 'idle in transaction%' and wait_event = 'ClientRead'`;
    await eventually(
      async () => (await database.pool.query(isAnswered, [rows[0]?.pid, last])).rowCount === 1,
      `the server's answer to ${last}`,
    ).finally(() => stream.resume());
    return answers;
  }
});
