/** Rates of outcomes of answers, with their uncertainty when each person makes several requests. */

/** Sums over people: for each, the number of requests (x) and of outcomes (y). */
export interface PersonSums {
  people: number;
  x: number;
  y: number;
  xx: number;
  yy: number;
  xy: number;
}

/**
 * A rate with its 95 % interval. The bounds are null for fewer than two people, and if all people have the same rate,
 * because that does not make the rate exact.
 */
export interface Rate {
  value: number;
  low: number | null;
  high: number | null;
}

/** Number of standard deviations within which 95 % of a normal distribution lie. */
const Z = 1.959964;

/**
 * Returns the outcomes per request. The requests of one person are correlated, so the random sample consists of people
 * and not of requests: the variance is that of a ratio of two means over people, by the delta method (Deng, Knoblich
 * and Lu, "Applying the Delta Method in Metric Analytics", KDD 2018, arXiv:1803.06336, section 3).
 * @returns null when there were no requests
 */
export function rateOf(sums: PersonSums): Rate | null {
  if (sums.x === 0) return null;
  const value = sums.y / sums.x;
  const error = standardError(sums);
  if (error === null || error === 0) return { value, low: null, high: null };
  return { value, low: Math.max(0, value - Z * error), high: value + Z * error };
}

/** Returns by how much the rate of `one` exceeds that of `other`; no person may be in both. */
export function differenceOf(one: PersonSums, other: PersonSums): Rate | null {
  if (one.x === 0 || other.x === 0) return null;
  const value = one.y / one.x - other.y / other.x;
  const errors = [standardError(one), standardError(other)];
  const [a, b] = errors;
  if (typeof a !== 'number' || typeof b !== 'number') return { value, low: null, high: null };
  const error = Math.hypot(a, b);
  if (error === 0) return { value, low: null, high: null };
  return { value, low: value - Z * error, high: value + Z * error };
}

/** Returns null for a single person, from whom no variance can be estimated. */
function standardError({ people, x, y, xx, yy, xy }: PersonSums): number | null {
  if (people < 2) return null;
  const rate = y / x;
  const meanX = x / people;
  const covariance = (ab: number, a: number, b: number): number => (ab - (a * b) / people) / (people - 1);
  const variance = covariance(yy, y, y) - 2 * rate * covariance(xy, x, y) + rate ** 2 * covariance(xx, x, x);
  return Math.sqrt(Math.max(0, variance) / people) / meanX;
}
