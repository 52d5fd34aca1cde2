/**
 * Answers a request for a file with the file or with its place in the queue. How many files may wait, and how many rows
 * are made at once: domain/reports/exports.ts.
 */
import { uuidv7 } from 'uuidv7';
import {
  findExportRoom,
  insertMadeExport,
  queueExport,
  type NewExport,
  type StoredExport,
} from '../../db/reports/exports.ts';
import { EXPORT_FILES, EXPORT_ROWS_AT_ONCE, EXPORTS_QUEUED } from '../../domain/reports/exports.ts';
import { exportBlobFolder } from '../../domain/jobs/ids.ts';
import type { Report, ReportRequest } from '../reportRequest.ts';
import { storeExport, type ExportContent, type ExportStore } from './storeExport.ts';

export interface RequestedExport extends Omit<ExportContent, 'report'>, Pick<NewExport, 'userId' | 'requestId'> {
  /** Runs the report for a caller that waits for it. */
  run(request: ReportRequest): Promise<Report>;
}

/** `full`: the site has too many files, or too many exports are queued. */
export type ExportResult = { is: 'made' | 'queued'; stored: StoredExport } | { is: 'full'; retryAfterSeconds: number };

/** One export takes from a few seconds to two minutes. */
const QUEUE_RETRY_SECONDS = 30;

/**
 * Runs the report with the number of rows that are exported immediately; a longer report is queued whole. A lack of
 * room is reported before anything runs: if the queue is full, every request for more rows than the immediate limit is
 * refused, since only running its report would show how many rows there are.
 */
export async function makeOrQueueExport(store: ExportStore, { run, ...asked }: RequestedExport): Promise<ExportResult> {
  const {
    request,
    site: { siteId },
    format,
    language,
    userId,
    requestId,
  } = asked;
  const { queued, files, nextEndSeconds } = await findExportRoom(store.pool, siteId);
  if (files >= EXPORT_FILES) return { is: 'full', retryAfterSeconds: nextEndSeconds };
  if (queued >= EXPORTS_QUEUED && request.limit > EXPORT_ROWS_AT_ONCE)
    return { is: 'full', retryAfterSeconds: QUEUE_RETRY_SECONDS };

  const report = await run({ ...request, limit: Math.min(request.limit, EXPORT_ROWS_AT_ONCE) });
  const entry: NewExport = { siteId, format, language, report: request, userId, requestId };
  if (Math.min(request.limit, report.rows - request.offset) > EXPORT_ROWS_AT_ONCE) {
    const stored = await queueExport(store.pool, entry);
    return stored ? { is: 'queued', stored } : { is: 'full', retryAfterSeconds: QUEUE_RETRY_SECONDS };
  }
  const exportId = uuidv7();
  const outcome = await storeExport(store, { siteId, exportId }, { ...asked, report });
  const stored = await insertMadeExport(store.pool, entry, exportId, outcome);
  if (stored) return { is: 'made', stored };
  // Another request has taken the last place meanwhile.
  await store.blobs.removeFolder(exportBlobFolder(siteId, exportId));
  return { is: 'full', retryAfterSeconds: nextEndSeconds };
}
