/** Everything that a person has met: a total that leaves it out must know all of it. */
import type { Queryable } from '../pool.ts';

/** Of one person; beyond that, items that were met are left out of the pages alone. */
const MOST_SEEN = 50_000;

/** Items with any event but an impression, in no order. */
export async function readAllSeen(pool: Queryable, projectId: string, memberIds: readonly string[]): Promise<string[]> {
  if (memberIds.length === 0) return [];
  const { rows } = await pool.query<{ items: string[] | null }>({
    name: 'search-all-seen',
    text: `select json_agg(item_id) as items from (
             select item_id from events where project_id = $1 and identity_id = any($2::bigint[])
              union
             select item_id from event_states where project_id = $1 and identity_id = any($2::bigint[])
              limit ${MOST_SEEN}) as met`,
    values: [projectId, memberIds],
  });
  return rows[0]?.items ?? [];
}
