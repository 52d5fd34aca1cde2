/** When something happened, as a client tells it and as it is kept. */

const DAY_MS = 86_400_000;
/** Events and orders may be so old; a limit of the content API. */
const MAX_AGE_MS = 730 * DAY_MS;
/** Clocks of clients may be ahead by so much. */
const MAX_AHEAD_MS = 5 * 60_000;

/**
 * The time to keep: the client's own, or the receipt's when it is more than 5 minutes in the future.
 * @returns 'too_old' for a moment more than 730 days before the receipt
 */
export function keptMoment(sent: Date, receivedAt: Date): Date | 'too_old' {
  const ageMs = receivedAt.getTime() - sent.getTime();
  if (ageMs > MAX_AGE_MS) return 'too_old';
  return ageMs < -MAX_AHEAD_MS ? receivedAt : sent;
}
