/** Assigns operations to the shared limits of a key. */
import type { SiteLimits } from '../../domain/sites/siteLimits.ts';
import type { SiteCaller } from '../auth/siteKey.ts';
import type { AnyOperation } from '../http/operations/operation.ts';
import type { RateLimit } from '../http/limits/rateLimiter.ts';

type Bucket = 'writes' | 'output' | 'reports';

/** From the API document, section "Limits". Operations not listed are limited only by address. */
const BUCKETS: Readonly<Record<string, Bucket>> = {
  '/users': 'writes',
  '/conversions': 'writes',
  '/orders': 'writes',
  '/visitors/attributes': 'output',
  '/visitors/{visitor_id}': 'output',
  '/network': 'output',
  '/reports': 'reports',
};

/** The site's limit for each bucket whose rate is per second. */
const LIMITS = { writes: 'requests_per_second', output: 'output_per_second' } as const satisfies Record<
  Exclude<Bucket, 'reports'>,
  keyof SiteLimits
>;

export function limitOf(
  { keyId, limits }: Pick<SiteCaller, 'keyId' | 'limits'>,
  { path }: Pick<AnyOperation, 'path'>,
): { key: string; limit: RateLimit } | null {
  const bucket = BUCKETS[path];
  if (bucket === undefined) return null;
  return { key: `site-key/${keyId}/${bucket}`, limit: rateOf(bucket, limits) };
}

/**
 * Returns the rate of a bucket, which allows a burst of one second's worth. Reports have a window instead: a minute's
 * worth at once, and then none until the minute is over.
 */
function rateOf(bucket: Bucket, limits: SiteLimits): RateLimit {
  if (bucket === 'reports') return windowOf(limits.reports_per_minute);
  const perSecond = limits[LIMITS[bucket]];
  return { capacity: Math.max(1, perSecond), perSecond };
}

/** Returns a window of one minute. A limit below one request a minute becomes one request in a longer window. */
function windowOf(perMinute: number): RateLimit {
  return perMinute < 1 ? { most: 1, seconds: 60 / perMinute } : { most: Math.floor(perMinute), seconds: 60 };
}
