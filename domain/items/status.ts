/**
 * The status of an item, derived from the states of its steps. db/analysis/mediumStatus.ts sets that of a medium, and
 * domain/output/mayShow.ts decides which items output may show.
 */
import {
  isFinished,
  ITEM_STATUSES,
  STEPS,
  type ItemStatus,
  type StepState,
  type StepStates,
} from '../analysis/steps.ts';

/** Says of each status whether the analysis has ended. */
const IS_FINAL = {
  queued: false,
  processing: false,
  ready: true,
  partial: true,
  failed: true,
  deferred: false,
} as const satisfies Record<ItemStatus, boolean>;

export type FinalStatus = {
  [Status in ItemStatus]: (typeof IS_FINAL)[Status] extends true ? Status : never;
}[ItemStatus];
type UnfinishedStatus = Exclude<ItemStatus, FinalStatus>;

export const isFinal = (status: ItemStatus): status is FinalStatus => IS_FINAL[status];
export const UNFINISHED_STATUSES = ITEM_STATUSES.filter((status): status is UnfinishedStatus => !isFinal(status));

/** States of a step that was tried at least once; a skipped one had nothing to do. */
const TRIED: ReadonlySet<StepState> = new Set(['done', 'failed', 'deferred']);

/**
 * Returns the item status. `waiting` (for analysis volume) counts like `queued`; an item for which nothing was tried
 * yet is `queued`, even when some of its steps are skipped.
 *
 * @param states the states of its steps
 * @param hasVectors true when search vectors of the item are stored
 */
export function statusFromSteps(states: StepStates, hasVectors: boolean): ItemStatus {
  const all = STEPS.map((step) => states[step]);
  if (all.includes('running')) return 'processing';
  if (all.every(isFinished)) return finalStatus(all, hasVectors);
  const left = all.filter((state) => !isFinished(state));
  if (left.every((state) => state === 'deferred')) return 'deferred';
  return all.some((state) => TRIED.has(state)) ? 'processing' : 'queued';
}

function finalStatus(all: readonly StepState[], hasVectors: boolean): FinalStatus {
  if (!hasVectors) return 'failed';
  return all.includes('failed') ? 'partial' : 'ready';
}
