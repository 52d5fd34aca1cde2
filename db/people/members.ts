/** The identities of one person: the user and the devices that belong to him. */
import type { Queryable } from '../pool.ts';

/**
 * Every identity under which history of a person may be stored: `rootId` and whatever was merged into
 * it. Readers ask with all of them, so that a link shows at once, long before its rows are rewritten.
 * @returns ids (decimal), the root first; empty when the person was deleted
 */
export async function memberIds(pool: Queryable, projectId: string, rootId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'people-members',
    text: `select id from identities where project_id = $1 and (id = $2 or merged_into = $2) and dead_at is null
            order by id <> $2, id`,
    values: [projectId, rootId],
  });
  return rows.map(({ id }) => id);
}
