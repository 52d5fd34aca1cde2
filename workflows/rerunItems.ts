/**
 * New analysis of the items of one project: page after page is queued, with a pause after each that
 * keeps the rate. How far it is, the database knows; a new run goes on there.
 */
import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { DataActivities } from '../activities/data/index.ts';
import type { JobInput } from '../domain/jobs.ts';
import { ACTIVITY_OPTIONS } from '../domain/queues.ts';

/** A page and its pause leave about twelve events. */
const MAX_HISTORY_EVENTS = 6_000;

const data = proxyActivities<DataActivities>(ACTIVITY_OPTIONS.data);

/** @returns how many items were looked at and how many of them queued, by all runs */
export async function rerunItems(input: JobInput): Promise<{ seen: number; done: number }> {
  for (;;) {
    const options = { ...ACTIVITY_OPTIONS.data, summary: 'Next page', priority: { fairnessKey: input.projectId } };
    const { isDone, seen, done, pauseMs } = await data.rerunNextItems.executeWithOptions(options, [input]);
    setCurrentDetails(`${done} of ${seen} items looked at are queued${isDone ? '; done' : ''}`);
    if (isDone) return { seen, done };
    if (pauseMs > 0) await sleep(pauseMs, { summary: 'keeps the rate' });
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > MAX_HISTORY_EVENTS) return continueAsNew<typeof rerunItems>(input);
  }
}
