/** Deletes exports: their rows when they are old, and everything about a site's exports after a deletion. */
import type pg from 'pg';
import { exportBlobFolder } from '../../domain/jobs/ids.ts';
import { MAX_REPORT_SECONDS } from '../../domain/reports/reportTime.ts';
import { EXPORT_RECORD_SECONDS, type ExportRef } from '../../domain/reports/exports.ts';
import { discardExportFile } from '../blobGarbage.ts';
import { inTransaction, type Queryable } from '../pool.ts';

/**
 * Deletes the rows of exports that ended long ago, at most `limit` of them; returns how many. Their files were removed
 * before.
 */
export async function deleteOldExports(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from report_exports where (site_id, id) in (
       select site_id, id from report_exports where created_at < now() - $1::int * interval '1 second' and state in ('done', 'failed') limit $2)`,
    [EXPORT_RECORD_SECONDS, limit],
  );
  return rowCount ?? 0;
}

/**
 * A file that ended within this time may have been made from an older state of the lake: the time of a run, and as much
 * for its file.
 */
const BUILT_WITHIN = `${2 * MAX_REPORT_SECONDS} seconds`;

/**
 * Deletes the exports of sites with all personal data in their files and requests: nobody can tell who is in a file
 * without building it again.
 * @param before null in the first call, which deletes the exports that exist now; in the second call the `before` that
 *   the first one returned, to delete also those that were being built then
 * @returns how many were deleted, and `before` for a second call: exports requested before that time may contain the
 *   deleted people too
 */
export function deleteExportsOfSites(
  pool: pg.Pool,
  siteIds: readonly string[],
  before: string | null,
): Promise<{ exports: number; before: string }> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<ExportRef>(
      `delete from report_exports where site_id = any($1::text[]) and state in ('done', 'failed')
          and created_at < coalesce($2::timestamptz, now()) returning site_id as "siteId", id as "exportId"`,
      [siteIds, before],
    );
    for (const { siteId, exportId } of rows)
      await discardExportFile(client, siteId, exportBlobFolder(siteId, exportId));
    const { rows: times } = await client.query<{ before: string }>(
      `select (now() + interval '${BUILT_WITHIN}')::text as before`,
    );
    return { exports: rows.length, before: before ?? times[0]?.before ?? '' };
  });
}
