/**
 * Reads the file of an import to its end, chunk by chunk, but not while its project is stopped. The position is stored
 * in the database.
 */
import {
  ApplicationFailure,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { DataActivities } from '../activities/data/index.ts';
import type { ImportProgress } from '../domain/jobs/imports.ts';
import type { JobInput } from '../domain/jobs/jobs.ts';
import { ACTIVITY_OPTIONS } from '../domain/jobs/activityOptions.ts';
import { reportOutcome } from './outcomeAttributes.ts';

/** How long a stopped project is left alone before another look at it. */
const PAUSE = '5 minutes';

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
    const { state } = progress;
    if (state === 'done' || state === 'failed') return endOf(input, { ...progress, state });
    if (progress.isPaused) await sleep(PAUSE, { summary: 'the project is stopped' });
    if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof importItems>(input);
  }
}

/** @throws {ApplicationFailure} when the file could not be read to its end */
function endOf({ tellsOutcome }: JobInput, progress: ImportProgress & { state: 'done' | 'failed' }): ImportProgress {
  if (!tellsOutcome) return progress;
  reportOutcome({ outcome: progress.state });
  if (progress.state === 'done') return progress;
  throw ApplicationFailure.create({
    message: `the import failed at ${progress.percent} % of its file`,
    type: 'import_failed',
    nonRetryable: true,
    details: [progress],
    category: 'BENIGN',
  });
}
