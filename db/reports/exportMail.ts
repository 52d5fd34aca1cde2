/** Notifications of finished exports by mail. */
import type { Language } from '../../domain/language.ts';
import type { ExportRef } from '../../domain/reports/exports.ts';
import type { Queryable } from '../pool.ts';

/** Returns the finished exports of a site of which nobody has been notified yet, the oldest first. */
export async function listExportMails(pool: Queryable, siteId: string, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from report_exports where site_id = $1 and mail = 'waiting' order by id limit $2`,
    [siteId, limit],
  );
  return rows.map(({ id }) => id);
}

export interface ExportNews {
  siteTitle: string;
  /** The language of the file. */
  language: Language;
  report: object;
  rows: number;
  sampled: boolean;
  expiresAt: Date;
  /** Null when nobody is to be notified any more: the user is blocked, or may no longer see the site. */
  email: string | null;
}

/** Returns the content of the notification; null when the link has expired or the notification was sent. */
export async function readExportNews(pool: Queryable, { siteId, exportId }: ExportRef): Promise<ExportNews | null> {
  const { rows } = await pool.query<ExportNews>(
    `select s.title as "siteTitle", e.language, e.report, e.rows, e.sampled, e.expires_at as "expiresAt", u.email
       from report_exports e join sites s on s.id = e.site_id
       left join users u on u.id = e.user_id and u.state = 'active' and (u.role = 'admin' or s.id = any(u.sites))
      where e.site_id = $1 and e.id = $2 and e.mail = 'waiting' and e.expires_at > now()`,
    [siteId, exportId],
  );
  return rows[0] ?? null;
}

/**
 * Records that a notification was sent, failed for good, or is not needed. Does nothing if that was recorded before.
 */
export async function closeExportMail(
  pool: Queryable,
  { siteId, exportId }: ExportRef,
  mail: 'sent' | 'failed' | 'none',
): Promise<void> {
  await pool.query(`update report_exports set mail = $3 where site_id = $1 and id = $2 and mail = 'waiting'`, [
    siteId,
    exportId,
    mail,
  ]);
}
