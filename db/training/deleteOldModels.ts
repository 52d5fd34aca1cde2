/** Deletes the records of trainings that nobody uses any more. */
import type { Queryable } from '../pool.ts';

/** Number of days for which a training without a stored model is listed. */
const RECORD_DAYS = 90;

/** Deletes old models. @returns how many were removed, at most `limit` */
export async function deleteOldModels(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from output_models where ctid = any(array(
       select ctid from output_models where finished_at < now() - interval '${RECORD_DAYS} days' and blob_key is null
        order by finished_at limit $1))`,
    [limit],
  );
  return rowCount ?? 0;
}
