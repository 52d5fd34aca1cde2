/** Rates of what came of answers, with what is known of them when each person asks several times. */

/** Sums over people: of each, how often they asked (x), and what came of it (y). */
export interface PersonSums {
  people: number;
  x: number;
  y: number;
  xx: number;
  yy: number;
  xy: number;
}

/** A rate with its 95 % interval; the bounds are null for fewer than two people. */
export interface Rate {
  value: number;
  low: number | null;
  high: number | null;
}

/** Of a normal distribution 95 % are within so many standard deviations. */
const Z = 1.959964;

/**
 * What came of one request. A person's requests are alike, so that people and not requests are drawn at random: the
 * variance is that of a ratio of two means over people, by the delta method (Deng, Knoblich and Lu, "Applying the Delta
 * Method in Metric Analytics", KDD 2018, arXiv:1803.06336, section 3).
 * @returns null when nobody has asked
 */
export function rateOf(sums: PersonSums): Rate | null {
  if (sums.x === 0) return null;
  const value = sums.y / sums.x;
  const error = standardError(sums);
  if (error === null) return { value, low: null, high: null };
  return { value, low: Math.max(0, value - Z * error), high: value + Z * error };
}

/** How much larger the rate of the one is than that of the other; no person is in both. */
export function differenceOf(one: PersonSums, other: PersonSums): Rate | null {
  if (one.x === 0 || other.x === 0) return null;
  const value = one.y / one.x - other.y / other.x;
  const errors = [standardError(one), standardError(other)];
  const [a, b] = errors;
  if (typeof a !== 'number' || typeof b !== 'number') return { value, low: null, high: null };
  const error = Math.hypot(a, b);
  return { value, low: value - Z * error, high: value + Z * error };
}

/** Null when one person says nothing of others. */
function standardError({ people, x, y, xx, yy, xy }: PersonSums): number | null {
  if (people < 2) return null;
  const rate = y / x;
  const meanX = x / people;
  const covariance = (ab: number, a: number, b: number): number => (ab - (a * b) / people) / (people - 1);
  const variance = covariance(yy, y, y) - 2 * rate * covariance(xy, x, y) + rate ** 2 * covariance(xx, x, x);
  return Math.sqrt(Math.max(0, variance) / people) / meanX;
}
