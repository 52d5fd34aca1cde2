/** Limits of the first lane: how much it claims and for how long. */
import type { ClaimLimits } from '../../db/webhooks/deliveries/claims.ts';
import { MAX_LEASE_MS } from '../../domain/webhooks/claimLease.ts';
import { ATTEMPT_DEADLINE_MS } from './attempt.ts';
import { ATTEMPTS_PER_WEBHOOK, URGENT_ATTEMPTS_PER_WEBHOOK } from './attemptSlots.ts';

export interface FirstLaneLimits extends ClaimLimits {
  /** Maximum number of deliveries in this process, from claim to stored outcome. */
  capacity: number;
  pollMs: number;
}

/** Minimum remaining lease when an attempt begins: time for the attempt and its storage. */
export const LEASE_RESERVE_MS = 1.5 * ATTEMPT_DEADLINE_MS;

/**
 * Claims per webhook are three times the concurrent requests: while these run, the last ones are being stored and the
 * next ones wait here.
 */
export const DEFAULT_LIMITS: FirstLaneLimits = {
  batch: 256,
  perWebhook: 3 * ATTEMPTS_PER_WEBHOOK,
  urgentPerWebhook: 3 * URGENT_ATTEMPTS_PER_WEBHOOK,
  leaseMs: MAX_LEASE_MS,
  capacity: 8192,
  pollMs: 1000,
};

/**
 * Checks that the last claim of a webhook can begin while its lease is valid, even when every attempt before it takes
 * its full time; otherwise claims of a slow address would be released and claimed again forever.
 * @throws {RangeError} when the limits do not ensure that
 */
export function checkLimits(limits: FirstLaneLimits): FirstLaneLimits {
  const longestWaitMs =
    Math.max(limits.perWebhook / ATTEMPTS_PER_WEBHOOK, limits.urgentPerWebhook / URGENT_ATTEMPTS_PER_WEBHOOK) *
    ATTEMPT_DEADLINE_MS;
  if (longestWaitMs < limits.leaseMs - LEASE_RESERVE_MS) return limits;
  throw new RangeError(
    `a claim can wait ${longestWaitMs} ms for its turn, but its lease of ${limits.leaseMs} ms allows only ${limits.leaseMs - LEASE_RESERVE_MS}`,
  );
}
