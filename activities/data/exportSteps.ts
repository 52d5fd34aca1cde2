/** Short steps of exports that run beside their workflow. */
import type pg from 'pg';
import { closeExportMail, findNextExport, listExportMails } from '../../db/reportExports.ts';
import type { ExportRef, NextExport } from '../../domain/exports.ts';
import { retryableFailure } from '../faults.ts';

/** At a time, so that neither the workflow's history nor its payloads grow with what waits. */
const MAILS = 100;

export type ExportStepActivities = ReturnType<typeof createExportStepActivities>;

export function createExportStepActivities(pool: pg.Pool) {
  return {
    /** The export whose turn it is; null when none waits. */
    findNextExport: (siteId: string): Promise<NextExport | null> => named(findNextExport(pool, siteId)),

    /** Exports that are done and not told of: of a run before this one. More than so many wait for the reconciler to start another. */
    listExportMails: (siteId: string): Promise<string[]> => named(listExportMails(pool, siteId, MAILS)),

    /** The link shows in the cabinet all the same. */
    giveUpExportMail: (ref: ExportRef): Promise<void> => named(closeExportMail(pool, ref, 'failed')),
  };
}

/** A fault is known to the history by its name alone. */
function named<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => Promise.reject(retryableFailure(error)));
}
