/** How many attempts are made at a time and how long one may take; how much the first lane takes in hand, and for how long. */
import type { ClaimLimits } from '../db/deliveryClaims.ts';
import { LONGEST_LEASE_MS } from '../domain/webhookDelivery.ts';

/** The documented limit for an attempt. */
export const ATTEMPT_DEADLINE_MS = 10_000;

/** Requests of one webhook under way at a time, over all workers. */
export const ATTEMPTS_PER_WEBHOOK = 16;
/** So many of them may be tests and resends: they go ahead of the others, and leave the others room. */
export const URGENT_ATTEMPTS_PER_WEBHOOK = 4;

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
  leaseMs: LONGEST_LEASE_MS,
  capacity: 8192,
  pollMs: 1000,
};

/**
 * The last claim of a webhook must begin while its lease holds, even when every attempt before it
 * takes its full time; otherwise claims of a slow address would be given back and taken again for ever.
 * @throws {RangeError} when the limits do not allow that
 */
export function checkLimits(limits: FirstLaneLimits): FirstLaneLimits {
  const longestWaitMs =
    Math.max(limits.perWebhook / ATTEMPTS_PER_WEBHOOK, limits.urgentPerWebhook / URGENT_ATTEMPTS_PER_WEBHOOK) *
    ATTEMPT_DEADLINE_MS;
  if (longestWaitMs < limits.leaseMs - LEASE_RESERVE_MS) return limits;
  throw new RangeError(
    `a claim can wait ${longestWaitMs} ms for its turn, its lease of ${limits.leaseMs} ms allows ${limits.leaseMs - LEASE_RESERVE_MS}`,
  );
}
