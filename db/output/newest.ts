/** What is shown when nothing can be ranked: the newest items. */
import type { Queryable } from '../pool.ts';

/** Ids of available items, the latest publication first. */
export async function listNewestItems(pool: Queryable, projectId: string, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'output-newest-items',
    text: `select id from items where project_id = $1 and available and not deleted
            order by published_at desc, id limit $2`,
    values: [projectId, limit],
  });
  return rows.map(({ id }) => id);
}
