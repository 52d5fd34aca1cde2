/**
 * How often passwords may be tried. Shared by the API processes whatever RATE_LIMITS says: a login
 * asks PostgreSQL anyway, and a limit of each process would be no limit of the installation.
 */
import { loginBucket } from '../../domain/passwords.ts';
import { rateLimited } from '../http/errors.ts';
import { limitKeyOf } from '../http/peer.ts';
import type { RateLimiter } from '../http/rateLimiter.ts';

/** An office behind one address can log in; who tries passwords can try six a minute. */
const PER_ADDRESS = { capacity: 30, perSecond: 0.1 };
/** Whatever number of addresses try one account: 1,450 passwords in a day. A known device of it has as many of its own. */
const PER_ACCOUNT = { capacity: 10, perSecond: 1 / 60 };

/**
 * Counts a try.
 * @param device a device in which the account was logged in to before (deviceCookie.ts), or a user who is logged in
 * @throws {HttpError} 429 when it is one too many for the address, or for the account or the device
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
