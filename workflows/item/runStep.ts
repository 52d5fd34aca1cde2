/** One step of an item: the activities that do it. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { AiActivities } from '../../activities/ai/index.ts';
import type { MediaActivities } from '../../activities/media/prepare.ts';
import { ACTIVITY_OPTIONS, QUICK_ACTIVITY_OPTIONS } from '../../domain/queues.ts';
import { isMediaStep, type MediaStep, type StepRecords } from '../../domain/steps.ts';
import type { ItemPlan, MediumWork, StepWork } from '../../domain/workflowMessages.ts';

const media = proxyActivities<MediaActivities>(ACTIVITY_OPTIONS.media);
const ai = proxyActivities<AiActivities>(ACTIVITY_OPTIONS.ai);
const quickAi = proxyLocalActivities<AiActivities>(QUICK_ACTIVITY_OPTIONS);

type MediumActivity = (work: MediumWork) => Promise<boolean>;

const MEDIUM_ACTIVITIES: Record<MediaStep, MediumActivity> = {
  prepare: (work) => media.prepareMedium(work),
  speech: (work) => ai.transcribeMedium(work),
  vision: (work) => ai.describeMedium(work),
};

/**
 * Runs a step to its stored end.
 * @returns the item's steps afterwards, or null when only a new plan can tell
 * @throws when the step has to be put off
 */
export async function runStep(work: StepWork, plan: ItemPlan): Promise<StepRecords | null> {
  if (isMediaStep(work.step)) {
    await runForMedia({ ...work, step: work.step }, plan.todo[work.step]);
    return null;
  }
  // Histories from before `quick` have no such field in their plans.
  const { summariseItem, embedItem } = (plan.quick ?? []).includes(work.step) ? quickAi : ai;
  return work.step === 'summary' ? summariseItem(work) : embedItem(work);
}

/** All media at once (their queue limits how many really run); the first fault counts, at the end. */
async function runForMedia(work: Omit<MediumWork, 'mediumId'>, mediumIds: readonly string[]): Promise<void> {
  const results = await Promise.allSettled(
    mediumIds.map((mediumId) => MEDIUM_ACTIVITIES[work.step]({ ...work, mediumId })),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
