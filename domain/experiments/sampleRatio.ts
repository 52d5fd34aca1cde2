/** Checks whether the variants of an experiment have as many people as their shares require. */

/**
 * Probability below which chance is ruled out. It is the usual value for this test, which is repeated on the same data.
 */
export const MISMATCH_P = 0.001;

/**
 * Pearson's chi-squared test of observed counts against shares (Fabijan et al., "Diagnosing Sample Ratio Mismatch in
 * Online Controlled Experiments", KDD 2019).
 * @param observed people of each variant
 * @param shares of the variants, 0 for those that nobody should have, which are left out. At most four are above 0
 * @returns the probability of counts at least as far from the shares; null when there is nobody, or nothing to
 *   compare
 */
export function sampleRatioP(observed: readonly number[], shares: readonly number[]): number | null {
  const compared = observed.map((count, at) => ({ count, share: shares[at] ?? 0 })).filter(({ share }) => share > 0);
  const total = compared.reduce((sum, { count }) => sum + count, 0);
  const whole = compared.reduce((sum, { share }) => sum + share, 0);
  if (total === 0 || compared.length < 2) return null;
  const statistic = compared.reduce((sum, { count, share }) => {
    const expected = (total * share) / whole;
    return sum + (count - expected) ** 2 / expected;
  }, 0);
  // The approximation below is a little above 1 where there is no difference at all.
  return Math.min(1, chiSquaredTail(statistic, compared.length - 1));
}

/**
 * Returns the probability of a chi-squared variable above `x`, in closed form (Abramowitz and Stegun, 26.4.4 and
 * 26.4.5).
 */
function chiSquaredTail(x: number, degrees: number): number {
  if (degrees === 2) return Math.exp(-x / 2);
  const one = erfc(Math.sqrt(x / 2));
  if (degrees === 1) return one;
  if (degrees === 3) return one + Math.sqrt((2 * x) / Math.PI) * Math.exp(-x / 2);
  throw new Error(`${degrees} degrees of freedom are not among 1, 2 and 3`);
}

/**
 * For x ≥ 0, with a relative error of 1.2e-7: a Chebyshev fit (Press et al., Numerical Recipes in C, second edition,
 * 6.2, erfcc).
 */
function erfc(x: number): number {
  const t = 1 / (1 + x / 2);
  const series = FIT.reduceRight((sum, coefficient) => sum * t + coefficient, 0);
  return t * Math.exp(-x * x + series);
}

const FIT = [
  -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
  0.17087277,
] as const;
