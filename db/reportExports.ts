/** Exports of reports: the queue of each site, how far they are, and where their files lie. */
import type pg from 'pg';
import {
  EXPORT_RECORD_SECONDS,
  EXPORT_SECONDS,
  EXPORTS_QUEUED,
  type ExportError,
  type ExportFormat,
  type ExportMail,
  type ExportRef,
  type ExportState,
  type NextExport,
} from '../domain/exports.ts';
import { exportBlobFolder } from '../domain/ids.ts';
import { PRIORITY } from '../domain/queues.ts';
import { discardExportFile, keepExportFile } from './blobGarbage.ts';
import { enqueue } from './outbox.ts';
import { inTransaction, type Queryable } from './pool.ts';
import { lockSite } from './sites/lockSite.ts';

export interface NewExport {
  siteId: string;
  format: ExportFormat;
  /** reports/request.ts ReportRequest. */
  report: object;
  /** Whom to tell. */
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

/** What was made of a report. */
export interface ExportOutcome {
  blobKey: string;
  rows: number;
  sampled: boolean;
}

export interface ExportRoom {
  /** Exports that wait. */
  queued: number;
  /** Files that are kept now. */
  files: number;
  /** Until the first of them goes; 0 without any. */
  nextEndSeconds: number;
}

/** What a site has of exports. Only in a transaction that holds the site's row does the answer stay true. */
export async function findExportRoom(client: Queryable, siteId: string): Promise<ExportRoom> {
  const {
    rows: [room],
  } = await client.query<ExportRoom>(
    `select count(*) filter (where state = 'queued')::int as queued, count(*) filter (where expires_at > now())::int as files,
            coalesce(ceil(extract(epoch from min(expires_at) filter (where expires_at > now()) - now())), 0)::int as "nextEndSeconds"
       from report_exports where site_id = $1`,
    [siteId],
  );
  if (!room) throw new Error('exports were counted and no count returned');
  return room;
}

/**
 * Has an export made in the background.
 * @returns null when too many of the site's wait already
 */
export function queueExport(
  pool: pg.Pool,
  { siteId, format, report, userId, requestId }: NewExport,
): Promise<StoredExport | null> {
  return inTransaction(pool, async (client) => {
    if (!(await lockSite(client, siteId))) throw new Error('an export is asked for of a site that is not there');
    if ((await findExportRoom(client, siteId)).queued >= EXPORTS_QUEUED) return null;
    const { rows } = await client.query<StoredExport>(
      `insert into report_exports (site_id, format, report, user_id, request_id) values ($1, $2, $3, $4, $5) returning ${COLUMNS}`,
      [siteId, format, JSON.stringify(report), userId, requestId],
    );
    await enqueue(client, [
      { kind: 'exports', projectId: siteId, entityId: siteId, priority: PRIORITY.job, requestId },
    ]);
    return inserted(rows);
  });
}

/** Stores an export whose file is in the blob store already; the file is kept as long as the link. */
export function insertMadeExport(
  pool: pg.Pool,
  { siteId, format, report, userId, requestId }: NewExport,
  exportId: string,
  { blobKey, rows: count, sampled }: ExportOutcome,
): Promise<StoredExport> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<StoredExport>(
      `insert into report_exports (site_id, id, state, format, report, user_id, request_id, progress, rows, sampled, blob_key, finished_at, expires_at)
       values ($1, $2, 'done', $3, $4, $5, $6, 1, $7, $8, $9, now(), now() + $10::int * interval '1 second') returning ${COLUMNS}`,
      [siteId, exportId, format, JSON.stringify(report), userId, requestId, count, sampled, blobKey, EXPORT_SECONDS],
    );
    await keepExportFile(client, siteId, exportBlobFolder(siteId, exportId));
    return inserted(rows);
  });
}

function inserted(rows: readonly StoredExport[]): StoredExport {
  if (!rows[0]) throw new Error('an export was inserted and not returned');
  return rows[0];
}

/** The newest first; `after` is the last id of the page before. */
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

/** Where the file of an export lies, as long as it is kept. */
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

/** The export of a site whose turn it is: one that was begun, else the first that waits. */
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
  report: object;
  attempts: number;
  siteTitle: string;
}

/** Begins an export, or begins it again. Null when it is over. */
export async function beginExport(pool: Queryable, { siteId, exportId }: ExportRef): Promise<BegunExport | null> {
  const { rows } = await pool.query<BegunExport>(
    `update report_exports e set state = 'running', attempts = attempts + 1, progress = 0 from sites s
      where e.site_id = $1 and e.id = $2 and e.state in ('queued', 'running') and s.id = e.site_id
      returning e.format, e.report, e.attempts, s.title as "siteTitle"`,
    [siteId, exportId],
  );
  return rows[0] ?? null;
}

/** Of an attempt that says nothing of the export: another service was away, or the process stopped. */
export async function takeAttemptBack(pool: Queryable, { siteId, exportId }: ExportRef): Promise<void> {
  await pool.query(
    `update report_exports set attempts = attempts - 1 where site_id = $1 and id = $2 and state = 'running' and attempts > 0`,
    [siteId, exportId],
  );
}

/** @param progress 0 to 1 */
export async function noteProgress(pool: Queryable, { siteId, exportId }: ExportRef, progress: number): Promise<void> {
  await pool.query(`update report_exports set progress = $3 where site_id = $1 and id = $2 and state = 'running'`, [
    siteId,
    exportId,
    progress,
  ]);
}

/**
 * Ends an export with its file.
 * @param tellsByMail there is a mail server
 * @returns false when it was over already
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

/** Exports of a site that are done and not told of yet, the oldest first. */
export async function listExportMails(pool: Queryable, siteId: string, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from report_exports where site_id = $1 and mail = 'waiting' order by id limit $2`,
    [siteId, limit],
  );
  return rows.map(({ id }) => id);
}

export interface ExportNews {
  siteTitle: string;
  report: object;
  rows: number;
  sampled: boolean;
  expiresAt: Date;
  /** Null when nobody is to be told any more: the user is blocked, or the site no longer his to see. */
  email: string | null;
}

/** What is to be told of an export; null when its link has ended or it has been told. */
export async function readExportNews(pool: Queryable, { siteId, exportId }: ExportRef): Promise<ExportNews | null> {
  const { rows } = await pool.query<ExportNews>(
    `select s.title as "siteTitle", e.report, e.rows, e.sampled, e.expires_at as "expiresAt", u.email
       from report_exports e join sites s on s.id = e.site_id
       left join users u on u.id = e.user_id and u.state = 'active' and (u.role = 'admin' or s.id = any(u.sites))
      where e.site_id = $1 and e.id = $2 and e.mail = 'waiting' and e.expires_at > now()`,
    [siteId, exportId],
  );
  return rows[0] ?? null;
}

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

/** Sites with exports older than `graceMs` that something is still to be done for and without an outbox row, after the given one. */
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

/** Removes what is told of exports that ended long ago, at most `limit` of them; returns how many. Their files went before. */
export async function deleteOldExports(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from report_exports where (site_id, id) in (
       select site_id, id from report_exports where created_at < now() - $1::int * interval '1 second' and state in ('done', 'failed') limit $2)`,
    [EXPORT_RECORD_SECONDS, limit],
  );
  return rowCount ?? 0;
}

/** Within so much of its end a file was made from the lake as it was before. */
const BUILT_WITHIN = '5 minutes';

/**
 * Removes the exports of sites with whatever their files and requests say of people: who is in a file nobody can
 * tell without building it again.
 * @param before an answer of the first call, for what was being built then; null takes all that there are by now
 * @returns how many went, and until when one may have been begun that must go as well
 */
export function forgetExports(
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
