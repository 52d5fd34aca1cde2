/** The last activity of a site, and the use of its daily quotas. */
import type { Queryable } from '../pool.ts';

export interface SiteToday {
  /** The last hit of an open visit, so it is exact while the site has visitors; null when there is none. */
  openHitAt: Date | null;
  /** The last day (Moscow time) with a hit, `2026-11-20`; null when there has never been one. */
  lastHitOn: string | null;
  /** Number of hits on the current day (Moscow time). */
  hits: number;
}

/** Reads three index entries, however much traffic the site has. */
export async function readSiteToday(pool: Queryable, siteId: string): Promise<SiteToday> {
  const { rows } = await pool.query<SiteToday>({
    name: 'site-today',
    text: `select (select last_hit_at from site_visits where site_id = $1 and lake_batch is null order by last_hit_at desc limit 1) as "openHitAt",
                  (select to_char(max(day), 'YYYY-MM-DD') from site_days where site_id = $1) as "lastHitOn",
                  coalesce((select hits from site_days where site_id = $1 and day = (now() at time zone 'Europe/Moscow')::date), 0)::float8 as hits`,
    values: [siteId],
  });
  return rows[0] ?? { openHitAt: null, lastHitOn: null, hits: 0 };
}
