/** The time of an event, as a client sends it and as it is stored. */
import { DAY_MS } from '../timeUnits.ts';

/** Maximum age of events and orders; a limit of the content API. domain/items/statistics.ts counts a day more. */
export const MAX_EVENT_AGE_DAYS = 730;
/** Tolerance for clients' clocks that are ahead. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;

/**
 * Returns the time to store: the client's own, or that of the receipt when it is more than 5 minutes in the future.
 * @returns 'too_old' for a time more than 730 days before the receipt
 */
export function keptMoment(sent: Date, receivedAt: Date): Date | 'too_old' {
  const ageMs = receivedAt.getTime() - sent.getTime();
  if (ageMs > MAX_EVENT_AGE_DAYS * DAY_MS) return 'too_old';
  return ageMs < -MAX_CLOCK_SKEW_MS ? receivedAt : sent;
}
