/** The popularity of an item: what people did with it, day by day, within a period, and whether it is rising. */
import { DAY_MS } from '../timeUnits.ts';

/** Periods that requests may name. */
export const PERIODS = ['1d', '7d', '30d', '365d'] as const;
export type Period = (typeof PERIODS)[number];

export const POPULARITY_KINDS = ['total', 'trending'] as const;

const DAYS: Readonly<Record<Period, number>> = { '1d': 1, '7d': 7, '30d': 30, '365d': 365 };
/** The default period: last week's popularity beats most models. */
export const USUAL_PERIOD: Period = '7d';

/** Number of days that are counted: the longest period may begin within a day. */
export const COUNTED_DAYS = DAYS['365d'] + 1;

/** Half-lives of the recent part of a period and of the part it is compared with, as shares of its length. */
const FAST_PART = 1 / 4;
const SLOW_PART = 1;

/** Number of values per item: for each period the sum, and the fast and the slowly decaying sums. */
export const SUMS = PERIODS.length * 3;

export function totalAt(period: Period): number {
  return PERIODS.indexOf(period) * 3;
}

/** Returns the weight of a day's count in each of the {@link SUMS}; a day is its number since 1970, in UTC. */
export function dayWeights(day: number, now: number): number[] {
  const today = now / DAY_MS;
  const from = Math.min(day, today);
  const middle = (from + Math.max(from, Math.min(day + 1, today))) / 2;
  const fading = (halfLife: number): number => 2 ** (-(today - middle) / halfLife);
  return PERIODS.flatMap((period) => {
    const days = DAYS[period];
    // For the day in which the period begins, only the part within the period counts.
    const within = Math.max(0, Math.min(1, day + 1 - (today - days)));
    return [within, fading(days * FAST_PART), fading(days * SLOW_PART)];
  });
}

/** Returns the day in which the period that ends today begins; days are numbered as in {@link dayWeights}. */
export function firstDayOf(period: Period, today: number): number {
  return today - DAYS[period];
}

/** Number of periods after which a count has almost no weight in the slowly decaying sum. */
const FADED_PERIODS = 4;

/** Returns the days that count in the sums of a period, the latest first. */
export function weighedDays(today: number, period: Period): number[] {
  const days = Math.min(COUNTED_DAYS, DAYS[period] * FADED_PERIODS);
  return Array.from({ length: days + 2 }, (_, ago) => today + 1 - ago);
}

/** Returns the {@link SUMS} of counts by day; a day may occur twice. */
export function sumsOf(days: readonly number[], scores: readonly number[], now: number): number[] {
  const sums = Array.from({ length: SUMS }, () => 0);
  for (const [at, day] of days.entries())
    for (const [sum, weight] of weightsOf(day, now).entries())
      sums[sum] = (sums[sum] ?? 0) + weight * (scores[at] ?? 0);
  return sums;
}

/** A cache of the weights for one time: many items share them. */
let weighed = { now: -1, weights: new Map<number, number[]>() };

function weightsOf(day: number, now: number): number[] {
  if (weighed.now !== now) weighed = { now, weights: new Map() };
  const known = weighed.weights.get(day);
  if (known) return known;
  const weights = dayWeights(day, now);
  weighed.weights.set(day, weights);
  return weights;
}

/** Added to the variance, so that one person who opens an item is not a rise. */
const MIN_VARIANCE = 1;
/** In standard deviations; chance alone stays below it for most items that do not rise. */
export const MIN_TREND = 1;
/**
 * Weighted people, active at a constant rate, who are added to the sums of all other items: where only a few people are
 * active, their share of recent activity is mostly chance.
 */
const STEADY_PEOPLE = 10;

/** Two sums of one period. */
export interface DecayedSums {
  fast: number;
  slow: number;
}

/**
 * Returns by how many standard deviations the recent activity exceeds what would be expected if the item had kept pace
 * with all others. Counts are stored by day, and people are active at certain hours: without the comparison, all items
 * would seem to rise in a busy hour.
 *
 * At a rate of r a day, a sum that decays with the half-life h is rh/ln 2 on average, and its variance half of that
 * (Campbell's theorem for a Poisson process, exponential kernel).
 *
 * @param all the sums of all items, including this one
 */
export function trendOf(fast: number, slow: number, all: DecayedSums): number {
  const steady = STEADY_PEOPLE * (FAST_PART / SLOW_PART);
  // Sums are stored in single precision, so their differences may fall below 0.
  const recentPart = (Math.max(0, all.fast - fast) + steady) / (Math.max(0, all.slow - slow) + STEADY_PEOPLE);
  const expected = slow * recentPart;
  return (fast - expected) / Math.sqrt(expected / 2 + MIN_VARIANCE);
}

/**
 * Returns a value from 0 to 1, which is 1 for the item that rises most and 0 for items that do not rise beyond chance.
 */
export function trendShare(trend: number, max: number): number {
  return trend < MIN_TREND ? 0 : shareOf(trend, max);
}

/**
 * Returns a value from 0 to 1, which is 1 for the most popular item. The scale is logarithmic, so that the tenth item
 * of a list still differs from 0.
 */
export function shareOf(count: number, max: number): number {
  return count <= 0 || max <= 0 ? 0 : Math.log1p(count) / Math.log1p(max);
}
