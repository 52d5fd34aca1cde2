/**
 * The durable schedule of a deferred step, whose medium's host or analysis provider did not answer after the quick
 * retries: 10 min, 1 h, 6 h, 24 h, then it fails. activities/analysisFaults.ts decides which faults defer a step;
 * db/analysis/steps.ts defers it. activities/ai/speech.ts decides when a transcript may have gaps.
 */
import { HOUR_MS, MINUTE_MS } from '../timeUnits.ts';

/** Milliseconds before each further try of a deferred step. */
export const DEFERRAL_DELAYS_MS: readonly number[] = [10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS];

/**
 * Returns the delay before the next try of a step that was deferred this many times, or null when the schedule is
 * exhausted.
 */
export function nextDeferralMs(deferrals: number): number | null {
  return DEFERRAL_DELAYS_MS[deferrals] ?? null;
}

/** Returns true when a step that was deferred this many times fails instead of being deferred again. */
export function isLastDeferral(deferrals: number): boolean {
  return nextDeferralMs(deferrals) === null;
}

/** Longer waits are left to this schedule, because quick retries must stay quick. */
export const MAX_QUICK_RETRY_MS = MINUTE_MS;

/**
 * Number of deferrals (10 minutes and an hour) after which a part of a result is given up if the rest is good: enough
 * for a server that restarts.
 */
export const PATIENT_DEFERRALS = 2;
