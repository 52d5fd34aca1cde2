/** Boosts multiply scores: a request prefers some items to others, and removes none. */
import { passesFilter, type BoundFilter } from './propertyFilters.ts';

export const MAX_BOOSTS = 10;
export const MIN_FACTOR = 0.1;
export const MAX_FACTOR = 10;

export interface Boost {
  filter: BoundFilter;
  /** Above 1 raises, below 1 lowers. */
  factor: number;
}

/** Returns the product of the factors of all boosts whose filter the properties pass. */
export function boostOf(boosts: readonly Boost[], properties: Readonly<Record<string, unknown>> | null): number {
  let product = 1;
  for (const { filter, factor } of boosts) if (passesFilter(filter, properties)) product *= factor;
  return product;
}

/** Returns the largest product that {@link boostOf} may return. */
export function maxBoostOf(boosts: readonly Boost[]): number {
  return boosts.reduce((product, { factor }) => product * Math.max(1, factor), 1);
}

/** Returns a score times a factor. A negative score is divided instead, so that a factor above 1 always raises it. */
export function scaled(score: number, factor: number): number {
  return score >= 0 ? score * factor : score / factor;
}
