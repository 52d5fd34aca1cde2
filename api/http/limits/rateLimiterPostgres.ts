/** Rate limits shared by all API processes on one database. */
import type pg from 'pg';
import { createPool } from '../../../db/pool.ts';
import { isDatabaseUnavailable } from '../../../db/errors.ts';
import { takeFromWindow, takeToken } from '../../../db/installation/rateLimitCounters.ts';
import type { Queryable } from '../../../db/pool.ts';
import { createMemoryRateLimiter, isWindow, type RateLimit, type RateLimiter } from './rateLimiter.ts';
import { growingCache } from '../../../platform/process/growingCache.ts';

/** Time for which PostgreSQL is not queried after a failure, so that no request waits for it only to be counted. */
const PAUSE_MS = 1_000;
/** Time limit of a query: a bucket answers in a fraction of a millisecond, or not at all. */
const TIMEOUT_MS = 1_000;
const CONNECTIONS = 4;
/** Maximum number of cached refusals. */
const MAX_CACHED_REFUSALS = 50_000;
const REFUSAL_TTL_MS = 1_000;

export interface SharedLimiterOptions {
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  /** Called when the buckets are unreachable, once per pause. */
  onUnavailable?: (error: unknown) => void;
  /** Maximum time for which a refusal is cached. 0 where a lifted limit has to take effect at once. */
  refusalTtlMs?: number;
}

/**
 * While PostgreSQL is unavailable each process counts separately: refusing everybody would extend an outage of the
 * database to requests that do not need it, and letting everybody through would disable the limit when it is needed
 * most. A refusal is cached until it ends (at most a second), so that the requests of a flood do not cost a statement
 * each.
 */
export function createPostgresRateLimiter(
  pool: Queryable,
  { now = () => performance.now(), onUnavailable, refusalTtlMs = REFUSAL_TTL_MS }: SharedLimiterOptions = {},
): RateLimiter {
  const local = createMemoryRateLimiter(now);
  const refused = growingCache<string, { limit: RateLimit; since: number; wait: number }>(MAX_CACHED_REFUSALS);
  let unavailableUntil = -Infinity;
  const refusalOf = (key: string, limit: RateLimit): number => {
    const last = refused.get(key);
    if (!last || !isSame(last.limit, limit)) return 0;
    const passed = now() - last.since;
    return passed < Math.min(refusalTtlMs, last.wait * 1000) ? last.wait - passed / 1000 : 0;
  };
  const ask = async (key: string, limit: RateLimit): Promise<number> => {
    const wait = isWindow(limit) ? await takeFromWindow(pool, key, limit) : await takeToken(pool, key, limit);
    if (wait > 0) refused.set(key, { limit, since: now(), wait });
    return wait;
  };
  return {
    async take(key, limit) {
      const refusal = refusalOf(key, limit);
      if (refusal > 0) return refusal;
      if (now() < unavailableUntil) return local.take(key, limit);
      try {
        return await ask(key, limit);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        if (now() >= unavailableUntil) onUnavailable?.(error);
        unavailableUntil = now() + PAUSE_MS;
        return local.take(key, limit);
      }
    },
  };
}

/** Returns true when both limits, of the same key, are equal. */
function isSame(one: RateLimit, other: RateLimit): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Creates separate connections for the limiter, so that counting a request never queues behind other work. */
export function createLimiterPool(databaseUrl: string): pg.Pool {
  return createPool({
    databaseUrl,
    size: CONNECTIONS,
    applicationName: 'attune-limits',
    statementTimeoutMs: TIMEOUT_MS,
    connectTimeoutMs: TIMEOUT_MS,
  });
}
