/**
 * Queues a webhook's missed deliveries again, page by page. The database holds the position, from which a new run
 * continues, and decides how many may wait at a time, because new events wait behind them.
 */
import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { DataActivities } from '../activities/data/index.ts';
import type { JobInput } from '../domain/jobs/jobs.ts';
import { ACTIVITY_OPTIONS } from '../domain/jobs/activityOptions.ts';
import { MAX_HISTORY_EVENTS } from './historyLimit.ts';
import type { RecoveryProgress } from '../domain/webhooks/recovery.ts';

const data = proxyActivities<DataActivities>(ACTIVITY_OPTIONS.data);

/** @returns the result, and how many deliveries all runs have queued */
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
  const left = skipped === 0 ? '' : `, ${skipped} skipped because their items are deleted`;
  return `${done}${ofAll} deliveries queued again${left}${state === 'running' ? '' : `; ${state}`}`;
}
