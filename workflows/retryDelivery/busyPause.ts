/** How long a busy webhook is left alone. */

const BUSY_FIRST_MS = 2_000;
const BUSY_MOST_MS = 60_000;

/** Doubles from 2 s to 1 min, so that a long queue for one address keeps histories short. */
export function busyPauseMs(timesBusy: number): number {
  return Math.min(BUSY_MOST_MS, BUSY_FIRST_MS * 2 ** (timesBusy - 1));
}
