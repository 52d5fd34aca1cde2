import { describe, expect, it } from '@jest/globals';
import { createMemoryRateLimiter } from '../../../api/http/rateLimiter.ts';

const LIMIT = { capacity: 20, perSecond: 20 };

describe('createMemoryRateLimiter', () => {
  it('lets a second of requests through at once, then one for every 50 ms', async () => {
    let now = 0;
    const limiter = createMemoryRateLimiter(() => now);
    for (let taken = 0; taken < 20; taken++) expect(await limiter.take('k', LIMIT)).toBe(0);
    expect(await limiter.take('k', LIMIT)).toBeCloseTo(0.05);
    now = 49;
    expect(await limiter.take('k', LIMIT)).toBeGreaterThan(0);
    now = 50;
    expect(await limiter.take('k', LIMIT)).toBe(0);
    expect(await limiter.take('k', LIMIT)).toBeGreaterThan(0);
  });

  it('never holds more than its capacity', async () => {
    let now = 0;
    const limiter = createMemoryRateLimiter(() => now);
    await limiter.take('k', LIMIT);
    now = 3_600_000;
    const waits = await Promise.all(Array.from({ length: 21 }, () => limiter.take('k', LIMIT)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(20);
  });

  it('takes nothing from a refused request', async () => {
    let now = 0;
    const limiter = createMemoryRateLimiter(() => now);
    const limit = { capacity: 1, perSecond: 1 };
    await limiter.take('k', limit);
    for (now = 100; now < 1000; now += 100) expect(await limiter.take('k', limit)).toBeGreaterThan(0);
    expect(await limiter.take('k', limit)).toBe(0);
  });

  it('keeps keys apart', async () => {
    const limiter = createMemoryRateLimiter(() => 0);
    const limit = { capacity: 1, perSecond: 1 };
    expect(await limiter.take('a', limit)).toBe(0);
    expect(await limiter.take('b', limit)).toBe(0);
    expect(await limiter.take('a', limit)).toBe(1);
  });
});
