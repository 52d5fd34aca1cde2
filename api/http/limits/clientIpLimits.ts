/** Limits per client address for everything under /api/: requests per minute, and concurrent requests. */
import type { ServerResponse } from 'node:http';
import { rateLimited } from '../errors.ts';
import { limitKeyOf } from './trustedProxies.ts';
import type { RateLimiter } from './rateLimiter.ts';

export interface ClientIpLimits {
  perMinute: number;
  /** Counted in this process, which holds the connection and knows when it ends. */
  simultaneous: number;
}

/**
 * The limits of a request's address. The request is counted on arrival; `check` reports the result when its turn
 * comes.
 */
export interface Admission {
  /** @throws {HttpError} 429 */
  check(): void;
}

export interface ClientIpLimiter {
  /** Counts a request until its response is closed. */
  admit(ip: string, response: ServerResponse): Promise<Admission>;
}

/** After this many seconds another request has most likely ended. */
const SIMULTANEOUS_RETRY_SECONDS = 1;

export function createClientIpLimiter(limiter: RateLimiter, limits: ClientIpLimits): ClientIpLimiter {
  const open = new Map<string, number>();
  const leave = (key: string): void => {
    const left = (open.get(key) ?? 1) - 1;
    if (left > 0) open.set(key, left);
    else open.delete(key);
  };
  return {
    async admit(ip, response) {
      const key = limitKeyOf(ip);
      const count = (open.get(key) ?? 0) + 1;
      open.set(key, count);
      response.once('close', () => leave(key));
      const wait = await limiter.take(`ip/${key}`, { capacity: limits.perMinute, perSecond: limits.perMinute / 60 });
      return {
        check() {
          if (wait > 0) throw rateLimited(wait);
          if (count > limits.simultaneous) throw rateLimited(SIMULTANEOUS_RETRY_SECONDS);
        },
      };
    },
  };
}
