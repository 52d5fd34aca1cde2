/** Database work of the workflow `item`: short, so it runs as local activities. */
import type pg from 'pg';
import { planItem } from '../../db/analysis/plan.ts';
import { deferStep } from '../../db/analysis/steps.ts';
import type { Step, StepError, StepRecords } from '../../domain/analysis/steps.ts';
import { databaseWork } from '../databaseWork.ts';
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
      databaseWork(() => planItem(pool, item, running, { quickSteps, ...(clock && { now: clock() }) })),

    /**
     * Defers a step by the deferral schedule; `waitMs` null means that the schedule is exhausted. Histories hold the
     * name of the activity, so it stays.
     */
    putOffStep: (work: StepWork, error: StepError): Promise<{ steps: StepRecords; waitMs: number | null } | null> =>
      databaseWork(() => deferStep(pool, work, error)),
  };
}
