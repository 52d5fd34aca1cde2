/** How many requests one token or one session may make. */
import type { CabinetCaller } from '../auth/cabinetAuthentication.ts';
import type { RateLimit } from '../http/limits/rateLimiter.ts';

/** A burst of one second's worth is allowed. */
export const REQUESTS_PER_SECOND = 50;

export function limitOf(
  { bucket }: Pick<CabinetCaller, 'bucket'>,
  perSecond = REQUESTS_PER_SECOND,
): { key: string; limit: RateLimit } {
  return { key: bucket, limit: { capacity: perSecond, perSecond } };
}
