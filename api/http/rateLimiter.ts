/** Token buckets: a bucket holds `capacity` tokens, a request takes one, time puts them back. */
import { BoundedMap } from './boundedMap.ts';

export interface RateLimit {
  capacity: number;
  perSecond: number;
}

/** The buckets are in this process, or shared by all of them (rateLimiterPostgres.ts). */
export interface RateLimiter {
  /**
   * Takes a token; a refused request takes none.
   * @returns 0, or the seconds until a token will be there
   */
  take(key: string, limit: RateLimit): Promise<number>;
}

/** More keys and addresses than one process serves at a time; a forgotten bucket starts full again. */
const MAX_BUCKETS = 50_000;
/** Tenths of a token do not add up to exactly one. */
const ROUNDING = 1e-9;

/**
 * Buckets in the memory of one process.
 * @param now a monotonic clock in milliseconds
 */
export function createMemoryRateLimiter(now: () => number = () => performance.now()): RateLimiter {
  const buckets = new BoundedMap<string, { tokens: number; at: number }>(MAX_BUCKETS);
  return {
    take(key, { capacity, perSecond }) {
      const time = now();
      const bucket = buckets.get(key) ?? { tokens: capacity, at: time };
      bucket.tokens = Math.min(capacity, bucket.tokens + ((time - bucket.at) / 1000) * perSecond);
      bucket.at = time;
      const isAllowed = bucket.tokens >= 1 - ROUNDING;
      if (isAllowed) bucket.tokens -= 1;
      buckets.set(key, bucket);
      return Promise.resolve(isAllowed ? 0 : (1 - bucket.tokens) / perSecond);
    },
  };
}
