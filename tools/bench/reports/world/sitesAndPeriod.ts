/**
 * The sites of the benchmark and their period. Everything else is derived from these by hashes and is the same on every
 * run.
 */

export interface WorldSite {
  /** An id as domain/accounts/keyFormats.ts creates it. */
  id: string;
  /** Number of its first visit, unique across sites. */
  firstVisit: number;
  hits: number;
}

const MILLION = 1_000_000;

/** Thirteen months, as long as a site keeps its hits; in UTC. */
export const BEGIN = '2025-10-21 00:00:00';
export const END = '2026-11-21 00:00:00';
/** The same as days in the site's time zone, for requests. */
export const PERIOD = { date_from: '2025-10-22', date_to: '2026-11-20' } as const;
export const TIMEZONE = 'Europe/Moscow';
/**
 * The offset of {@link TIMEZONE} throughout the period, so that the other engines' statements need not know its rules.
 */
export const UTC_OFFSET_HOURS = 3;

/** Distance between the numbers of two sites' visits. */
const NUMBERS = 100 * MILLION;

/**
 * @param large millions of hits of the large site; 0 leaves it out
 * @returns the site of ten million hits, the large one, and twenty small ones with two million in total
 */
export function planSites(large: number): { middle: WorldSite; large: WorldSite | null; all: WorldSite[] } {
  const site = (id: string, number: number, hits: number): WorldSite => ({ id, firstVisit: number * NUMBERS, hits });
  const middle = site('benchmiddle1', 0, 10 * MILLION);
  const others = Array.from({ length: 20 }, (_, index) =>
    site(`benchsmall${String(index).padStart(2, '0')}`, index + 2, MILLION / 10),
  );
  const big = large === 0 ? null : site('benchlarge01', 1, large * MILLION);
  return { middle, large: big, all: [middle, ...(big ? [big] : []), ...others] };
}
