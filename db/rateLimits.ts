/** Buckets of the rate limits that API processes share. */
import type { Queryable } from './pool.ts';

export interface Bucket {
  /** Tokens that it holds. */
  capacity: number;
  perSecond: number;
}

/** The server's clock: processes on several machines agree on it. */
const NOW = 'extract(epoch from clock_timestamp())::float8';
/** When a bucket is full again; never further away than an empty one is, whatever its limits were before. */
const FULL_AT = `least(b.full_at, ${NOW} + $3)`;
/** Shares of a token that are lost to rounding. */
const TOLERANCE = 0.01;

/**
 * Takes a token, in one statement that decides and takes: requests of one key wait for each other's
 * row for some microseconds and can never take the same token. A bucket is the one moment at which it
 * will be full, which each token puts off by `1 / perSecond` (the generic cell rate algorithm in its
 * form of virtual scheduling, ITU-T I.371); so there is nothing to refill and nothing to lose between
 * reading and writing.
 * @returns 0, or the seconds until a token will be there
 */
export async function takeToken(pool: Queryable, key: string, { capacity, perSecond }: Bucket): Promise<number> {
  const interval = 1 / perSecond;
  const { rows } = await pool.query<{ wait: number }>({
    name: 'rate-take',
    text: `with taken as (
             insert into rate_buckets as b (key, full_at) values ($1, ${NOW} + $2::float8)
             on conflict (key) do update set full_at = greatest(${FULL_AT}, ${NOW}) + $2::float8
                where ${FULL_AT} + $2::float8 <= ${NOW} + $3::float8 + ${TOLERANCE} * $2::float8
             returning 1)
           select 0::float8 as wait from taken
           union all
           select ${FULL_AT} + $2::float8 - $3::float8 - ${NOW} from rate_buckets b where key = $1 and not exists (select from taken)`,
    values: [key, interval, capacity * interval],
  });
  // A bucket that another request has just made is not yet in what the second half reads.
  const wait = rows[0]?.wait ?? interval;
  return rows[0]?.wait === 0 ? 0 : Math.max(wait, Number.MIN_VALUE);
}

/** Removes buckets that are full again, at most `limit` of them, and returns how many. A missing one is a full one. */
export async function deleteFullBuckets(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from rate_buckets where key in (
       select key from rate_buckets where full_at < ${NOW} limit $1 for update skip locked)`, [limit],
  );
  return rowCount ?? 0;
}
