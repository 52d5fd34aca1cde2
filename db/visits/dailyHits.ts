/** Hits of sites by day (Moscow time), for the quota. Days are counted from 1970-01-01. */
import type pg from 'pg';

export interface SiteDay {
  siteId: string;
  day: number;
  hits: number;
}

/** Reads days; those without hits are left out. */
export async function loadDays(client: pg.ClientBase, days: readonly Omit<SiteDay, 'hits'>[]): Promise<SiteDay[]> {
  const { rows } = await client.query<SiteDay>({
    name: 'site-days-load',
    text: `select k.site_id as "siteId", k.day, d.hits::float8 as hits
             from unnest($1::text[], $2::int[]) k (site_id, day)
            cross join lateral (select hits from site_days where site_id = k.site_id and day = date '1970-01-01' + k.day) d`,
    values: [days.map(({ siteId }) => siteId), days.map(({ day }) => day)],
  });
  return rows;
}

/** Adds to the counts. @param days the days, each with its additional hits */
export async function addToDays(client: pg.ClientBase, days: readonly SiteDay[]): Promise<void> {
  if (days.length === 0) return;
  await client.query({
    name: 'site-days-add',
    text: `insert into site_days (site_id, day, hits)
           select site_id, date '1970-01-01' + day, hits from unnest($1::text[], $2::int[], $3::bigint[]) k (site_id, day, hits)
           on conflict (site_id, day) do update set hits = site_days.hits + excluded.hits`,
    values: [days.map(({ siteId }) => siteId), days.map(({ day }) => day), days.map(({ hits }) => hits)],
  });
}
