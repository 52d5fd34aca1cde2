/** The items of a project that have waited longest for the end of their analysis. */
import {
  statesOf,
  withAllSteps,
  type ItemStatus,
  type StepRecords,
  type StepStates,
} from '../../domain/analysis/steps.ts';
import { IS_UNFINISHED } from '../itemStatuses.ts';
import type { Queryable } from '../pool.ts';
import { errorsOf, type ProcessingErrors } from '../analysis/processingErrors.ts';

export interface WaitingItem {
  id: string;
  title: string | null;
  status: ItemStatus;
  processing: StepStates;
  errors: ProcessingErrors;
  /**
   * The time at which its status last changed, or at which a step whose result is shown last ended, whichever is later
   * (docs/decisions/item-list.md).
   */
  since: Date;
}

/** Returns the first entries of an index of unfinished items (migrations/0091_items_unfinished_of_project.sql). */
export async function listOldestUnfinished(pool: Queryable, projectId: string, limit: number): Promise<WaitingItem[]> {
  const { rows } = await pool.query<Omit<WaitingItem, 'processing' | 'errors'> & { steps: Partial<StepRecords> }>({
    name: 'items-oldest-unfinished',
    text: `select id, title, status, steps, updated_at as since from items
            where project_id = $1 and ${IS_UNFINISHED} and not deleted
            order by updated_at, id limit $2`,
    values: [projectId, limit],
  });
  return rows.map(({ steps: stored, ...row }) => {
    const steps = withAllSteps(stored);
    return { ...row, processing: statesOf(steps), errors: errorsOf(steps, null) };
  });
}
