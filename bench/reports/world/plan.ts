/** The sites of the benchmark and the time that they have. All else follows from these by hashes: the same on every run. */

export interface WorldSite {
  /** As domain/keys.ts makes them. */
  id: string;
  /** Number of its first visit, so that no two sites share one. */
  firstVisit: number;
  hits: number;
}

const MILLION = 1_000_000;

/** Thirteen months, as long as a site keeps its hits; in UTC. */
export const BEGIN = '2025-10-21 00:00:00';
export const END = '2026-11-21 00:00:00';
/** The same as days of the site's time zone, for requests. */
export const PERIOD = { date_from: '2025-10-22', date_to: '2026-11-20' } as const;
export const TIMEZONE = 'Europe/Moscow';
/** Of {@link TIMEZONE} all through the period: the other engines' statements need not know its rules. */
export const UTC_OFFSET_HOURS = 3;

/** Between the last visit of a site and the first of the next. */
const NUMBERS = 100 * MILLION;

/**
 * @param large millions of hits of the large site; 0 leaves it out
 * @returns the site of ten million hits, the large one, and twenty small ones with two million together
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
