/** Removes the stored data of a deleted user, who has been inaccessible since the deletion. */
import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { DataActivities } from '../activities/data/index.ts';
import type { PassesInput } from '../domain/people/historyPasses.ts';
import { ACTIVITY_OPTIONS } from '../domain/jobs/activityOptions.ts';
import { runHistoryPasses } from './people/runHistoryPasses.ts';

const data = proxyActivities<DataActivities>(ACTIVITY_OPTIONS.data);

export async function deleteUser(input: PassesInput): Promise<{ rows: number }> {
  const { projectId, entityId } = input;
  return runHistoryPasses(input, {
    participle: 'removed',
    doChunk: (isLastPass, summary) =>
      data.purgeUser.executeWithOptions({ ...ACTIVITY_OPTIONS.data, summary, priority: { fairnessKey: projectId } }, [
        { projectId, entityId },
        isLastPass,
      ]),
    continueAsNew: (next) => continueAsNew<typeof deleteUser>(next),
  });
}
