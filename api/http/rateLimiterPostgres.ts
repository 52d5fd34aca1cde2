/** Limits that all API processes on one database share. */
import type pg from 'pg';
import { createPool } from '../../db/pool.ts';
import { isDatabaseUnavailable } from '../../db/errors.ts';
import { takeOfWindow, takeToken } from '../../db/rateLimits.ts';
import type { Queryable } from '../../db/pool.ts';
import { BoundedMap } from './boundedMap.ts';
import { createMemoryRateLimiter, isWindow, type RateLimit, type RateLimiter } from './rateLimiter.ts';

/** After a failure PostgreSQL is left in peace for so long, so that no request waits for it only to be counted. */
const PAUSE_MS = 1_000;
/** A bucket is asked for in a fraction of a millisecond, or not at all. */
const TIMEOUT_MS = 1_000;
const CONNECTIONS = 4;
/** Refusals that are remembered. */
const MAX_REFUSED = 50_000;
const REFUSED_MS = 1_000;

export interface SharedLimiterOptions {
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  /** Told when the buckets cannot be reached, once for each pause. */
  onAway?: (error: unknown) => void;
  /** How long a refusal is remembered at most. 0 where a lifted limit has to let callers in at once. */
  refusedMs?: number;
}

/**
 * While PostgreSQL is away each process counts for itself: a limit that refused everybody would turn
 * an outage of the database into one of the requests that need none, and one that let everybody
 * through would end in the hour when it is needed most. A refusal is remembered until its time is over (a second at
 * most), so that a flood of refused requests does not cost a statement each.
 */
export function createPostgresRateLimiter(
  pool: Queryable,
  { now = () => performance.now(), onAway, refusedMs = REFUSED_MS }: SharedLimiterOptions = {},
): RateLimiter {
  const alone = createMemoryRateLimiter(now);
  const refused = new BoundedMap<string, { limit: RateLimit; since: number; wait: number }>(MAX_REFUSED);
  let awayUntil = -Infinity;
  const refusalOf = (key: string, limit: RateLimit): number => {
    const last = refused.get(key);
    if (!last || !isSame(last.limit, limit)) return 0;
    const passed = now() - last.since;
    return passed < Math.min(refusedMs, last.wait * 1000) ? last.wait - passed / 1000 : 0;
  };
  const ask = async (key: string, limit: RateLimit): Promise<number> => {
    const wait = isWindow(limit) ? await takeOfWindow(pool, key, limit) : await takeToken(pool, key, limit);
    if (wait > 0) refused.set(key, { limit, since: now(), wait });
    return wait;
  };
  return {
    async take(key, limit) {
      const refusal = refusalOf(key, limit);
      if (refusal > 0) return refusal;
      if (now() < awayUntil) return alone.take(key, limit);
      try {
        return await ask(key, limit);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        if (now() >= awayUntil) onAway?.(error);
        awayUntil = now() + PAUSE_MS;
        return alone.take(key, limit);
      }
    },
  };
}

/** Both are of one form, for one key. */
function isSame(one: RateLimit, other: RateLimit): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Connections of the limiter's own, so that counting a request never queues behind the work of others. */
export function createLimiterPool(databaseUrl: string): pg.Pool {
  return createPool({
    databaseUrl,
    size: CONNECTIONS,
    applicationName: 'attune-limits',
    statementTimeoutMs: TIMEOUT_MS,
    connectTimeoutMs: TIMEOUT_MS,
  });
}
