/**
 * Makes the exports of one site, one after the other, and sends a mail about each finished one. It ends when none is
 * waiting and all mails are sent or given up; the next request starts it again under the same id.
 */
import {
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ExportStepActivities } from '../activities/data/exportSteps.ts';
import type { ExportActivities } from '../activities/exports/buildExport.ts';
import type { MailActivities } from '../activities/webhook/exportMail.ts';
import { EXPORT_ASKED_SIGNAL, type ExportsInput, type NextExport } from '../domain/reports/exports.ts';
import { ACTIVITY_OPTIONS, LOCAL_ACTIVITY_OPTIONS, MAIL_OPTIONS } from '../domain/jobs/activityOptions.ts';

export const exportAsked = defineSignal(EXPORT_ASKED_SIGNAL);

const data = proxyLocalActivities<ExportStepActivities>(LOCAL_ACTIVITY_OPTIONS);
const exporting = proxyActivities<ExportActivities>(ACTIVITY_OPTIONS.exports);
const mailing = proxyActivities<MailActivities>(MAIL_OPTIONS);

/** @returns how many exports this run made, and how many of them failed */
export async function buildExports(input: ExportsInput): Promise<{ made: number; failed: number }> {
  const { siteId } = input;
  let asked = 0;
  const counts = { made: 0, failed: 0 };
  const mails = new Set<string>();
  setHandler(exportAsked, () => {
    asked += 1;
  });

  for (const exportId of await data.listExportMails(siteId)) void tell(exportId);
  for (;;) {
    const seen = asked;
    const next = await data.findNextExport(siteId);
    describe(next);
    if (next) await make(next);
    else if (asked === seen) await condition(() => asked > seen || mails.size === 0);
    if (!next && asked === seen) return counts;
    // Pending mails are abandoned: the next run finds their recipients again.
    if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof buildExports>(input);
  }

  async function make({ exportId, format }: NextExport): Promise<void> {
    const options = {
      ...ACTIVITY_OPTIONS.exports,
      summary: `${format} ${exportId}`,
      priority: { fairnessKey: siteId },
    };
    const { state, hasMail } = await exporting.buildExport.executeWithOptions(options, [{ siteId, exportId }]);
    counts[state === 'done' ? 'made' : 'failed'] += 1;
    if (hasMail) void tell(exportId);
  }

  /** Mails run in the background: the next export is made meanwhile. */
  async function tell(exportId: string): Promise<void> {
    mails.add(exportId);
    try {
      await mailing.mailExport.executeWithOptions({ ...MAIL_OPTIONS, summary: `mail of ${exportId}` }, [
        { siteId, exportId },
      ]);
    } catch (error) {
      if (!isCancellation(error)) await data.giveUpExportMail({ siteId, exportId });
    }
    mails.delete(exportId);
  }

  function describe(next: NextExport | null): void {
    const lines = [`${counts.made} made, ${counts.failed} failed`];
    if (next)
      lines.push(
        `${next.format} ${next.exportId} is being made; ${next.waiting} waiting (its activity's heartbeat shows the progress)`,
      );
    if (mails.size > 0) lines.push(`${mails.size} mails being sent`);
    setCurrentDetails(lines.join('\n'));
  }
}
