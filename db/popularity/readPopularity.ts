/** Reads the counted popularity of items (migrations/0069_popularity.sql). */
import type { ListFilter } from '../../domain/output/listFilter.ts';
import { MAY_BE_SHOWN } from '../itemStatuses.ts';
import type { Queryable } from '../pool.ts';

/** The counts of one item, by day; a day may occur twice, for events and for states. */
export interface ItemDays {
  itemId: string;
  /** Days since 1970, in UTC. */
  days: number[];
  /** One score for each of the days. */
  scores: number[];
}

export interface CountedAt {
  itemId: string;
  version: string;
}

/** Returns items whose counts have changed after a version, in the order of their changes. */
export async function listCounted(
  pool: Queryable,
  projectId: string,
  after: string,
  limit: number,
): Promise<CountedAt[]> {
  const { rows } = await pool.query<CountedAt>({
    name: 'popularity-counted',
    text: `select item_id as "itemId", version from popularity_versions where project_id = $1 and version > $2 order by version limit $3`,
    values: [projectId, after, limit],
  });
  return rows;
}

/** The latest possible day. */
const LAST_DAY = 2 ** 31 - 1;
/** Packed as JSON, because the driver would read an array number by number. */
const DAYS = 'item_id as "itemId", json_agg(day) as days, json_agg(score) as scores';

/**
 * Returns everybody's counts of items from a day on; items without any are missing. The columns are compared as rows,
 * for which only the primary key can be used: otherwise a plan that was made while the table was empty would go through
 * the counts of all items for each of them.
 */
export async function readItemDays(
  pool: Queryable,
  projectId: string,
  itemIds: readonly string[],
  since: number,
): Promise<ItemDays[]> {
  if (itemIds.length === 0) return [];
  const { rows } = await pool.query<ItemDays>({
    name: 'popularity-items',
    text: `select ${DAYS} from unnest($2::text[]) as w (id)
            cross join (values (false), (true)) as counted (of_states)
            cross join lateral (
              select item_id, day, score from item_popularity p
               where project_id = $1 and (item_id, p.of_states, region, day) >= (w.id, counted.of_states, '', $3)
                 and (item_id, p.of_states, region, day) <= (w.id, counted.of_states, '', ${LAST_DAY}) offset 0) p
            group by item_id`,
    values: [projectId, itemIds, since],
  });
  return rows;
}

export interface RegionSums {
  itemId: string;
  total: number;
  fast: number;
  slow: number;
}

/** Columns of {@link RegionSums}; null when there are none. */
type PackedSums = Readonly<Record<'totals' | 'fasts' | 'slows', number[] | null>> & { ids: string[] | null };

/** The weight of each day's counts in the sums (domain/output/popularity.ts). */
export type WeighedDay = Omit<RegionSums, 'itemId'> & { day: number };

/**
 * Returns the sums of a region's items; when there are many, those of the most popular. They are packed as JSON, which
 * costs their reader a fifth of what as many rows would cost.
 */
export async function readRegionSums(
  pool: Queryable,
  projectId: string,
  region: string,
  days: readonly WeighedDay[],
  limit: number,
): Promise<RegionSums[]> {
  const { rows } = await pool.query<PackedSums>({
    name: 'popularity-region',
    text: `select json_agg(item_id) as ids, json_agg(total) as totals, json_agg(fast) as fasts, json_agg(slow) as slows
             from (select p.item_id, sum(p.score * d.total)::real as total, sum(p.score * d.fast)::real as fast, sum(p.score * d.slow)::real as slow
                     from unnest($3::integer[], $4::float8[], $5::float8[], $6::float8[]) as d (day, total, fast, slow)
                    cross join lateral (
                      select item_id, score from item_popularity where project_id = $1 and region = $2 and day = d.day offset 0) p
                    group by p.item_id order by slow desc limit $7) as best`,
    values: [
      projectId,
      region,
      days.map(({ day }) => day),
      days.map(({ total }) => total),
      days.map(({ fast }) => fast),
      days.map(({ slow }) => slow),
      limit,
    ],
  });
  const { ids, totals, fasts, slows } = rows[0] ?? {};
  return (ids ?? []).map((itemId, at) => ({
    itemId,
    total: totals?.[at] ?? 0,
    fast: fasts?.[at] ?? 0,
    slow: slows?.[at] ?? 0,
  }));
}

/**
 * Maximum number of items read per day, each by a look-up: an item that is popular in a week is popular on one of its
 * days.
 */
const BEST_OF_DAY = 200;

export interface PopularItem {
  id: string;
  score: number;
}

/** Returns the most popular items of some days that fulfil the conditions, the best first. */
export async function listPopularItems(
  pool: Queryable,
  projectId: string,
  days: readonly number[],
  { types, authors, publishedAfter, publishedBefore, limit }: ListFilter & { limit: number },
): Promise<PopularItem[]> {
  const { rows } = await pool.query<PopularItem>({
    name: 'popularity-best',
    text: `select i.id, sum(best.score)::float8 as score
             from unnest($2::integer[]) as d (day)
            cross join lateral (
              select item_id, score from item_popularity
               where project_id = $1 and region = '' and day = d.day order by score desc limit ${BEST_OF_DAY}) best
            cross join lateral (
              select id from items i
               where i.project_id = $1 and i.id = best.item_id and i.available and not i.deleted and i.${MAY_BE_SHOWN}
                 and ($3::text[] is null or i.type = any($3)) and ($4::text[] is null or i.author = any($4))
                 and ($5::timestamptz is null or i.published_at >= $5) and ($6::timestamptz is null or i.published_at < $6) offset 0) i
            group by i.id order by score desc, i.id limit $7`,
    values: [projectId, days, types, authors, publishedAfter, publishedBefore, limit],
  });
  return rows;
}

/** Deletes old counts. @returns how many were deleted, at most `limit` */
export async function deleteOldPopularity(pool: Queryable, before: number, limit: number): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'popularity-expire',
    text: `delete from item_popularity where ctid = any(array(select ctid from item_popularity where day < $1 order by day limit $2))`,
    values: [before, limit],
  });
  return rowCount ?? 0;
}
