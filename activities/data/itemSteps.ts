/** Database work of the workflow `item`: short, so it runs as local activities beside it. */
import { ApplicationFailure } from '@temporalio/common';
import type pg from 'pg';
import { failRemainingMedia } from '../../db/analysis/media.ts';
import { planItem } from '../../db/analysis/plan.ts';
import { completeStep, deferStep } from '../../db/analysis/steps.ts';
import { isPermanentDatabaseError } from '../../db/errors.ts';
import { isMediaStep, type Step, type StepError } from '../../domain/steps.ts';
import type { ItemPlan, ItemWorkflowInput, StepResult, StepWork } from '../../domain/work.ts';

export type ItemStepActivities = ReturnType<typeof createItemStepActivities>;

/** @param pool PostgreSQL */
export function createItemStepActivities(pool: pg.Pool) {
  return {
    /** What is left to do for an item; null when it is gone or deleted. */
    readPlan: (item: ItemWorkflowInput, running: Partial<Record<Step, number>>): Promise<ItemPlan | null> =>
      guarded(() => planItem(pool, item, running)),

    /** Puts a step off by the deferral schedule; `waitMs` null means that the schedule is over. */
    putOffStep: (work: StepWork, error: StepError): Promise<{ steps: NonNullable<StepResult>; waitMs: number | null } | null> =>
      guarded(() => deferOrFail(pool, work, error)),

    /** Ends a step as failed, for a fault that no retry can mend. */
    failStep: (work: StepWork, error: StepError): Promise<StepResult> => guarded(() => fail(pool, work, error)),
  };
}

async function deferOrFail(pool: pg.Pool, work: StepWork, error: StepError) {
  const deferred = await deferStep(pool, work, error);
  if (deferred?.waitMs !== null) return deferred;
  const steps = await fail(pool, work, error);
  return steps && { steps, waitMs: null };
}

function fail(pool: pg.Pool, work: StepWork, error: StepError): Promise<StepResult> {
  return completeStep(pool, work, { state: 'failed', error }, async (client) => {
    const { step } = work;
    if (isMediaStep(step)) await failRemainingMedia(client, { ...work, step }, error);
  });
}

/** A statement that can never work is a bug to be seen, not a reason to try for ever. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isPermanentDatabaseError(error)) throw ApplicationFailure.nonRetryable('a database statement was refused', 'DatabaseFault');
    throw error;
  }
}
