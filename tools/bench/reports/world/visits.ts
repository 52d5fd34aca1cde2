/**
 * The visits: who visited when, and how much each visit contains. One row per visit, small enough to hold all sites at
 * once.
 */
import type { LakeConnection } from '../../../../reports/lake/connection.ts';
import { BEGIN, END, type WorldSite } from './sitesAndPeriod.ts';

/** A minimum, so that there are enough visits; surplus ones are cut off. */
const MIN_HITS_PER_VISIT = 4;
/** Visitors per planned visit. */
const VISITORS = 0.55;

/**
 * Creates `base(site_id, i, visitor, started_at, pageviews, extras, number, first_at, previous_at, first_i,
 * significant_i)`: `i` numbers the visit, `first_i` is the visitor's first, `significant_i` the last one with a
 * significant source.
 */
export async function createBase(connection: LakeConnection, sites: readonly WorldSite[]): Promise<void> {
  await connection.query(`create or replace temp table base (site_id VARCHAR, i BIGINT, visitor BIGINT, started_at TIMESTAMP, pageviews INTEGER, extras INTEGER, number INTEGER,
    first_at TIMESTAMP, previous_at TIMESTAMP, first_i BIGINT, significant_i BIGINT)`);
  for (const site of sites) await connection.query(`insert into base ${baseOf(site)}`);
}

function baseOf({ id, firstVisit, hits }: WorldSite): string {
  const visits = Math.ceil(hits / MIN_HITS_PER_VISIT);
  const days = `date_diff('day', TIMESTAMP '${BEGIN}', TIMESTAMP '${END}')`;
  return `
    with numbers as (select ${firstVisit} + n as i, n from range(${visits}) r (n)),
    sized as (
      select i, n, case when chance('single', i) < 0.42 then 1 else least(40, 2 + floor(-ln(1 - chance('pages', i)) * 2.4)::INTEGER) end as pageviews from numbers
    ), filled as (
      select *, floor(pageviews * 1.1 + chance('extras', i))::INTEGER as extras from sized
    ), enough as (
      select *, sum(pageviews + extras) over (order by n) as so_far from filled qualify so_far <= ${hits}
    ), timed as (
      select i, ${firstVisit} + floor(${visits * VISITORS} * pow(chance('visitor', i), 1.7))::BIGINT as visitor, pageviews, extras,
             -- Growth over the months; few at night, most in the evening. Milliseconds, as the ingest has them.
             make_timestamp_ms(epoch_ms(TIMESTAMP '${BEGIN}') + floor(pow(chance('day', i), 0.85) * ${days})::BIGINT * 86400000
               + ((3 + 21 * (chance('hour', i) + chance('minute', i)) / 2) * 3600000)::BIGINT - 10800000 + below('ms', i, 1000)) as started_at
        from enough
    )
    select '${id}', i, visitor, started_at, pageviews, extras, row_number() over w, first_value(started_at) over w, lag(started_at) over w, first_value(i) over w,
           coalesce(last_value(case when is_significant(i) then i end ignore nulls) over w, i)
      from timed where started_at >= TIMESTAMP '${BEGIN}' window w as (partition by visitor order by started_at, i)`;
}
