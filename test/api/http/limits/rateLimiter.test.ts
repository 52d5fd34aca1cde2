import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createMemoryRateLimiter } from '../../../../api/http/limits/rateLimiter.ts';

const LIMIT = { capacity: 20, perSecond: 20 };

describe('createMemoryRateLimiter', () => {
  // proves: decisions-order/buckets
  it("allows a second's worth of requests at once, then one every 50 ms", async () => {
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

  it('charges nothing for a refused request', async () => {
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

describe('a window', () => {
  const limit = { most: 60, seconds: 60 };

  it('admits sixty at once and then none for a minute', async () => {
    let now = 0;
    const limiter = createMemoryRateLimiter(() => now);
    for (let taken = 0; taken < 60; taken++) expect(await limiter.take('k', limit)).toBe(0);
    expect(await limiter.take('k', limit)).toBe(61);
    for (now = 1_000; now < 61_000; now += 1_000) expect(await limiter.take('k', limit)).toBeGreaterThan(0);
    expect(await limiter.take('k', limit)).toBe(0);
  });

  it('admits nearly sixty in any sixty seconds, and never more than sixty, however the requests come', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 4_000 }), { minLength: 300, maxLength: 300 }),
        async (gaps) => {
          let now = 0;
          const limiter = createMemoryRateLimiter(() => now);
          const admitted: number[] = [];
          for (const gap of gaps) {
            now += gap / 4;
            if ((await limiter.take('k', limit)) === 0) admitted.push(now);
          }
          for (const [index, at] of admitted.entries())
            expect((admitted[index + 60] ?? Infinity) - at).toBeGreaterThanOrEqual(60_000);
          expect(admitted.length).toBeGreaterThanOrEqual(Math.min(gaps.length, 60 * Math.floor(now / 61_000)));
        },
      ),
      { numRuns: 50 },
    );
  });
});
