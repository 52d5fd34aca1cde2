/** Reruns: new analysis of existing items of a project, at a limited rate. */
import type { ItemOrigin } from './item.ts';
import { stepsOfOtherModels } from '../analysis/stepModels.ts';
import { isReasonState } from '../analysis/pipelineCounts.ts';
import { STEPS, type ItemStatus, type Step, type StepRecord, type StepRecords } from '../analysis/steps.ts';

/** Selects the items that are analysed again, and their steps. */
export type RerunFilter =
  /**
   * Somebody requested it: items of that status (null: any), those steps and their dependents (null: all). With a code,
   * only items for which one of those steps failed, was deferred or was skipped for that reason.
   */
  | { status: ItemStatus | null; steps: Step[] | null; code?: string | null }
  /** Models changed: the steps that a different model computed. */
  | { models: Partial<Record<Step, string>> };

export type RerunReason = 'request' | 'model';
export type RerunState = 'running' | 'done' | 'replaced';
/** The outcome as shown: `cancelled` means that somebody stopped it. */
export const RERUN_OUTCOMES = ['running', 'done', 'replaced', 'cancelled'] as const;

/**
 * Number of items that each rerun queues per second, however many run in a project or elsewhere, unless
 * RERUN_ITEMS_PER_SECOND overrides it.
 */
export const RERUN_ITEMS_PER_SECOND = 5;

export interface RerunCandidate {
  origin: ItemOrigin;
  deleted: boolean;
  status: ItemStatus;
  steps: StepRecords;
}

/** The result of one activity of a rerun. */
export interface RerunPage {
  isDone: boolean;
  /** Number of items read and of items queued, by the whole rerun so far. */
  seen: number;
  done: number;
  /** Milliseconds to wait in order to keep the rate. */
  pauseMs: number;
}

/**
 * Returns the steps of an item that a rerun has to queue, without dependents; null when it leaves the item alone, and
 * `'all'` when the request named no steps and none is in progress.
 */
export function stepsToRedo(filter: RerunFilter, item: RerunCandidate): readonly Step[] | 'all' | null {
  if (item.deleted) return null;
  if ('models' in filter) {
    const outdated = stepsOfOtherModels(item.steps, filter.models);
    return outdated.length > 0 ? outdated : null;
  }
  if (item.origin === 'order') return null;
  if (filter.status !== null && filter.status !== item.status) return null;
  const asked = filter.steps ?? STEPS;
  if (filter.code && !asked.some((step) => isFor(item.steps[step], filter.code))) return null;
  const redone = asked.filter((step) => !isUnderWay(item.steps[step]));
  if (redone.length === asked.length) return filter.steps ?? 'all';
  return redone.length > 0 ? redone : null;
}

/** A running or queued step may still have the reason of its last try. */
function isFor({ state, error }: StepRecord, code: string | null | undefined): boolean {
  return isReasonState(state) && error?.code === code;
}

/** A queued or running step will be computed anyway, and outdating it would waste a running call to a provider. */
function isUnderWay({ state }: StepRecord): boolean {
  return state === 'queued' || state === 'running';
}

/** Time for which the record of a finished rerun is kept. */
export const RERUN_RECORD_SECONDS = 90 * 86_400;
