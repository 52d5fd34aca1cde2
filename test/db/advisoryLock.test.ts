import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runExclusively } from '../../db/advisoryLock.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const run = (work: () => Promise<void>): Promise<boolean> => runExclusively(database.pool, 'retention', work);
const fail = (): Promise<void> => Promise.reject(new Error('the work failed'));

it('work does not run while another session does it', async () => {
  let ran = 0;
  const first = run(async () => {
    expect(await run(async () => void (ran += 1))).toBe(false);
  });
  expect(await first).toBe(true);
  expect(ran).toBe(0);
});

it('the lock is free before the failure of the work is reported', async () => {
  for (let round = 0; round < 30; round += 1) {
    await expect(run(fail)).rejects.toThrow('the work failed');
    expect(await run(async () => {})).toBe(true);
  }
});

it('the failure of the work is reported even if the session is lost as well', async () => {
  await expect(
    run(async () => {
      await database.pool.query(
        `select pg_terminate_backend(pid, 10000) from pg_locks
         where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
      );
      await fail();
    }),
  ).rejects.toThrow('the work failed');
  expect(await run(async () => {})).toBe(true);
});
