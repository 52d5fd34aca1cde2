/** The activity on the queue `exports`: builds one export, from the report to its file in the blob store. */
import { Context } from '@temporalio/activity';
import type pg from 'pg';
import type { BlobStore } from '../../platform/blobs/createBlobStore.ts';
import {
  beginExport,
  failExport,
  findExport,
  finishExport,
  recordProgress,
  takeAttemptBack,
  type BegunExport,
  type ExportOutcome,
} from '../../db/reports/exports.ts';
import { loadSiteSettings } from '../../db/sites/siteSettings.ts';
import { EXPORT_ATTEMPTS, type ExportError, type ExportRef, type MadeExport } from '../../domain/reports/exports.ts';
import type { SiteSettings } from '../../domain/sites/siteSettings.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { storeExport } from '../../reports/exports/index.ts';
import type { Language } from '../../domain/language.ts';
import type { Report, ReportRequest, ReportSite } from '../../reports/reportRequest.ts';
import { reportSiteOf } from '../../reports/reportSite.ts';
import { runChunk } from '../runChunk.ts';
import { currentLogFields } from '../logFields.ts';
import { isOutage } from '../outages.ts';

export interface ExportDeps {
  pool: pg.Pool;
  blobs: BlobStore;
  /** Cleaned when the process starts: a killed process may have left partial files. */
  workDir: string;
  /** The report engines of this process (reports/engines/). */
  reports: {
    run(
      request: ReportRequest,
      site: ReportSite,
      options: { language: Language; signal: AbortSignal },
    ): Promise<Report>;
  };
  /** True when there is a mail server. */
  tellsByMail: boolean;
  logger: Logger;
}

export type ExportActivities = ReturnType<typeof createExportActivities>;

/** Share of the report in the progress; the rest is the file's. */
const REPORT_SHARE = 0.5;
/** Rows between two progress records. */
const PROGRESS_ROWS = 10_000;

/** Errors that would recur with the same report, by error name. */
const PERMANENT_ERRORS: Readonly<Record<string, ExportError>> = {
  ReportTimeoutError: 'timeout',
  ReportTooLargeError: 'too_large',
  ReportPatternError: 'invalid',
};

export function createExportActivities(deps: ExportDeps) {
  const { pool, logger } = deps;
  return {
    /**
     * Builds the file of an export from the beginning, whatever an earlier attempt left of it. A finished export stays
     * as it is.
     * @returns the outcome: an abandoned report is an outcome, not an error
     */
    buildExport: (ref: ExportRef): Promise<MadeExport> =>
      runChunk(logger, async (heartbeat) => {
        const begun = await beginExport(pool, ref);
        if (!begun) return whatBecameOf(ref);
        const site = (await loadSiteSettings(pool, [ref.siteId])).get(ref.siteId);
        if (site?.access !== 'open') return fail(ref, 'site_inactive');
        if (begun.attempts > EXPORT_ATTEMPTS) return fail(ref, 'internal');
        try {
          await finishExport(pool, ref, await makeFile(deps, ref, begun, site, heartbeat), deps.tellsByMail);
          return await whatBecameOf(ref);
        } catch (error) {
          const permanent = error instanceof Error ? PERMANENT_ERRORS[error.name] : undefined;
          if (permanent === undefined) throw await withoutAttempt(ref, error);
          logger.warn({ ...currentLogFields(), err: error }, 'an export was given up');
          return fail(ref, permanent);
        }
      }),
  };

  async function fail(ref: ExportRef, error: ExportError): Promise<MadeExport> {
    await failExport(pool, ref, error);
    return whatBecameOf(ref);
  }

  /**
   * Reads the outcome from the database, because another attempt may have ended the export: one whose response was
   * lost, or one that was wrongly presumed dead.
   */
  async function whatBecameOf(ref: ExportRef): Promise<MadeExport> {
    const stored = await findExport(pool, ref);
    return {
      state: stored?.state === 'done' ? 'done' : 'failed',
      rows: stored?.rows ?? 0,
      hasMail: stored?.mail === 'waiting',
    };
  }

  /**
   * Takes the attempt back when a service is unavailable or this process stops: it counts only when the export may be
   * the cause of the failure.
   */
  async function withoutAttempt(ref: ExportRef, error: unknown): Promise<unknown> {
    if (!Context.current().cancellationSignal.aborted && !isOutage(error)) return error;
    await takeAttemptBack(pool, ref).catch((cause: unknown) =>
      logger.debug({ err: cause }, 'could not take back an attempt at an export'),
    );
    return error;
  }
}

async function makeFile(
  deps: ExportDeps,
  ref: ExportRef,
  { format, language, report, siteTitle }: BegunExport,
  settings: SiteSettings,
  heartbeat: Heartbeat,
): Promise<ExportOutcome> {
  // api/cabinet/reports/exports.ts wrote it, after validation.
  const request = report as ReportRequest;
  const site = { ...reportSiteOf(settings), title: siteTitle };
  const made = await deps.reports.run(request, site, {
    language,
    signal: Context.current().cancellationSignal,
  });
  const onRow = progressRecorder(deps, ref, made.data.length, heartbeat);
  return storeExport(deps, ref, { report: made, request, site, language, format }, onRow);
}

type Heartbeat = (details: unknown) => void;

/** Records the progress of the file from time to time. If a record fails, the next one makes up for it. */
function progressRecorder(
  { pool, logger }: ExportDeps,
  ref: ExportRef,
  rows: number,
  heartbeat: Heartbeat,
): (row: number) => void {
  const { cancellationSignal } = Context.current();
  const recordShare = (share: number): void => {
    heartbeat({ progress: share });
    recordProgress(pool, ref, share).catch((error: unknown) =>
      logger.debug({ err: error }, 'could not store the progress of an export'),
    );
  };
  recordShare(REPORT_SHARE);
  return (row) => {
    cancellationSignal.throwIfAborted();
    if (row % PROGRESS_ROWS === 0) recordShare(REPORT_SHARE + (1 - REPORT_SHARE) * (row / rows));
  };
}
