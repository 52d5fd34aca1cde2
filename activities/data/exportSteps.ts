/** Short steps of exports that run beside their workflow. */
import type pg from 'pg';
import { closeExportMail, findNextExport, listExportMails } from '../../db/reportExports.ts';
import type { ExportRef, NextExport } from '../../domain/exports.ts';

/** At a time, so that neither the workflow's history nor its payloads grow with what waits. */
const MAILS = 100;

export type ExportStepActivities = ReturnType<typeof createExportStepActivities>;

export function createExportStepActivities(pool: pg.Pool) {
  return {
    /** The export whose turn it is; null when none waits. */
    findNextExport: (siteId: string): Promise<NextExport | null> => findNextExport(pool, siteId),

    /** Exports that are done and not told of: of a run before this one. More than so many wait for the reconciler to start another. */
    listExportMails: (siteId: string): Promise<string[]> => listExportMails(pool, siteId, MAILS),

    /** The link shows in the cabinet all the same. */
    giveUpExportMail: (ref: ExportRef): Promise<void> => closeExportMail(pool, ref, 'failed'),
  };
}
