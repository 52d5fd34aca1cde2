/** Database work of the workflow `item`: short, so it runs as local activities. */
import { ApplicationFailure } from '@temporalio/common';
import type pg from 'pg';
import { planItem } from '../../db/analysis/plan.ts';
import { deferStep } from '../../db/analysis/steps.ts';
import { isPermanentDatabaseError } from '../../db/errors.ts';
import type { Step, StepError, StepRecords } from '../../domain/analysis/steps.ts';
import { retryableFailure } from '../faults.ts';
import type { ItemPlan, ItemWorkflowInput, StepWork } from '../../domain/jobs/workflowMessages.ts';

export type ItemStepActivities = ReturnType<typeof createItemStepActivities>;

/**
 * @param quickSteps see `planItem`
 * @param clock determines the month whose analysis volume is used; by default the database's clock, which tests replace
 */
export function createItemStepActivities(pool: pg.Pool, quickSteps: readonly Step[] = [], clock?: () => Date) {
  return {
    /** Returns the remaining work for an item; null when it does not exist or was deleted. */
    readPlan: (item: ItemWorkflowInput, running: Partial<Record<Step, number>>): Promise<ItemPlan | null> =>
      guarded(() => planItem(pool, item, running, { quickSteps, ...(clock && { now: clock() }) })),

    /** Defers a step by the deferral schedule; `waitMs` null means that the schedule is exhausted. */
    putOffStep: (work: StepWork, error: StepError): Promise<{ steps: StepRecords; waitMs: number | null } | null> =>
      guarded(() => deferStep(pool, work, error)),
  };
}

/**
 * Makes a statement that can never succeed fail visibly, because it is a bug, instead of retrying it for ever. Its
 * message stays out of histories.
 */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isPermanentDatabaseError(error))
      throw ApplicationFailure.nonRetryable('a database statement was refused', 'DatabaseFault');
    throw retryableFailure(error);
  }
}
