/**
 * Limits password attempts. The API processes share it whatever RATE_LIMITS is: a login queries PostgreSQL anyway, and
 * limits per process would not limit the installation.
 */
import { loginBucket } from '../../domain/accounts/passwords.ts';
import { rateLimited } from '../http/errors.ts';
import { limitKeyOf } from '../http/limits/trustedProxies.ts';
import type { RateLimiter } from '../http/limits/rateLimiter.ts';

/** Enough for an office behind one address; a guesser gets 6 attempts a minute. */
export const PER_ADDRESS = { capacity: 30, perSecond: 0.1 };
/**
 * Limits the attempts at one account, from however many addresses, to 1,450 passwords a day. A known device of the
 * account has a separate limit of the same size.
 */
export const PER_ACCOUNT = { capacity: 10, perSecond: 1 / 60 };

/**
 * Counts an attempt.
 * @param device a device on which the account has logged in before (deviceCookie.ts), or the id of a logged-in user
 * @throws {HttpError} 429 when there were too many for the address, the account or the device
 */
export type CheckLoginLimit = (ip: string, email: string, device?: string | null) => Promise<void>;

export function createLoginLimit(limiter: RateLimiter): CheckLoginLimit {
  return async (ip, email, device = null) => {
    const byAddress = await limiter.take(`login-ip/${limitKeyOf(ip)}`, PER_ADDRESS);
    if (byAddress > 0) throw rateLimited(byAddress);
    // Unknown e-mails count like known ones.
    const bucket = device === null ? loginBucket(email) : `login-device/${device}`;
    const byAccount = await limiter.take(bucket, PER_ACCOUNT);
    if (byAccount > 0) throw rateLimited(byAccount);
  };
}
