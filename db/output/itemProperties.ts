/** Single fields of items by their ids. */
import type { Queryable } from '../pool.ts';

/** Returns properties by item id; an item that does not exist is missing. */
export async function readItemProperties(
  pool: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, Record<string, unknown> | null>> {
  const { rows } = await pool.query<{ id: string; properties: Record<string, unknown> | null }>({
    name: 'output-item-properties',
    text: 'select id, properties from items where project_id = $1 and id = any($2::text[])',
    values: [projectId, ids],
  });
  return new Map(rows.map(({ id, properties }) => [id, properties]));
}

/** Returns those of the ids that the project has ever had, including deleted items. */
export async function readKnownIds(pool: Queryable, projectId: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'output-known-ids',
    text: 'select id from items where project_id = $1 and id = any($2::text[])',
    values: [projectId, ids],
  });
  return new Set(rows.map(({ id }) => id));
}
