/**
 * Two kinds of rate limits. Token buckets: a bucket holds `capacity` tokens, a request takes one, and they refill over
 * time. Windows: a maximum number of requests in any period of a few seconds, without bursts.
 */
import type { Bucket, Window } from '../../../db/installation/rateLimitCounters.ts';
import { growingCache } from '../../../platform/process/growingCache.ts';

export type RateLimit = Bucket | Window;

export function isWindow(limit: RateLimit): limit is Window {
  return 'most' in limit;
}

/** Counts in this process only, or for all processes together (rateLimiterPostgres.ts). */
export interface RateLimiter {
  /**
   * Takes a token, or a place in a window; a refused request takes none.
   * @returns 0, or the seconds until one is available
   */
  take(key: string, limit: RateLimit): Promise<number>;
}

/**
 * Maximum number of counts: more than the keys and addresses that one process serves at a time; an evicted count starts
 * again.
 */
const MAX_COUNTS = 50_000;
/** Tenths of a token do not add up to exactly one. */
const ROUNDING = 1e-9;

/**
 * Returns a limiter that counts in the memory of one process.
 * @param now a monotonic clock in milliseconds
 */
export function createMemoryRateLimiter(now: () => number = () => performance.now()): RateLimiter {
  const [takeToken, takeOfWindow] = [tokenBuckets(), windows()];
  return {
    take(key, limit) {
      const seconds = now() / 1000;
      return Promise.resolve(isWindow(limit) ? takeOfWindow(key, limit, seconds) : takeToken(key, limit, seconds));
    },
  };
}

function tokenBuckets(): (key: string, limit: Bucket, now: number) => number {
  const buckets = growingCache<string, { tokens: number; at: number }>(MAX_COUNTS);
  return (key, { capacity, perSecond }, now) => {
    const bucket = buckets.get(key) ?? { tokens: capacity, at: now };
    bucket.tokens = Math.min(capacity, bucket.tokens + (now - bucket.at) * perSecond);
    bucket.at = now;
    const isAllowed = bucket.tokens >= 1 - ROUNDING;
    if (isAllowed) bucket.tokens -= 1;
    buckets.set(key, bucket);
    return isAllowed ? 0 : (1 - bucket.tokens) / perSecond;
  };
}

/** Counts by second, like db/installation/rateLimitCounters.ts. */
function windows(): (key: string, limit: Window, now: number) => number {
  const counts = growingCache<string, Map<number, number>>(MAX_COUNTS);
  return (key, { most, seconds }, now) => {
    const recent = new Map([...(counts.get(key) ?? [])].filter(([slot]) => slot > now - seconds - 1));
    counts.set(key, recent);
    const total = [...recent.values()].reduce((sum, count) => sum + count, 0);
    const [oldest = 0] = recent.keys();
    if (total >= most) return oldest + seconds + 1 - now;
    const slot = Math.floor(now);
    recent.set(slot, (recent.get(slot) ?? 0) + 1);
    return 0;
  };
}
