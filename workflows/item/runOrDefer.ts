/** Runs one step of an item, and defers it when it fails. */
import { CancellationScope, proxyLocalActivities, sleep } from '@temporalio/workflow';
import type { ItemStepActivities } from '../../activities/data/itemSteps.ts';
import { LOCAL_ACTIVITY_OPTIONS } from '../../domain/jobs/activityOptions.ts';
import type { ItemPlan, StepWork } from '../../domain/jobs/workflowMessages.ts';
import type { CurrentPlan } from './currentPlan.ts';
import type { MediaAtWork } from './mediaAtWork.ts';
import { runStep } from './runStep.ts';
import { isInterruption, stepErrorOf } from './stepError.ts';

const data = proxyLocalActivities<ItemStepActivities>(LOCAL_ACTIVITY_OPTIONS);

/**
 * Pause before a step that a fault of our own side interrupted is run again; the number of such runs is not limited.
 */
const INTERRUPTION_PAUSE = '15 seconds';

/**
 * Runs a step until its result or its failure is stored.
 * @param planned the plan by which the step was begun
 * @param media records the media on which the step works
 * @throws only when the step was cancelled
 */
export async function runOrDefer(
  work: StepWork,
  planned: ItemPlan,
  current: CurrentPlan,
  media: MediaAtWork,
): Promise<void> {
  try {
    current.take(await runStep(work, planned, media));
  } catch (error) {
    if (CancellationScope.current().consideredCancelled) throw error;
    if (isInterruption(error))
      await sleep(INTERRUPTION_PAUSE, { summary: `${work.step} was interrupted and begins again` });
    else await data.putOffStep(work, stepErrorOf(error));
    current.markStale();
  }
}
