/** Runs one step of an item by its activities. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { AiActivities } from '../../activities/ai/index.ts';
import type { MediaActivities } from '../../activities/media/prepare.ts';
import { ACTIVITY_OPTIONS, QUICK_ACTIVITY_OPTIONS } from '../../domain/jobs/activityOptions.ts';
import { isMediaStep, withAllSteps, type ItemStep, type MediaStep } from '../../domain/analysis/steps.ts';
import type { ItemPlan, MediumWork, StepResult, StepWork } from '../../domain/jobs/workflowMessages.ts';
import type { MediaAtWork } from './mediaAtWork.ts';

const media = proxyActivities<MediaActivities>(ACTIVITY_OPTIONS.media);
const ai = proxyActivities<AiActivities>(ACTIVITY_OPTIONS.ai);
/** The activities of a step that the plan marks as quick: they run in the workflow's own process. */
const quickAi = proxyLocalActivities<AiActivities>(QUICK_ACTIVITY_OPTIONS);

/** The activity of each step on a medium. */
const RUN_ON_MEDIUM: Record<MediaStep, (work: MediumWork) => Promise<boolean>> = {
  prepare: (work) => media.prepareMedium(work),
  speech: (work) => ai.transcribeMedium(work),
  vision: (work) => ai.describeMedium(work),
};

/** The activity of each step on the item. */
const RUN_ON_ITEM: Record<ItemStep, (activities: typeof ai | typeof quickAi, work: StepWork) => Promise<StepResult>> = {
  summary: (activities, work) => activities.summariseItem(work),
  embedding: (activities, work) => activities.embedItem(work),
};

/**
 * Runs a step until its result is stored.
 * @returns the item's steps afterwards, or null when a new plan has to be read
 * @throws when the step has to be deferred
 */
export async function runStep(work: StepWork, plan: ItemPlan, atWork: MediaAtWork): Promise<StepResult> {
  const { step } = work;
  if (isMediaStep(step)) {
    await runOnEachMedium({ ...work, step }, plan, atWork);
    return null;
  }
  // Plans in histories from before `quick` lack the field.
  const isQuick = (plan.quick ?? []).includes(step);
  const steps = await RUN_ON_ITEM[step](isQuick ? quickAi : ai, work);
  return steps && withAllSteps(steps);
}

/**
 * Runs all media at once (their queue limits the real concurrency). The first error is thrown when all have ended,
 * unless its medium was removed meanwhile.
 */
async function runOnEachMedium(
  work: StepWork & { step: MediaStep },
  plan: ItemPlan,
  atWork: MediaAtWork,
): Promise<void> {
  const run = (mediumId: string): Promise<unknown> => RUN_ON_MEDIUM[work.step]({ ...work, mediumId });
  // Plans in histories from before `media` lack the field. Their steps must run without scopes: one more changes the
  // order of cancellations.
  const runApart = (mediumId: string): Promise<unknown> => atWork.run(mediumId, () => run(mediumId));
  const todo = plan.todo[work.step];
  const results = await Promise.allSettled(todo.map(plan.media ? runApart : run));
  const failed = results.find(({ status }, at) => status === 'rejected' && !atWork.isRemoved(todo[at] ?? ''));
  if (failed?.status === 'rejected') throw failed.reason;
}
