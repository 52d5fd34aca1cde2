/** When a project is to be trained. */
import type { ModelKind } from './models.ts';

/** `night`: full trainings of projects with new events. `changes`: changes that cannot wait for the night. */
const TRAINING_ROUNDS = ['night', 'changes'] as const;
export type TrainingRound = (typeof TRAINING_ROUNDS)[number];

/** The data of a project, and what its trainings have seen of it. */
export interface TrainingState {
  /** Number of stored rows of events. */
  rows: number;
  isTraining: boolean;
  /** The last full training that ended with a published or rejected model, and the number of rows that it read. */
  lastFull: { rows: number } | null;
  published: { rows: number } | null;
  /**
   * True when people have lost events that were read for the published model or, while there is none, for the pairs of
   * items ordered together that are in use; also when items of the published model were deleted.
   */
  hasRemovedData: boolean;
  /** True when one of these people was deleted; all others were linked, or turned personalization off. */
  hasDeletedPerson: boolean;
}

/** Number of new events that justifies another training: a five-hundredth, and at least twenty. */
const NEW_SHARE = 1 / 500;
const MIN_NEW = 20;
/** A project without a model is tried again once its events have grown by half. */
const RETRY_GROWTH = 1.5;

/**
 * Returns the kind of training that is due in a round; null means none. Without a published model, only a full training
 * can remove data. It is then due by day for deleted people, but not for linked ones: people are linked too often for
 * that.
 */
export function dueTraining(round: TrainingRound, state: TrainingState): ModelKind | null {
  const { rows, isTraining, lastFull, published, hasRemovedData, hasDeletedPerson } = state;
  if (isTraining || (rows === 0 && published === null && !hasRemovedData)) return null;
  if (round === 'night') return rows !== lastFull?.rows || hasRemovedData ? 'full' : null;
  if (published === null) {
    const shouldTry = lastFull === null || rows >= lastFull.rows * RETRY_GROWTH;
    return hasDeletedPerson || shouldTry ? 'full' : null;
  }
  const isGrown = rows - published.rows >= Math.max(MIN_NEW, published.rows * NEW_SHARE);
  return hasRemovedData || isGrown ? 'changes' : null;
}
