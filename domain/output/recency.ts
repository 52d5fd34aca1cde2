/** How new an item is, as a score. */

/** At this age it is half of what it was at the publication. */
const HALF_AGE_MS = 30 * 86_400_000;

/** From 1 for what was published this moment, or will be, towards 0. */
export function recency(publishedAt: Date, now: number): number {
  return recencyAt(publishedAt.getTime(), now);
}

/** The same of a time in milliseconds since 1970. */
export function recencyAt(publishedAt: number, now: number): number {
  return HALF_AGE_MS / (HALF_AGE_MS + Math.max(0, now - publishedAt));
}
