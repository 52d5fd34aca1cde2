/** When a project is to be trained. */
import type { ModelKind } from './models.ts';

/** `night`: whatever has new events, in full. `changes`: what cannot wait for the night. */
export const TRAINING_ROUNDS = ['night', 'changes'] as const;
export type TrainingRound = (typeof TRAINING_ROUNDS)[number];

/** What a project has, and what its trainings have seen of it. */
export interface TrainingState {
  /** Stored rows of events. */
  rows: number;
  isTraining: boolean;
  /** The last full training that came to an end by itself: the rows that it saw. */
  lastFull: { rows: number } | null;
  published: { rows: number } | null;
  /** Events were taken away from people, or items deleted, since the published model read them. */
  hasForgotten: boolean;
}

/** New events that make another pass worth its while: a five-hundredth, and no fewer than twenty. */
const NEW_SHARE = 1 / 500;
const LEAST_NEW = 20;
/** A project without a model is tried again when it has half as many events more. */
const MUCH_MORE = 1.5;

/** The kind of training that is due in a round; null: none. */
export function dueTraining(round: TrainingRound, state: TrainingState): ModelKind | null {
  const { rows, isTraining, lastFull, published, hasForgotten } = state;
  if (isTraining || (rows === 0 && published === null)) return null;
  if (round === 'night') return rows !== lastFull?.rows || hasForgotten ? 'full' : null;
  if (published === null) return lastFull === null || rows >= lastFull.rows * MUCH_MORE ? 'full' : null;
  const isGrown = rows - published.rows >= Math.max(LEAST_NEW, published.rows * NEW_SHARE);
  return hasForgotten || isGrown ? 'changes' : null;
}
