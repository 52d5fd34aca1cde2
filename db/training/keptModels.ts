/** Models that may be used for ranking. */
import type { Queryable } from '../pool.ts';

/** Returns those of the ids that name published models of the project whose files are kept. */
export async function readKeptModels(
  pool: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<{ id: string; blobKey: string }[]> {
  if (ids.length === 0) return [];
  const { rows } = await pool.query<{ id: string; blobKey: string }>(
    `select id::text as id, blob_key as "blobKey" from output_models
      where project_id = $1 and state = 'published' and blob_key is not null and id::text = any($2::text[])`,
    [projectId, ids],
  );
  return rows;
}
