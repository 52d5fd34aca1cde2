/** Titles of items. */
import type { Queryable } from '../pool.ts';

/** Returns titles by item id; an item that does not exist is missing, one without a title has null. */
export async function readTitles(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<{ id: string; title: string | null }>({
    name: 'items-titles',
    text: 'select id, title from items where project_id = $1 and id = any($2::text[])',
    values: [projectId, ids],
  });
  return new Map(rows.map(({ id, title }) => [id, title]));
}
