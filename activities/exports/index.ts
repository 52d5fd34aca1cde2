/** The activity of the queue `exports`: one export, from the report to its file in the blob store. */
import { Context } from '@temporalio/activity';
import type pg from 'pg';
import type { BlobStore } from '../../blobs/store.ts';
import {
  beginExport,
  failExport,
  findExport,
  finishExport,
  noteProgress,
  takeAttemptBack,
  type BegunExport,
  type ExportOutcome,
} from '../../db/reportExports.ts';
import { loadSiteSettings } from '../../db/sites/settings.ts';
import { EXPORT_ATTEMPTS, type ExportError, type ExportRef, type MadeExport } from '../../domain/exports.ts';
import type { SiteSettings } from '../../domain/sites.ts';
import type { Logger } from '../../process/logger.ts';
import { storeExport } from '../../reports/exports/index.ts';
import type { Language, Report, ReportRequest, ReportSite } from '../../reports/request.ts';
import { reportSiteOf } from '../../reports/site.ts';
import { runChunk } from '../chunk.ts';
import { currentLogFields } from '../logFields.ts';
import { isOutage } from '../outages.ts';

export interface ExportDeps {
  pool: pg.Pool;
  blobs: BlobStore;
  /** Swept at the start of the process: files that a killed one left half written. */
  workDir: string;
  /** The engines of this process (reports/engines/). */
  reports: {
    run(
      request: ReportRequest,
      site: ReportSite,
      options: { language: Language; signal: AbortSignal },
    ): Promise<Report>;
  };
  /** There is a mail server. */
  tellsByMail: boolean;
  logger: Logger;
}

export type ExportActivities = ReturnType<typeof createExportActivities>;

/** Of the whole: the report, then the file. */
const REPORT_SHARE = 0.5;
/** Rows between two notes of how far it is. */
const NOTE_ROWS = 10_000;
/** Exports are asked for in the cabinet. */
const LANGUAGE = 'ru';

/** What goes wrong with the same report again, by the name of its error. */
const LASTING: Readonly<Record<string, ExportError>> = {
  ReportTimeoutError: 'timeout',
  ReportTooLargeError: 'too_large',
  ReportPatternError: 'invalid',
};

export function createExportActivities(deps: ExportDeps) {
  const { pool, logger } = deps;
  return {
    /**
     * Makes the file of an export anew, whatever an attempt before has left of it. One that is over stays as it is.
     * @returns what became of it: a report that is given up is an outcome, not an error
     */
    buildExport: (ref: ExportRef): Promise<MadeExport> =>
      runChunk(logger, async (note) => {
        const begun = await beginExport(pool, ref);
        if (!begun) return whatBecameOf(ref);
        const site = (await loadSiteSettings(pool, [ref.siteId])).get(ref.siteId);
        if (site?.access !== 'open') return fail(ref, 'site_inactive');
        if (begun.attempts > EXPORT_ATTEMPTS) return fail(ref, 'internal');
        try {
          await finishExport(pool, ref, await makeFile(deps, ref, begun, site, note), deps.tellsByMail);
          return await whatBecameOf(ref);
        } catch (error) {
          const lasting = error instanceof Error ? LASTING[error.name] : undefined;
          if (lasting === undefined) throw await withoutAttempt(ref, error);
          logger.warn({ ...currentLogFields(), err: error }, 'an export was given up');
          return fail(ref, lasting);
        }
      }),
  };

  async function fail(ref: ExportRef, error: ExportError): Promise<MadeExport> {
    await failExport(pool, ref, error);
    return whatBecameOf(ref);
  }

  /** Whoever ended it: an attempt whose answer was lost, or one that was taken for lost and was not. */
  async function whatBecameOf(ref: ExportRef): Promise<MadeExport> {
    const stored = await findExport(pool, ref);
    return {
      state: stored?.state === 'done' ? 'done' : 'failed',
      rows: stored?.rows ?? 0,
      hasMail: stored?.mail === 'waiting',
    };
  }

  /** An attempt counts when the export may be why it failed: not when services around it are away, or this process stops. */
  async function withoutAttempt(ref: ExportRef, error: unknown): Promise<unknown> {
    if (!Context.current().cancellationSignal.aborted && !isOutage(error)) return error;
    await takeAttemptBack(pool, ref).catch((cause: unknown) =>
      logger.debug({ err: cause }, 'an attempt at an export could not be taken back'),
    );
    return error;
  }
}

async function makeFile(
  deps: ExportDeps,
  ref: ExportRef,
  { format, report, siteTitle }: BegunExport,
  settings: SiteSettings,
  note: Note,
): Promise<ExportOutcome> {
  // Written by this very service (api/cabinet/exports.ts), after validation.
  const request = report as ReportRequest;
  const site = { ...reportSiteOf(settings), title: siteTitle };
  const made = await deps.reports.run(request, site, {
    language: LANGUAGE,
    signal: Context.current().cancellationSignal,
  });
  const noteRow = createNotes(deps, ref, made.data.length, note);
  return storeExport(deps, ref, { report: made, request, site, language: LANGUAGE, format }, noteRow);
}

type Note = (details: unknown) => void;

/** Says now and then how far the file is. What could not be noted is told by the next note. */
function createNotes({ pool, logger }: ExportDeps, ref: ExportRef, rows: number, note: Note): (row: number) => void {
  const { cancellationSignal } = Context.current();
  const noteShare = (share: number): void => {
    note({ progress: share });
    noteProgress(pool, ref, share).catch((error: unknown) =>
      logger.debug({ err: error }, 'progress of an export could not be noted'),
    );
  };
  noteShare(REPORT_SHARE);
  return (row) => {
    cancellationSignal.throwIfAborted();
    if (row % NOTE_ROWS === 0) noteShare(REPORT_SHARE + (1 - REPORT_SHARE) * (row / rows));
  };
}
