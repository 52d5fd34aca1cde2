/** Short steps of exports, run as local activities of their workflow. */
import type pg from 'pg';
import { closeExportMail, listExportMails } from '../../db/reports/exportMail.ts';
import { findNextExport } from '../../db/reports/exports.ts';
import type { ExportRef, NextExport } from '../../domain/reports/exports.ts';
import { retryableFailure } from '../analysisFaults.ts';

/** Maximum per call, so that neither the workflow's history nor its payloads grow with the backlog. */
const MAILS = 100;

export type ExportStepActivities = ReturnType<typeof createExportStepActivities>;

export function createExportStepActivities(pool: pg.Pool) {
  return {
    /** Returns the next export in the queue; null when none is waiting. */
    findNextExport: (siteId: string): Promise<NextExport | null> => named(findNextExport(pool, siteId)),

    /**
     * Lists finished exports of an earlier run whose mails have not been sent. If there are more, the reconciler starts
     * another run.
     */
    listExportMails: (siteId: string): Promise<string[]> => named(listExportMails(pool, siteId, MAILS)),

    /** Gives up on the mail; the cabinet shows the link all the same. */
    giveUpExportMail: (ref: ExportRef): Promise<void> => named(closeExportMail(pool, ref, 'failed')),
  };
}

/** Replaces an error with its name, because only that may enter the history. */
function named<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => Promise.reject(retryableFailure(error)));
}
