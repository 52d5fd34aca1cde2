/** Counters of the rate limits that API processes share: token buckets, and windows. */
import type { Queryable } from '../pool.ts';

export interface Bucket {
  /** Maximum number of tokens. */
  capacity: number;
  perSecond: number;
}

/** The server's clock, on which processes of several machines agree. */
const NOW = 'extract(epoch from clock_timestamp())::float8';
/** Tolerance for rounding, as a share of a token. */
const TOLERANCE = 0.01;

/**
 * Takes a token, in one statement that decides and takes: requests of one key wait for each other's row for some
 * microseconds and can never take the same token. A bucket is stored as the time at which it will be full, which each
 * token delays by `1 / perSecond` (the generic cell rate algorithm in its virtual scheduling form, ITU-T I.371). So
 * nothing has to be refilled, and nothing is lost between reading and writing.
 * @returns 0, or the seconds until a token will be available
 */
export async function takeToken(pool: Queryable, key: string, { capacity, perSecond }: Bucket): Promise<number> {
  const interval = 1 / perSecond;
  const { rows } = await pool.query<{ wait: number }>({
    name: 'rate-take',
    // An empty bucket is full after capacity / perSecond ($3). A bucket with a later time was emptied under another
    // limit or another clock, and counts as empty now; the new time is written, so that it fills.
    text: `insert into rate_buckets as b (key, full_at) values ($1, ${NOW} + $2::float8)
           on conflict (key) do update set (full_at, wait) = (
             select case when due <= 0 then greatest(full_at, now) + $2::float8 else full_at end, greatest(due, 0)
               from (select now, least(b.full_at, now + $3::float8) as full_at from (select ${NOW} as now) clock) bucket,
                    lateral (select full_at + (1 - ${TOLERANCE}) * $2::float8 - $3::float8 - now as due) token)
           returning wait`,
    values: [key, interval, capacity * interval],
  });
  if (!rows[0]) throw new Error('a rate limit bucket was requested but not returned');
  return rows[0].wait;
}

export interface Window {
  /** Maximum number of requests in any period of `seconds`. */
  most: number;
  seconds: number;
}

/**
 * Admits a request to a window, in one statement that decides and counts. Counts are kept per second, and a second
 * leaves the window when its last moment does. So no window of that length, wherever it begins, holds more than `most`,
 * and a row holds at most one count for each of its seconds. A refused request is not counted.
 * @returns 0, or the seconds until another request may be admitted
 */
export async function takeFromWindow(pool: Queryable, key: string, { most, seconds }: Window): Promise<number> {
  const { rows } = await pool.query<{ wait: number }>({
    name: 'rate-window-take',
    // Seconds in the future were counted under another clock.
    text: `insert into rate_windows as w (key, slots, counts, ends_at) values ($1, array[floor(${NOW})::bigint], array[1], ${NOW} + $3::float8 + 1)
           on conflict (key) do update set (slots, counts, ends_at, wait) = (
             select case when due > 0 or is_same then recent.slots else recent.slots || floor(now)::bigint end,
                    case when due > 0 then recent.counts
                         when is_same then recent.counts[:cardinality(recent.counts) - 1] || recent.counts[cardinality(recent.counts)] + 1
                         else recent.counts || 1 end,
                    case when due > 0 then w.ends_at else now + $3::float8 + 1 end,
                    due
               from (select ${NOW} as now) clock,
                    lateral (select coalesce(array_agg(slot order by slot), '{}') as slots, coalesce(array_agg(count order by slot), '{}') as counts,
                                    coalesce(sum(count), 0) as total, min(slot) as oldest
                               from unnest(w.slots, w.counts) as counted (slot, count)
                              where slot > now - $3::float8 - 1 and slot <= now) recent,
                    lateral (select case when recent.total >= $2::integer then recent.oldest + $3::float8 + 1 - now else 0 end as due,
                                    coalesce(recent.slots[cardinality(recent.slots)] = floor(now)::bigint, false) as is_same) judged)
           returning wait`,
    values: [key, most, seconds],
  });
  if (!rows[0]) throw new Error('a rate limit window was requested but not returned');
  return rows[0].wait;
}

/** Removes windows that are empty, at most `limit` of them, and returns how many. */
export async function deleteEmptyWindows(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from rate_windows where key in (
       select key from rate_windows where ends_at < ${NOW} limit $1 for update skip locked)`,
    [limit],
  );
  return rowCount ?? 0;
}

/**
 * Removes buckets that are full again, at most `limit` of them, and returns how many. A missing bucket counts as full.
 */
export async function deleteFullBuckets(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from rate_buckets where key in (
       select key from rate_buckets where full_at < ${NOW} limit $1 for update skip locked)`,
    [limit],
  );
  return rowCount ?? 0;
}

/** Fills a bucket at once. */
export async function refillBucket(pool: Queryable, key: string): Promise<void> {
  await pool.query('delete from rate_buckets where key = $1', [key]);
}
