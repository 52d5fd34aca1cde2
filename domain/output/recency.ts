/** The recency of an item, as a score. */
import { DAY_MS } from '../timeUnits.ts';

/** The age at which the score is half of that at publication. */
const HALF_AGE_MS = 30 * DAY_MS;

/**
 * Returns 1 for an item published now or in the future, falling towards 0 with age.
 * @param now milliseconds since 1970
 */
export function recency(publishedAt: Date, now: number): number {
  return recencyAt(publishedAt.getTime(), now);
}

/** Does the same for a time in milliseconds since 1970. */
export function recencyAt(publishedAt: number, now: number): number {
  return HALF_AGE_MS / (HALF_AGE_MS + Math.max(0, now - publishedAt));
}
