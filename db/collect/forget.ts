/** Keys of collected events have their time. */
import type { Queryable } from '../pool.ts';

/** Beyond the time in which a repeat is known: what is just being judged is not pulled away. */
const MARGIN_HOURS = 1;

/** Forgets keys that make no repeat any more, at most `limit` of them; returns how many. */
export async function forgetCollectedEvents(pool: Queryable, rememberHours: number, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from collected_events where ctid = any(array(
       select ctid from collected_events where seen_at < now() - make_interval(hours => $1) limit $2 for update skip locked))`,
    [rememberHours + MARGIN_HOURS, limit],
  );
  return rowCount ?? 0;
}
