import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DatabaseClock } from '../../../loops/delivery/databaseClock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { setDate } from '../../support/jest/fakeTime.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('the time of an attempt', () => {
  it('is that of the database, not that of this process, whose clock is ten minutes ahead', async () => {
    setDate(Date.now() + 600_000);
    try {
      const clock = new DatabaseClock();
      expect(() => clock.now()).toThrow('not known');
      await clock.read(database.pool);
      const [before, now] = [await databaseTime(), clock.now().getTime()];
      const after = await databaseTime();
      // Allows half a round trip either way, which is long on a busy machine.
      expect(now).toBeGreaterThan(before - 3_000);
      expect(now).toBeLessThan(after + 3_000);
      expect(Date.now()).toBeGreaterThan(after + 300_000);
    } finally {
      jest.useRealTimers();
    }
  });
});

async function databaseTime(): Promise<number> {
  const { rows } = await database.pool.query<{ time: Date }>('select clock_timestamp() as time');
  return rows[0]?.time.getTime() ?? 0;
}
