/** The retry schedule of a webhook delivery: seven attempts over 20 h 36 min. */
import { HOUR_MS, MINUTE_MS } from '../timeUnits.ts';

/** Milliseconds between attempt n and attempt n + 1, exact. */
export const RETRY_DELAYS_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
];

export const MAX_ATTEMPTS = RETRY_DELAYS_MS.length + 1;

/**
 * Returns the pause after a failed attempt, or null when it was the last one.
 * @param attempt number of the attempt that failed, from 1
 */
export function retryDelayMs(attempt: number): number | null {
  return RETRY_DELAYS_MS[attempt - 1] ?? null;
}
