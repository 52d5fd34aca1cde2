/** Short steps of exports that run beside their workflow. */
import type pg from 'pg';
import { closeExportMail, findNextExport, listExportMails } from '../../db/reportExports.ts';
import type { ExportRef, NextExport } from '../../domain/exports.ts';

export type ExportStepActivities = ReturnType<typeof createExportStepActivities>;

export function createExportStepActivities(pool: pg.Pool) {
  return {
    /** The export whose turn it is; null when none waits. */
    findNextExport: (siteId: string): Promise<NextExport | null> => findNextExport(pool, siteId),

    /** Exports that are done and not told of: of a run before this one. */
    listExportMails: (siteId: string): Promise<string[]> => listExportMails(pool, siteId),

    /** The link shows in the cabinet all the same. */
    giveUpExportMail: (ref: ExportRef): Promise<void> => closeExportMail(pool, ref, 'failed'),
  };
}
