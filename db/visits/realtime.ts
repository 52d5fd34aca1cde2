/** Reads who is on a site now from the open visits: PostgreSQL has all of them, the lake none. */
import type { Queryable } from '../pool.ts';
import { minutesOf, type Stretch } from './realtimeMinutes.ts';
import { MINUTE_MS } from '../../domain/timeUnits.ts';

/** Minutes for which a visitor counts as present after the last hit, including pings. */
export const NOW_MINUTES = 5;
export const SHOWN_MINUTES = 30;
export const SHOWN_ROWS = 20;

/**
 * Maximum number of visits read individually. Each costs PostgreSQL some 33 µs, mostly for the JSON of its row, and an
 * answer should cost at most 50 ms. For a busier site a part of each minute is read and stands for the others of that
 * minute.
 */
const MAX_READ = 1_200;
/** Maximum number of visits per minute when a part is read: more for the minutes whose pages and sources are shown. */
const PART_NOW = 160;
const PART_BEFORE = 16;

export interface Realtime {
  at: Date;
  /** Sums of the weights of people and visits. */
  now: number;
  lastMinutes: { people: number; visits: number };
  /** People whose visit was in progress in that minute, the oldest first; the last minute has not ended. */
  minutes: { at: Date; people: number }[];
  pages: { domain: string | null; path: string; people: number }[];
  sources: { type: string; name: string | null; people: number }[];
  /** True when a part of the visits stands for all of them. */
  isSampled: boolean;
}

interface Minute {
  /** Whole minutes since the last hit of its visits. */
  ago: number;
  visits: number;
}

/** Visits whose last hit was in a range of time. At most `read` of them are read, and these stand for the others. */
interface Part {
  /** Range in epoch milliseconds; null: no end. */
  after: number;
  until: number | null;
  visits: number;
  /** Null means all. */
  read: number | null;
}

interface RealtimeCounts {
  now: number;
  people: number;
  visits: number;
  stretches: Stretch[];
  pages: Realtime['pages'];
  sources: Realtime['sources'];
}

/**
 * Returns who is on the site. At most {@link SHOWN_ROWS} pages and sources, those with the most people first; robots
 * are left out.
 */
export async function readRealtime(pool: Queryable, siteId: string): Promise<Realtime> {
  const { at, minutes } = await countMinutes(pool, siteId);
  const isSampled = minutes.reduce((sum, { visits }) => sum + visits, 0) > MAX_READ;
  const told = await readVisits(
    pool,
    siteId,
    at,
    isSampled ? minutes.map((minute) => partOf(minute, at)) : [wholeTime(at)],
  );
  return {
    at: new Date(at),
    now: Math.round(told.now),
    lastMinutes: { people: Math.round(told.people), visits: Math.round(told.visits) },
    minutes: minutesOf(told.stretches, at, SHOWN_MINUTES).map(whole),
    pages: told.pages.map(whole),
    sources: told.sources.map(whole),
    isSampled,
  };
}

/** Rounds the fractions of people that a part yields when it stands for others. */
const whole = <T extends { people: number }>(row: T): T => ({ ...row, people: Math.round(row.people) });

function partOf({ ago, visits }: Minute, at: number): Part {
  const read = Math.min(visits, ago < NOW_MINUTES ? PART_NOW : PART_BEFORE);
  return { after: at - (ago + 1) * MINUTE_MS, until: ago === 0 ? null : at - ago * MINUTE_MS, visits, read };
}

/** The time is not divided into minutes, because new hits move their visit from one minute to another. */
const wholeTime = (at: number): Part => ({ after: at - SHOWN_MINUTES * MINUTE_MS, until: null, visits: 0, read: null });

/**
 * Counts visits per minute from the index only, one range each. A last hit may be a few seconds in the future, because
 * the clocks of API processes differ.
 */
async function countMinutes(pool: Queryable, siteId: string): Promise<{ at: number; minutes: Minute[] }> {
  const {
    rows: [row],
  } = await pool.query<{ at: number; minutes: Minute[] }>({
    name: 'realtime-minutes',
    text: `select round(extract(epoch from now()) * 1000)::float8 as at, coalesce(json_agg(json_build_object('ago', ago, 'visits', visits)) filter (where visits > 0), '[]') as minutes
             from generate_series(0, $2::int - 1) ago
            cross join lateral (
              select count(*)::int as visits from site_visits
               where site_id = $1 and lake_batch is null and last_hit_at > now() - make_interval(mins => ago + 1)
                 and last_hit_at <= case when ago = 0 then 'infinity' else now() - make_interval(mins => ago) end) m`,
    values: [siteId, SHOWN_MINUTES],
  });
  if (!row) throw new Error('a count returned no row');
  return row;
}

/**
 * The last visit of a person shows their present page and their source. A person is the user to whom the visitor is
 * linked, else the visitor, and counts with the least weight of their visits, as in reports.
 */
const READ = `
with visits as materialized (
  select coalesce('u' || u.user_id, 'v' || v.visitor_id) as person, v.started_at, v.last_hit_at,
         x.weight * coalesce(m.visits::float8 / m.read, 1) as weight, x.exit_path, x.exit_url, x.source_last
    from unnest($3::timestamptz[], $4::timestamptz[], $5::int[], $6::int[]) m (after, until, visits, read)
   cross join lateral (
     select visitor_id, started_at, last_hit_at, state from site_visits
      where site_id = $1 and lake_batch is null and last_hit_at > m.after and last_hit_at <= m.until
      order by last_hit_at desc limit m.read) v
   cross join lateral json_to_record(v.state->'row') x (weight float8, is_robot boolean, exit_path text, exit_url text, source_last json)
    left join lateral (select user_id from site_visitors where site_id = $1 and visitor_id = v.visitor_id offset 0) u on true
   where not x.is_robot and x.weight > 0
), people as materialized (
  select distinct on (person) person, last_hit_at > $2::timestamptz as is_here,
         min(weight) over (partition by person) as weight, exit_path, exit_url, source_last
    from visits order by person, last_hit_at desc
), stretches as (
  select lower(r) as first, upper(r) as after, sum(weight) as people
    from (select min(weight) as weight, unnest(range_agg(int8range(
                   floor(extract(epoch from started_at) / 60)::int8, floor(extract(epoch from last_hit_at) / 60)::int8, '[]'))) as r
            from visits group by person) s
   group by 1, 2
), pages as (
  select lower(substring(exit_url from '^[^:/?#]+://(?:[^/?#@]*@)?([^/?#:]+)')) collate "C" as domain, exit_path collate "C" as path, sum(weight) as people
    from people where is_here and exit_path is not null group by 1, 2 order by people desc, path, domain limit $7
), sources as (
  select source_last->>'source_type' as type, (source_last->>'source_name') collate "C" as name, sum(weight) as people
    from people where is_here group by 1, 2 order by people desc, type, name limit $7
)
select (select coalesce(sum(weight) filter (where is_here), 0) from people) as now,
       (select coalesce(sum(weight), 0) from people) as people,
       (select coalesce(sum(weight), 0) from visits) as visits,
       (select coalesce(json_agg(stretches), '[]') from stretches) as stretches,
       (select coalesce(json_agg(pages), '[]') from pages) as pages,
       (select coalesce(json_agg(sources), '[]') from sources) as sources`;

async function readVisits(
  pool: Queryable,
  siteId: string,
  at: number,
  parts: readonly Part[],
): Promise<RealtimeCounts> {
  const moment = (time: number | null): string => (time === null ? 'infinity' : new Date(time).toISOString());
  const {
    rows: [told],
  } = await pool.query<RealtimeCounts>({
    name: 'realtime-visits',
    text: READ,
    values: [
      siteId,
      moment(at - NOW_MINUTES * MINUTE_MS),
      parts.map(({ after }) => moment(after)),
      parts.map(({ until }) => moment(until)),
      parts.map(({ visits }) => visits),
      parts.map(({ read }) => read),
      SHOWN_ROWS,
    ],
  });
  if (!told) throw new Error('a query of sums returned no row');
  return told;
}
