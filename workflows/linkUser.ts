/** Rewrites the history of a linked device to its user; readers of the user see it from the link on. */
import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { DataActivities } from '../activities/data/index.ts';
import type { PassesInput } from '../domain/people/historyPasses.ts';
import { ACTIVITY_OPTIONS } from '../domain/jobs/activityOptions.ts';
import { runHistoryPasses } from './people/runHistoryPasses.ts';

const data = proxyActivities<DataActivities>(ACTIVITY_OPTIONS.data);

export async function linkUser(input: PassesInput): Promise<{ rows: number }> {
  const { projectId, entityId } = input;
  return runHistoryPasses(input, {
    participle: 'moved',
    doChunk: (isLastPass, summary) =>
      data.moveHistory.executeWithOptions({ ...ACTIVITY_OPTIONS.data, summary, priority: { fairnessKey: projectId } }, [
        { projectId, entityId },
        isLastPass,
      ]),
    continueAsNew: (next) => continueAsNew<typeof linkUser>(next),
  });
}
