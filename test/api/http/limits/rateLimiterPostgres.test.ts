/**
 * The shared limiter during an outage of PostgreSQL. Its counting is tested in test/db/installation/rateLimitCounters.test.ts.
 */
import { describe, expect, it } from '@jest/globals';
import { createLimiterPool, createPostgresRateLimiter } from '../../../../api/http/limits/rateLimiterPostgres.ts';
import type { Queryable } from '../../../../db/pool.ts';

const LIMIT = { capacity: 2, perSecond: 0.001 };

/** Answers like PostgreSQL with one free token, or fails. */
function fakeDatabase(): { pool: Queryable; asked: () => number; fail(error: Error | null): void } {
  let asked = 0;
  let fault: Error | null = null;
  const query = (): Promise<{ rows: { wait: number }[] }> => {
    asked += 1;
    return fault ? Promise.reject(fault) : Promise.resolve({ rows: [{ wait: 0 }] });
  };
  return { pool: { query } as unknown as Queryable, asked: () => asked, fail: (error) => (fault = error) };
}

const gone = (): Error =>
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });

describe('the limiter without PostgreSQL', () => {
  it('counts in memory, reports the outage once, and tries again after a second', async () => {
    let now = 0;
    const told: unknown[] = [];
    const database = fakeDatabase();
    const limiter = createPostgresRateLimiter(database.pool, {
      now: () => now,
      onUnavailable: (error) => told.push(error),
    });
    database.fail(gone());
    const waits = await Promise.all([1, 2, 3, 4].map(() => limiter.take('k', LIMIT)));
    expect(waits.map((wait) => wait === 0)).toEqual([true, true, false, false]);
    expect(told).toHaveLength(1);
    const asked = database.asked();
    now = 999;
    expect(await limiter.take('k', LIMIT)).toBeGreaterThan(0);
    expect(database.asked()).toBe(asked);

    database.fail(null);
    now = 1_000;
    expect(await limiter.take('k', LIMIT)).toBe(0);
    expect(database.asked()).toBe(asked + 1);
  });

  it('counts in memory when a real connection is refused', async () => {
    const pool = createLimiterPool('postgres://nobody@127.0.0.1:1/none');
    const limiter = createPostgresRateLimiter(pool);
    expect([await limiter.take('k', LIMIT), await limiter.take('k', LIMIT)]).toEqual([0, 0]);
    expect(await limiter.take('k', LIMIT)).toBeGreaterThan(0);
    await pool.end();
  });
});

describe('a refusal', () => {
  it('is remembered while it lasts, at most a second, so that a flood of refused requests makes no queries', async () => {
    let now = 0;
    let asked = 0;
    let wait = 30;
    const query = () => {
      asked += 1;
      return Promise.resolve({ rows: [{ wait }] });
    };
    const limiter = createPostgresRateLimiter({ query } as unknown as Queryable, { now: () => now });
    expect(await limiter.take('k', LIMIT)).toBe(30);
    now = 400;
    for (let index = 0; index < 100; index++) expect(await limiter.take('k', LIMIT)).toBeCloseTo(29.6);
    expect(asked).toBe(1);
    // Another limit, another key, and a second later: each queries the database again.
    await limiter.take('k', { ...LIMIT, capacity: 3 });
    await limiter.take('other', LIMIT);
    now = 1_400;
    wait = 0;
    expect(await limiter.take('other', LIMIT)).toBe(0);
    expect(asked).toBe(4);
  });
});

it('a fault of the limiter itself is not hidden', async () => {
  const database = fakeDatabase();
  database.fail(Object.assign(new Error('relation "rate_buckets" does not exist'), { code: '42P01' }));
  await expect(createPostgresRateLimiter(database.pool).take('k', LIMIT)).rejects.toThrow('rate_buckets');
});
