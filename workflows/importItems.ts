/** Reads the file of an import to its end, chunk after chunk. The database remembers how far it is. */
import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { DataActivities } from '../activities/data/index.ts';
import type { ImportProgress } from '../domain/imports.ts';
import type { JobInput } from '../domain/jobs.ts';
import { ACTIVITY_OPTIONS } from '../domain/queues.ts';

const data = proxyActivities<DataActivities>(ACTIVITY_OPTIONS.data);

export async function importItems(input: JobInput): Promise<ImportProgress> {
  let percent = 0;
  for (;;) {
    const options = {
      ...ACTIVITY_OPTIONS.data,
      summary: `Lines from ${percent} % of the file on`,
      priority: { fairnessKey: input.projectId },
    };
    const progress = await data.importChunk.executeWithOptions(options, [input]);
    percent = progress.percent;
    setCurrentDetails(`${percent} % read: ${progress.done} lines done, ${progress.failed} failed`);
    if (progress.state === 'done' || progress.state === 'failed') return progress;
    if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof importItems>(input);
  }
}
