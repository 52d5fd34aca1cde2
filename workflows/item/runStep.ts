/** Runs one step of an item by its activities. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { AiActivities } from '../../activities/ai/index.ts';
import type { MediaActivities } from '../../activities/media/prepare.ts';
import { ACTIVITY_OPTIONS, QUICK_ACTIVITY_OPTIONS } from '../../domain/jobs/queues.ts';
import { withAllSteps, type MediaStep, type Step } from '../../domain/analysis/steps.ts';
import type { ItemPlan, MediumWork, StepResult, StepWork } from '../../domain/jobs/workflowMessages.ts';

const media = proxyActivities<MediaActivities>(ACTIVITY_OPTIONS.media);
const ai = proxyActivities<AiActivities>(ACTIVITY_OPTIONS.ai);
const quickAi = proxyLocalActivities<AiActivities>(QUICK_ACTIVITY_OPTIONS);

type StepRun = (work: StepWork, plan: ItemPlan) => Promise<StepResult>;

/** The activities of each step. */
const RUNS: Record<Step, StepRun> = {
  prepare: onEachMedium('prepare', (work) => media.prepareMedium(work)),
  speech: onEachMedium('speech', (work) => ai.transcribeMedium(work)),
  vision: onEachMedium('vision', (work) => ai.describeMedium(work)),
  summary: onItem((activities, work) => activities.summariseItem(work)),
  embedding: onItem((activities, work) => activities.embedItem(work)),
};

/**
 * Runs a step until its result is stored.
 * @returns the item's steps afterwards, or null when a new plan has to be read
 * @throws when the step has to be deferred
 */
export async function runStep(work: StepWork, plan: ItemPlan): Promise<StepResult> {
  const steps = await RUNS[work.step](work, plan);
  return steps && withAllSteps(steps);
}

/**
 * Runs in the workflow's process where the plan marks the step as quick. Plans in histories from before `quick` lack
 * the field.
 */
function onItem(run: (activities: typeof ai | typeof quickAi, work: StepWork) => Promise<StepResult>): StepRun {
  return (work, plan) => run((plan.quick ?? []).includes(work.step) ? quickAi : ai, work);
}

/** Runs all media at once (their queue limits the real concurrency); the first error is thrown when all have ended. */
function onEachMedium(step: MediaStep, run: (work: MediumWork) => Promise<boolean>): StepRun {
  return async (work, plan) => {
    const results = await Promise.allSettled(plan.todo[step].map((mediumId) => run({ ...work, step, mediumId })));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return null;
  };
}
