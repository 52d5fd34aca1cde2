/**
 * The buckets that processes share, under real concurrency. Rates are so low that no token is earned during a test.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import {
  deleteEmptyWindows,
  deleteFullBuckets,
  takeFromWindow,
  takeToken,
} from '../../../db/installation/rateLimitCounters.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

const SLOW = { capacity: 20, perSecond: 0.001 };
const bucketsAt = async (where: string): Promise<number> =>
  (await database.pool.query(`select count(*)::int as count from rate_buckets where ${where}`)).rows[0].count;

describe('takeToken', () => {
  it('gives no more than the bucket holds to two processes at once', async () => {
    const pools = [1, 2].map(() => new pg.Pool({ connectionString: database.url, max: 8 }));
    const waits = await Promise.all(
      Array.from({ length: 120 }, (_, index) => takeToken(pools[index % 2] ?? database.pool, 'both', SLOW)),
    );
    await Promise.all(pools.map((pool) => pool.end()));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(20);
    expect(waits.every((wait) => wait >= 0)).toBe(true);
  });

  it('keeps keys apart', async () => {
    const limit = { capacity: 1, perSecond: 0.001 };
    expect([await takeToken(database.pool, 'a', limit), await takeToken(database.pool, 'b', limit)]).toEqual([0, 0]);
    expect(await takeToken(database.pool, 'a', limit)).toBeGreaterThan(0);
  });

  it('says when the next token is available, and charges nothing for a refusal', async () => {
    const limit = { capacity: 2, perSecond: 0.01 };
    await takeToken(database.pool, 'wait', limit);
    await takeToken(database.pool, 'wait', limit);
    for (let refused = 0; refused < 20; refused++) {
      const wait = await takeToken(database.pool, 'wait', limit);
      expect(wait).toBeGreaterThan(60);
      expect(wait).toBeLessThanOrEqual(100);
    }
  });

  it('refills tokens one by one with time', async () => {
    const limit = { capacity: 2, perSecond: 0.01 };
    await Promise.all([1, 2].map(() => takeToken(database.pool, 'back', limit)));
    await database.pool.query(`update rate_buckets set full_at = full_at - 100 where key = 'back'`);
    expect(await takeToken(database.pool, 'back', limit)).toBe(0);
    expect(await takeToken(database.pool, 'back', limit)).toBeGreaterThan(0);
    await database.pool.query(`update rate_buckets set full_at = full_at - 1e6 where key = 'back'`);
    const waits = await Promise.all([1, 2, 3].map(() => takeToken(database.pool, 'back', limit)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(2);
  });

  it("refills by the server's clock", async () => {
    const limit = { capacity: 1, perSecond: 5 };
    expect(await takeToken(database.pool, 'clock', limit)).toBe(0);
    await eventually(async () => (await takeToken(database.pool, 'clock', limit)) === 0, 'a token after 0.2 s');
  });

  it('applies a new limit at once, whether higher or lower', async () => {
    await Promise.all(Array.from({ length: 20 }, () => takeToken(database.pool, 'changed', SLOW)));
    expect(await takeToken(database.pool, 'changed', SLOW)).toBeGreaterThan(500);
    // Still empty, but a token at the new rate is 10 s away instead of 20,000 s.
    expect(await takeToken(database.pool, 'changed', { capacity: 5, perSecond: 0.1 })).toBeLessThanOrEqual(10);
    await eventually(
      async () => (await takeToken(database.pool, 'changed', { capacity: 5, perSecond: 5 })) === 0,
      'a token of the new rate',
    );
    const waits = await Promise.all(
      Array.from({ length: 10 }, () => takeToken(database.pool, 'lower', { capacity: 10, perSecond: 0.001 })),
    );
    expect(waits.every((wait) => wait === 0)).toBe(true);
    expect(await takeToken(database.pool, 'lower', { capacity: 2, perSecond: 0.001 })).toBeGreaterThan(0);
  });

  it('loses nothing to rounding at rates that have no exact binary value', async () => {
    for (const perSecond of [3, 6, 7, 49, 1 / 3]) {
      const capacity = Math.max(1, Math.floor(perSecond));
      // A thousandth of the rate, so that no token is earned meanwhile.
      const waits = await Promise.all(
        Array.from({ length: capacity + 1 }, () =>
          takeToken(database.pool, `odd/${perSecond}`, { capacity, perSecond: perSecond / 1000 }),
        ),
      );
      expect(waits.filter((wait) => wait === 0)).toHaveLength(capacity);
    }
  });
});

describe('takeFromWindow', () => {
  const SIXTY = { most: 60, seconds: 60 };
  const age = (key: string, seconds: number) =>
    database.pool.query(
      'update rate_windows set slots = array(select slot - $2 from unnest(slots) slot), ends_at = ends_at - $2 where key = $1',
      [key, seconds],
    );
  const take = (key: string, count: number, limit = SIXTY): Promise<number[]> =>
    Promise.all(Array.from({ length: count }, () => takeFromWindow(database.pool, key, limit)));
  const admitted = (waits: readonly number[]): number => waits.filter((wait) => wait === 0).length;

  it('admits no more than its number to two processes at once', async () => {
    const pools = [1, 2].map(() => new pg.Pool({ connectionString: database.url, max: 8 }));
    const waits = await Promise.all(
      Array.from({ length: 150 }, (_, index) => takeFromWindow(pools[index % 2] ?? database.pool, 'both', SIXTY)),
    );
    await Promise.all(pools.map((pool) => pool.end()));
    expect(admitted(waits)).toBe(60);
  });

  it('frees no slot before the window has passed it, and then only the slots that it passed', async () => {
    expect(admitted(await take('passed', 40))).toBe(40);
    await age('passed', 30);
    expect(admitted(await take('passed', 40))).toBe(20);
    const [wait = 0] = await take('passed', 1);
    expect(wait).toBeGreaterThan(20);
    expect(wait).toBeLessThanOrEqual(31);
    await age('passed', 29);
    expect(admitted(await take('passed', 1))).toBe(0);
    await age('passed', 2);
    expect(admitted(await take('passed', 60))).toBe(40);
  });

  it('applies a new number at once, and is not stopped by a clock that was set back', async () => {
    await take('changed', 60);
    expect(admitted(await take('changed', 5, { most: 62, seconds: 60 }))).toBe(2);
    await age('changed', -3_600);
    expect(admitted(await take('changed', 1))).toBe(1);
  });

  it('keeps no more than one count per second, and nothing once the window has passed', async () => {
    for (let second = 0; second < 130; second++) {
      await take('long', 1, { most: 1_000, seconds: 60 });
      await age('long', 1);
    }
    const { rows } = await database.pool.query(
      `select cardinality(slots) as slots, cardinality(counts) as counts from rate_windows where key = 'long'`,
    );
    expect(rows[0].slots).toBeLessThanOrEqual(62);
    expect(rows[0].counts).toBe(rows[0].slots);
    expect(await deleteEmptyWindows(database.pool, 100)).toBe(0);
    await age('long', 62);
    expect(await deleteEmptyWindows(database.pool, 100)).toBe(1);
  });
});

describe('deleteFullBuckets', () => {
  it('removes full buckets and keeps the others', async () => {
    // The buckets of other tests would fill meanwhile.
    await database.pool.query('delete from rate_buckets');
    await takeToken(database.pool, 'empty', { capacity: 1, perSecond: 0.001 });
    await takeToken(database.pool, 'full', { capacity: 1, perSecond: 1e6 });
    await eventually(
      async () => (await bucketsAt(`key = 'full'`)) === 0 || (await deleteFullBuckets(database.pool, 1_000)) > 0,
      'a full bucket',
    );
    expect([await bucketsAt(`key = 'full'`), await bucketsAt(`key = 'empty'`)]).toEqual([0, 1]);
    expect(await deleteFullBuckets(database.pool, 1_000)).toBe(0);
  });

  it('respects its limit', async () => {
    await database.pool.query(`insert into rate_buckets select 'old/' || n, 1 from generate_series(1, 25) n`);
    expect([
      await deleteFullBuckets(database.pool, 10),
      await deleteFullBuckets(database.pool, 10),
      await deleteFullBuckets(database.pool, 10),
    ]).toEqual([10, 10, 5]);
  });
});
