/**
 * What a webhook did not get, queued again page by page. How far it is and how much has room before
 * fresh events, the database knows; a new run goes on there.
 */
import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { DataActivities } from '../activities/data/index.ts';
import type { JobInput } from '../domain/jobs.ts';
import { ACTIVITY_OPTIONS } from '../domain/queues.ts';
import type { RecoveryProgress } from '../domain/webhookRecovery.ts';

/** A page and its pause leave about twelve events. */
const MAX_HISTORY_EVENTS = 6_000;

const data = proxyActivities<DataActivities>(ACTIVITY_OPTIONS.data);

/** @returns how it ended, and how many deliveries were queued by all runs */
export async function recoverDeliveries(input: JobInput): Promise<RecoveryProgress> {
  for (;;) {
    const options = { ...ACTIVITY_OPTIONS.data, summary: 'Next page', priority: { fairnessKey: input.projectId } };
    const { pauseMs, ...progress } = await data.recoverNextDeliveries.executeWithOptions(options, [input]);
    setCurrentDetails(describe(progress));
    if (progress.state !== 'running') return progress;
    if (pauseMs > 0) await sleep(pauseMs, { summary: 'leaves room for fresh events' });
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > MAX_HISTORY_EVENTS)
      return continueAsNew<typeof recoverDeliveries>(input);
  }
}

function describe({ state, total, done, skipped }: RecoveryProgress): string {
  const ofAll = total === null ? '' : ` of ${total}`;
  const left = skipped === 0 ? '' : `, ${skipped} of deleted items left out`;
  return `${done}${ofAll} deliveries queued again${left}${state === 'running' ? '' : `; ${state}`}`;
}
