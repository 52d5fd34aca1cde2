/** Exports of reports: the queue of each site, their progress, and the location of their files. */
import type { Language } from '../../domain/language.ts';
import type pg from 'pg';
import {
  EXPORT_FILES,
  EXPORT_SECONDS,
  EXPORTS_QUEUED,
  type ExportError,
  type ExportFormat,
  type ExportMail,
  type ExportRef,
  type ExportState,
  type NextExport,
} from '../../domain/reports/exports.ts';
import { exportBlobFolder } from '../../domain/jobs/ids.ts';
import { PRIORITY } from '../../domain/jobs/queues.ts';
import { keepExportFile } from '../blobGarbage.ts';
import { enqueue } from '../jobs/outbox.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { lockSite } from '../sites/lockSite.ts';

export interface NewExport {
  siteId: string;
  format: ExportFormat;
  language: Language;
  /** A request of the type ReportRequest (reports/reportRequest.ts). */
  report: object;
  /** The user to notify. */
  userId: string | null;
  requestId: string | null;
}

export interface StoredExport {
  id: string;
  state: ExportState;
  format: ExportFormat;
  report: object;
  progress: number;
  rows: number | null;
  sampled: boolean | null;
  error: ExportError | null;
  mail: ExportMail;
  createdAt: Date;
  finishedAt: Date | null;
  expiresAt: Date | null;
}

const COLUMNS = `id, state, format, report, progress, rows, sampled, error, mail, created_at as "createdAt", finished_at as "finishedAt", expires_at as "expiresAt"`;

/** The file of an export. */
export interface ExportOutcome {
  blobKey: string;
  rows: number;
  sampled: boolean;
}

export interface ExportRoom {
  /** Number of exports that wait. */
  queued: number;
  /** Number of files that are kept now, or are still to be made in the background. */
  files: number;
  /** Seconds until the first of those that are kept expires; 0 without any. */
  nextEndSeconds: number;
}

/** Counts the exports of a site. The result stays true only in a transaction that holds the site's row. */
export async function findExportRoom(client: Queryable, siteId: string): Promise<ExportRoom> {
  const {
    rows: [room],
  } = await client.query<ExportRoom>(
    `select count(*) filter (where state = 'queued')::int as queued,
            count(*) filter (where expires_at > now() or state in ('queued', 'running'))::int as files,
            coalesce(ceil(extract(epoch from min(expires_at) filter (where expires_at > now()) - now())), 0)::int as "nextEndSeconds"
       from report_exports where site_id = $1`,
    [siteId],
  );
  if (!room) throw new Error('the count of exports returned no row');
  return room;
}

/**
 * Queues an export.
 * @returns null when too many exports of the site already wait, or it has too many files
 */
export function queueExport(
  pool: pg.Pool,
  { siteId, format, language, report, userId, requestId }: NewExport,
): Promise<StoredExport | null> {
  return inTransaction(pool, async (client) => {
    const { queued, files } = await lockExportRoom(client, siteId);
    if (queued >= EXPORTS_QUEUED || files >= EXPORT_FILES) return null;
    const { rows } = await client.query<StoredExport>(
      `insert into report_exports (site_id, format, language, report, user_id, request_id) values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
      [siteId, format, language, JSON.stringify(report), userId, requestId],
    );
    await enqueue(client, [
      { kind: 'exports', projectId: siteId, entityId: siteId, priority: PRIORITY.job, requestId },
    ]);
    return inserted(rows);
  });
}

/** Counts the exports of a site for the rest of the transaction: others that count them wait until it ends. */
async function lockExportRoom(client: Queryable, siteId: string): Promise<ExportRoom> {
  if (!(await lockSite(client, siteId))) throw new Error('an export was requested for a site that does not exist');
  return findExportRoom(client, siteId);
}

/**
 * Stores an export whose file is already in the blob store; the file is kept as long as the link.
 * @returns null when the site has too many files by now
 */
export function insertMadeExport(
  pool: pg.Pool,
  { siteId, format, language, report, userId, requestId }: NewExport,
  exportId: string,
  { blobKey, rows: count, sampled }: ExportOutcome,
): Promise<StoredExport | null> {
  return inTransaction(pool, async (client) => {
    if ((await lockExportRoom(client, siteId)).files >= EXPORT_FILES) return null;
    const { rows } = await client.query<StoredExport>(
      `insert into report_exports (site_id, id, state, format, language, report, user_id, request_id, progress, rows, sampled, blob_key, finished_at, expires_at)
       values ($1, $2, 'done', $3, $4, $5, $6, $7, 1, $8, $9, $10, now(), now() + $11::int * interval '1 second') returning ${COLUMNS}`,
      [
        siteId,
        exportId,
        format,
        language,
        JSON.stringify(report),
        userId,
        requestId,
        count,
        sampled,
        blobKey,
        EXPORT_SECONDS,
      ],
    );
    await keepExportFile(client, siteId, exportBlobFolder(siteId, exportId));
    return inserted(rows);
  });
}

function inserted(rows: readonly StoredExport[]): StoredExport {
  if (!rows[0]) throw new Error('an export was inserted but not returned');
  return rows[0];
}

/** Returns exports, the newest first; `after` is the last id of the previous page. */
export async function listExports(
  pool: Queryable,
  siteId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<StoredExport[]> {
  const { rows } = await pool.query<StoredExport>(
    `select ${COLUMNS} from report_exports where site_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
    [siteId, after, limit],
  );
  return rows;
}

export async function findExport(pool: Queryable, { siteId, exportId }: ExportRef): Promise<StoredExport | null> {
  const { rows } = await pool.query<StoredExport>(
    `select ${COLUMNS} from report_exports where site_id = $1 and id = $2`,
    [siteId, exportId],
  );
  return rows[0] ?? null;
}

/** Returns the location, the format and the request of an export's file; null when the file is not kept. */
export async function findExportFile(
  pool: Queryable,
  { siteId, exportId }: ExportRef,
): Promise<{ blobKey: string; format: ExportFormat; report: object } | null> {
  const { rows } = await pool.query<{ blobKey: string; format: ExportFormat; report: object }>(
    `select blob_key as "blobKey", format, report from report_exports where site_id = $1 and id = $2 and state = 'done' and expires_at > now()`,
    [siteId, exportId],
  );
  return rows[0] ?? null;
}

/** Returns the next export of a site: one that was begun, else the first that waits; null when there is none. */
export async function findNextExport(pool: Queryable, siteId: string): Promise<NextExport | null> {
  const { rows } = await pool.query<NextExport>(
    `select id as "exportId", format, (count(*) over ())::int - 1 as waiting from report_exports
      where site_id = $1 and state in ('queued', 'running') order by state = 'running' desc, id limit 1`,
    [siteId],
  );
  return rows[0] ?? null;
}

export interface BegunExport {
  format: ExportFormat;
  language: Language;
  report: object;
  attempts: number;
  siteTitle: string;
}

/** Begins an export, or begins it again. Returns null when it has ended. */
export async function beginExport(pool: Queryable, { siteId, exportId }: ExportRef): Promise<BegunExport | null> {
  const { rows } = await pool.query<BegunExport>(
    `update report_exports e set state = 'running', attempts = attempts + 1, progress = 0 from sites s
      where e.site_id = $1 and e.id = $2 and e.state in ('queued', 'running') and s.id = e.site_id
      returning e.format, e.language, e.report, e.attempts, s.title as "siteTitle"`,
    [siteId, exportId],
  );
  return rows[0] ?? null;
}

/** Subtracts an attempt that says nothing about the export: another service was unavailable, or the process stopped. */
export async function takeAttemptBack(pool: Queryable, { siteId, exportId }: ExportRef): Promise<void> {
  await pool.query(
    `update report_exports set attempts = attempts - 1 where site_id = $1 and id = $2 and state = 'running' and attempts > 0`,
    [siteId, exportId],
  );
}

/** Stores the progress. @param progress 0 to 1 */
export async function recordProgress(
  pool: Queryable,
  { siteId, exportId }: ExportRef,
  progress: number,
): Promise<void> {
  await pool.query(`update report_exports set progress = $3 where site_id = $1 and id = $2 and state = 'running'`, [
    siteId,
    exportId,
    progress,
  ]);
}

/**
 * Ends an export with its file.
 * @param tellsByMail true when there is a mail server
 * @returns false when it had already ended
 */
export function finishExport(
  pool: pg.Pool,
  ref: ExportRef,
  { blobKey, rows: count, sampled }: ExportOutcome,
  tellsByMail: boolean,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update report_exports set state = 'done', progress = 1, rows = $3, sampled = $4, blob_key = $5, finished_at = now(),
              expires_at = now() + $6::int * interval '1 second', mail = case when $7 and user_id is not null then 'waiting' else 'none' end
        where site_id = $1 and id = $2 and state = 'running'`,
      [ref.siteId, ref.exportId, count, sampled, blobKey, EXPORT_SECONDS, tellsByMail],
    );
    if (rowCount === 0) return false;
    await keepExportFile(client, ref.siteId, exportBlobFolder(ref.siteId, ref.exportId));
    return true;
  });
}

export async function failExport(pool: Queryable, { siteId, exportId }: ExportRef, error: ExportError): Promise<void> {
  await pool.query(
    `update report_exports set state = 'failed', error = $3, finished_at = now() where site_id = $1 and id = $2 and state in ('queued', 'running')`,
    [siteId, exportId, error],
  );
}

/**
 * Returns the sites after the given one that have no outbox row, but exports older than `graceMs` that have not ended,
 * or whose mail has not been sent.
 */
export async function listOpenExports(
  pool: Queryable,
  { graceMs, after, limit }: { graceMs: number; after: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ siteId: string }>(
    `select distinct site_id as "siteId" from report_exports e
      where (state in ('queued', 'running') or mail = 'waiting') and created_at < now() - $1::float8 * interval '1 millisecond'
        and ($2::text is null or site_id > $2)
        and not exists (select from outbox o where o.kind = 'exports' and o.project_id = e.site_id)
      order by site_id limit $3`,
    [graceMs, after, limit],
  );
  return rows.map(({ siteId }) => siteId);
}
