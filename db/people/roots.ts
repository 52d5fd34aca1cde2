/** Deletions of people under way. */
import type { Queryable } from '../pool.ts';

/** Persons of a project whose purge is not over. */
export async function listDeletedRoots(db: Queryable, projectId: string): Promise<string[]> {
  const { rows } = await db.query<{ rootId: string }>(
    `select entity_id as "rootId" from jobs where project_id = $1 and kind = 'user-delete' order by entity_id`,
    [projectId],
  );
  return rows.map(({ rootId }) => rootId);
}
