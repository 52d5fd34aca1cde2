/** Writes a report to a file in the blob store. */
import { join } from 'node:path';
import type pg from 'pg';
import { uuidv7 } from 'uuidv7';
import type { BlobStore } from '../../platform/blobs/createBlobStore.ts';
import { announceBlobs } from '../../db/blobGarbage.ts';
import type { ExportOutcome } from '../../db/reports/exports.ts';
import type { ExportFormat, ExportRef } from '../../domain/reports/exports.ts';
import { exportBlobFolder } from '../../domain/jobs/ids.ts';
import { withWorkFolder } from '../../platform/disk/workDir.ts';
import type { Language } from '../../domain/language.ts';
import type { Report, ReportRequest, ReportSite } from '../reportRequest.ts';
import { tableOf } from './table.ts';
import { writeTable } from './writeTable.ts';

export interface ExportStore {
  pool: pg.Pool;
  blobs: BlobStore;
  /** Swept at the start of the process (platform/disk/workDir.ts), so that no half-written file stays. */
  workDir: string;
}

export interface ExportContent {
  report: Report;
  request: ReportRequest;
  site: ReportSite & { title: string };
  language: Language;
  format: ExportFormat;
}

/**
 * Writes the file and puts it into the blob store. The blob becomes garbage the next day unless the row that names it
 * says otherwise (db/reports/exports.ts). Each attempt has its own name, so a later one never changes a file that is
 * being read.
 * @param onRow called with the number of each row written
 */
export async function storeExport(
  { pool, blobs, workDir }: ExportStore,
  ref: ExportRef,
  content: ExportContent,
  onRow?: (row: number) => void,
): Promise<ExportOutcome> {
  const { report, request, site, language, format } = content;
  const folder = exportBlobFolder(ref.siteId, ref.exportId);
  const blobKey = `${folder}/${uuidv7()}.${format}`;
  await withWorkFolder(workDir, async (workFolder) => {
    const path = join(workFolder, `export.${format}`);
    await writeTable(format, tableOf(report, request, site, language), path, onRow);
    await announceBlobs(pool, { projectId: ref.siteId, folder });
    await blobs.putFile(blobKey, path);
  });
  return { blobKey, rows: report.data.length, sampled: report.sampled };
}
