/**
 * Limits how often one address may send to the tag's intake. It counts in each process: with a query per request, a
 * flood would reach PostgreSQL.
 */
import { rateLimited } from '../../http/errors.ts';
import { limitKeyOf } from '../../http/limits/trustedProxies.ts';
import { createMemoryRateLimiter } from '../../http/limits/rateLimiter.ts';

/** @throws {HttpError} 429 */
export type CheckAddressLimit = (ip: string) => Promise<void>;

/** Returns the limit, with a burst of one minute's worth: a whole office opens its browsers at nine. */
export function createAddressLimit(perMinute: number): CheckAddressLimit {
  const limiter = createMemoryRateLimiter();
  const limit = { capacity: perMinute, perSecond: perMinute / 60 };
  return async (ip) => {
    const wait = await limiter.take(limitKeyOf(ip), limit);
    if (wait > 0) throw rateLimited(wait);
  };
}
