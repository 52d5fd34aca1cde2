/**
 * The durable schedule of a step that the service itself put off, because the medium's host or the
 * analysis provider did not answer after the quick retries: 10 min, 1 h, 6 h, 24 h, then it failed.
 */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Milliseconds before each further try of a deferred step. */
export const DEFERRAL_DELAYS_MS: readonly number[] = [10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR];

/** The delay before the next try after `deferrals` used ones, or null when the schedule is over. */
export function nextDeferralMs(deferrals: number): number | null {
  return DEFERRAL_DELAYS_MS[deferrals] ?? null;
}
