/**
 * When a webhook's address counts as down, and the effect of a series of outcomes. db/webhooks/addressHealth.ts stores
 * the series and the time until which first attempts wait.
 */
import type { DeliveryErrorCode } from './deliveryStates.ts';

/** Failures in a row after which first attempts wait for the webhook's nearest retry. */
export const BREAKER_THRESHOLD = 5;

/** How long first attempts wait when no retry of the webhook is scheduled. */
export const BREAKER_FALLBACK_MS = 60_000;

const DOWN: ReadonlySet<DeliveryErrorCode> = new Set(['timeout', 'connection', 'tls', 'dns']);

/** The state of an address according to one attempt: it answers, it is down, or neither (a 404, a redirect). */
export type AddressHealth = 'up' | 'down' | 'neither';

export function addressHealth(errorCode: DeliveryErrorCode | null, responseStatus: number | null): AddressHealth {
  if (errorCode === null) return 'up';
  if (DOWN.has(errorCode)) return 'down';
  return errorCode === 'http_status' && (responseStatus ?? 0) >= 500 ? 'down' : 'neither';
}

/**
 * A summary of a series of signs: whether the address was up at any time, and how often it has been down since it was
 * last up.
 */
export interface AddressTally {
  up: boolean;
  down: number;
}

/** Adds the state that one attempt showed to a tally; `neither` does not count and does not interrupt the series. */
export function tallySign(tally: AddressTally, health: AddressHealth): AddressTally {
  if (health === 'up') return { up: true, down: 0 };
  return health === 'down' ? { up: tally.up, down: tally.down + 1 } : tally;
}
