/** Token buckets that all API processes on one database share. */
import type pg from 'pg';
import { createPool } from '../../db/pool.ts';
import { isDatabaseUnavailable } from '../../db/errors.ts';
import { takeToken } from '../../db/rateLimits.ts';
import type { Queryable } from '../../db/pool.ts';
import { createMemoryRateLimiter, type RateLimiter } from './rateLimiter.ts';

/** After a failure PostgreSQL is left in peace for so long, so that no request waits for it only to be counted. */
const PAUSE_MS = 1_000;
/** A bucket is asked for in a fraction of a millisecond, or not at all. */
const TIMEOUT_MS = 1_000;
const CONNECTIONS = 4;

export interface SharedLimiterOptions {
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  /** Told when the buckets cannot be reached, once for each pause. */
  onAway?: (error: unknown) => void;
}

/**
 * While PostgreSQL is away each process counts for itself: a limit that refused everybody would turn
 * an outage of the database into one of the requests that need none, and one that let everybody
 * through would end in the hour when it is needed most.
 */
export function createPostgresRateLimiter(
  pool: Queryable,
  { now = () => performance.now(), onAway }: SharedLimiterOptions = {},
): RateLimiter {
  const alone = createMemoryRateLimiter(now);
  let awayUntil = -Infinity;
  return {
    async take(key, limit) {
      if (now() < awayUntil) return alone.take(key, limit);
      try {
        return await takeToken(pool, key, limit);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        if (now() >= awayUntil) onAway?.(error);
        awayUntil = now() + PAUSE_MS;
        return alone.take(key, limit);
      }
    },
  };
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
