/**
 * Analyses the items of one project again: queues page after page, with a pause after each that limits the rate. The
 * position is stored in the database; a new run continues there.
 */
import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { DataActivities } from '../activities/data/index.ts';
import type { JobInput } from '../domain/jobs/jobs.ts';
import { ACTIVITY_OPTIONS } from '../domain/jobs/activityOptions.ts';
import { MAX_HISTORY_EVENTS } from './historyLimit.ts';

const data = proxyActivities<DataActivities>(ACTIVITY_OPTIONS.data);

/** @returns how many items all runs have looked at, and how many of them they have queued */
export async function rerunItems(input: JobInput): Promise<{ seen: number; done: number }> {
  for (;;) {
    const options = { ...ACTIVITY_OPTIONS.data, summary: 'Next page', priority: { fairnessKey: input.projectId } };
    const { isDone, seen, done, pauseMs } = await data.rerunNextItems.executeWithOptions(options, [input]);
    setCurrentDetails(`${done} of the ${seen} items checked are queued${isDone ? '; done' : ''}`);
    if (isDone) return { seen, done };
    if (pauseMs > 0) await sleep(pauseMs, { summary: 'keeps to the rate limit' });
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > MAX_HISTORY_EVENTS) return continueAsNew<typeof rerunItems>(input);
  }
}
