/** Deletions (of people) that are in progress. */
import type { Queryable } from '../pool.ts';

/** Returns the persons of a project whose purge has not ended. */
export async function listDeletedRoots(db: Queryable, projectId: string): Promise<string[]> {
  const { rows } = await db.query<{ rootId: string }>(
    `select entity_id as "rootId" from jobs where project_id = $1 and kind = 'user-delete' order by entity_id`,
    [projectId],
  );
  return rows.map(({ rootId }) => rootId);
}
