/** The retry schedule of a webhook delivery: seven attempts over 20 h 36 min. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Milliseconds between attempt n and attempt n + 1, exact. */
export const RETRY_DELAYS_MS: readonly number[] = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR];

export const MAX_ATTEMPTS = RETRY_DELAYS_MS.length + 1;

/**
 * Returns the pause after a failed attempt, or null when it was the last one.
 * @param attempt number of the attempt that failed, from 1
 */
export function retryDelayMs(attempt: number): number | null {
  return RETRY_DELAYS_MS[attempt - 1] ?? null;
}
