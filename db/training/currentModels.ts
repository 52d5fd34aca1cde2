/** Models that may be used for ranking. */
import type { Queryable } from '../pool.ts';

/**
 * SQL condition: the row `m` of output_models is a published model, or a rejected one whose pairs of items ordered
 * together are used.
 */
export const IS_USED = `(m.state = 'published' or m.blob_key is not null)`;

/**
 * SQL condition: because of the row `m` of output_models, the record `f` of output_forgotten makes a training due by
 * day (domain/training/dueTraining.ts).
 */
export const IS_DUE_BY_DAY = `(m.state = 'published' or (m.blob_key is not null and f.deleted))`;

/** SQL query: columns of the published model of the project $1; no row before the first one. */
export function selectPublished(columns: string): string {
  return `select ${columns} from output_models
           where project_id = $1 and state = 'published' order by finished_at desc limit 1`;
}

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

/** The model, or the pairs in its place, that the recommendations of a project use. */
export interface CurrentModel {
  id: string;
  blobKey: string;
  /** False: nothing is published, and only the pairs of items ordered together are used, from the last training. */
  isPublished: boolean;
}

/** Returns the current model, or the pairs in its place, as of one moment; null when there is neither. */
export async function readCurrentModel(pool: Queryable, projectId: string): Promise<CurrentModel | null> {
  const { rows } = await pool.query<CurrentModel>({
    name: 'output-model-current',
    text: `
      with published as (${selectPublished('id, blob_key')}),
      pairs as (
        select id, blob_key from output_models
         where project_id = $1 and state = 'rejected' and blob_key is not null and not exists (select from published)
         order by id desc limit 1)
      select id, blob_key as "blobKey", true as "isPublished" from published
      union all select id, blob_key, false from pairs`,
    values: [projectId],
  });
  return rows[0] ?? null;
}
