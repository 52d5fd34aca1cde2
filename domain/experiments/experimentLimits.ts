/** Limits of the experiments of surfaces. */

/** Maximum number of experiments of a project, counting those of the last 90 days. */
export const EXPERIMENTS_PER_PROJECT = 1_000;

/** Number of variants of an experiment. */
export const MIN_VARIANTS = 2;
export const MAX_VARIANTS = 4;

/** Tolerance within which shares add up to 1: three times 0.333 means everybody. */
export const SHARE_TOLERANCE = 0.001;

export function doSharesAddUp(shares: readonly number[]): boolean {
  const sum = shares.reduce((total, share) => total + share, 0);
  // The added term covers the rounding of binary fractions.
  return Math.abs(sum - 1) <= SHARE_TOLERANCE + 1e-9;
}
