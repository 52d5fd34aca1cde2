/** Deletes keys of collected events after their time. */
import type { Queryable } from '../pool.ts';

/** Margin beyond the deduplication period, so that a key that is being checked now is not deleted. */
const MARGIN_HOURS = 1;

/** Deletes keys that no longer serve deduplication, at most `limit` of them; returns how many. */
export async function deleteOldEventKeys(pool: Queryable, rememberHours: number, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from collected_events where ctid = any(array(
       select ctid from collected_events where seen_at < now() - make_interval(hours => $1) limit $2 for update skip locked))`,
    [rememberHours + MARGIN_HOURS, limit],
  );
  return rowCount ?? 0;
}
