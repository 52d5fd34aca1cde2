/** How much the first lane takes in hand, and for how long. */
import type { ClaimLimits } from '../db/deliveryClaims.ts';
import { ATTEMPT_DEADLINE_MS } from './attempt.ts';
import { ATTEMPTS_PER_WEBHOOK, URGENT_ATTEMPTS_PER_WEBHOOK } from './slots.ts';

export interface FirstLaneLimits extends ClaimLimits {
  /** Deliveries in this process, from claim to stored outcome. */
  capacity: number;
  pollMs: number;
}

/** What must be left of a lease when an attempt begins: the attempt and its storing. */
export const LEASE_RESERVE_MS = 1.5 * ATTEMPT_DEADLINE_MS;

/**
 * Per webhook three times the requests under way: the last ones are being stored and the next ones
 * wait here meanwhile.
 */
export const DEFAULT_LIMITS: FirstLaneLimits = {
  batch: 256,
  perWebhook: 3 * ATTEMPTS_PER_WEBHOOK,
  urgentPerWebhook: 3 * URGENT_ATTEMPTS_PER_WEBHOOK,
  leaseMs: 50_000,
  capacity: 8192,
  pollMs: 1000,
};

/**
 * The last claim of a webhook must begin while its lease holds, even when every attempt before it
 * takes its full time; otherwise claims of a slow address would be given back and taken again for ever.
 * @throws {RangeError} when the limits do not allow that
 */
export function checkLimits(limits: FirstLaneLimits): FirstLaneLimits {
  const longestWaitMs = Math.max(limits.perWebhook / ATTEMPTS_PER_WEBHOOK, limits.urgentPerWebhook / URGENT_ATTEMPTS_PER_WEBHOOK) * ATTEMPT_DEADLINE_MS;
  if (longestWaitMs < limits.leaseMs - LEASE_RESERVE_MS) return limits;
  throw new RangeError(`a claim can wait ${longestWaitMs} ms for its turn, its lease of ${limits.leaseMs} ms allows ${limits.leaseMs - LEASE_RESERVE_MS}`);
}
