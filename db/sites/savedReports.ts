/** Saved reports of sites: requests that people repeat. */
import type pg from 'pg';
import { inTransaction, type Queryable } from '../pool.ts';
import { lockSite } from './lockSite.ts';

export const SAVED_REPORTS_PER_SITE = 200;

export interface SavedReport {
  id: string;
  title: string;
  /** The request as it was sent, without dates where `lastDays` replaces them. */
  report: Record<string, unknown>;
  /** The period is this number of days up to today. */
  lastDays: number | null;
  createdAt: Date;
  updatedAt: Date;
}

export type SavedReportWrite = Pick<SavedReport, 'title' | 'report' | 'lastDays'>;

const COLUMNS = 'id, title, report, last_days as "lastDays", created_at as "createdAt", updated_at as "updatedAt"';

/** Returns all of them, the oldest first. */
export async function listSavedReports(pool: Queryable, siteId: string): Promise<SavedReport[]> {
  const { rows } = await pool.query<SavedReport>(
    `select ${COLUMNS} from site_saved_reports where site_id = $1 order by id`,
    [siteId],
  );
  return rows;
}

/** Returns one saved report; null when the site has no such report. @param id a UUID */
export async function findSavedReport(pool: Queryable, siteId: string, id: string): Promise<SavedReport | null> {
  const { rows } = await pool.query<SavedReport>(
    `select ${COLUMNS} from site_saved_reports where site_id = $1 and id = $2`,
    [siteId, id],
  );
  return rows[0] ?? null;
}

/** Adds a report; `full` when the site is at its maximum, even under concurrent requests. */
export function insertSavedReport(
  pool: pg.Pool,
  siteId: string,
  { title, report, lastDays }: SavedReportWrite,
): Promise<SavedReport | 'full' | 'no_site'> {
  return inTransaction(pool, async (client) => {
    if (!(await lockSite(client, siteId))) return 'no_site';
    const { rows } = await client.query<SavedReport>(
      `insert into site_saved_reports (site_id, title, report, last_days)
       select $1, $2, $3, $4 where (select count(*) from site_saved_reports where site_id = $1) < $5 returning ${COLUMNS}`,
      [siteId, title, JSON.stringify(report), lastDays, SAVED_REPORTS_PER_SITE],
    );
    return rows[0] ?? 'full';
  });
}

/** Changes the title, or the report together with its period; null when the site has no such report. */
export async function updateSavedReport(
  pool: Queryable,
  siteId: string,
  id: string,
  { title, content }: { title?: string; content?: Pick<SavedReport, 'report' | 'lastDays'> },
): Promise<SavedReport | null> {
  const { rows } = await pool.query<SavedReport>(
    `update site_saved_reports
        set title = coalesce($3, title), report = coalesce($4, report), last_days = case when $4::json is null then last_days else $5::int end, updated_at = now()
      where site_id = $1 and id = $2 returning ${COLUMNS}`,
    [
      siteId,
      id,
      title ?? null,
      content === undefined ? null : JSON.stringify(content.report),
      content?.lastDays ?? null,
    ],
  );
  return rows[0] ?? null;
}

/** Deletes a report. False when the site has no such report. */
export async function deleteSavedReport(pool: Queryable, siteId: string, id: string): Promise<boolean> {
  const { rowCount } = await pool.query('delete from site_saved_reports where site_id = $1 and id = $2', [siteId, id]);
  return rowCount === 1;
}
