/**
 * Requests to the solver's thread, and its replies. Files are passed by path. Training data stays in the thread once it
 * has been arranged.
 */
import type { ItemCompanions } from '../../domain/training/companions.ts';
import type { ModelQuality, ModelReason } from '../../domain/training/models.ts';
import type { ColumnRange, SolvedPart, ColumnsToSolve } from '../../domain/training/trainingMessages.ts';
import type { RawEvents } from '../../output/training/rows/eventColumns.ts';
import type { TrainingSettings } from '../../output/training/evaluate/hyperparameters.ts';

/** The common part of all requests: each concerns one training. */
interface Question {
  modelId: string;
  /** Path of the training's data (output/training/rows/interactionFile.ts). */
  data: string;
}

/** Writes the file `data` from the events that were read. */
export interface ArrangeQuestion extends Question {
  step: 'arrange';
  events: RawEvents;
  deleted: readonly string[];
  forgotten: { rowIds: readonly string[]; items: readonly string[] };
}

export interface ChooseQuestion extends Question {
  step: 'choose';
  sampleOf: number;
  reference: number;
  published: TrainingSettings | null;
}

export interface PlanQuestion extends Question {
  step: 'plan';
  settings: TrainingSettings;
  published: string;
  /** Paths to write the columns of each part to. */
  into: Record<SolvedPart, string>;
}

export interface SolveQuestion extends Question {
  step: 'solve';
  settings: TrainingSettings;
  range: ColumnRange;
  /** Path of the plan with the columns of the part to solve; null for all columns. */
  plan: string | null;
  into: string;
}

export interface AssembleQuestion extends Question {
  step: 'assemble';
  settings: TrainingSettings;
  columns: Record<SolvedPart, string[]>;
  published: string | null;
  into: string;
}

/** Writes a model file that contains only the items ordered together. */
export interface PairQuestion extends Question {
  step: 'pair';
  into: string;
}

export type SolverQuestion =
  | ArrangeQuestion
  | ChooseQuestion
  | PlanQuestion
  | SolveQuestion
  | AssembleQuestion
  | PairQuestion;

export interface ChosenSettings {
  settings: TrainingSettings | null;
  quality: ModelQuality | null;
  reason: ModelReason | null;
}

export interface Answers {
  arrange: { events: number; items: number; people: number };
  choose: ChosenSettings;
  plan: ColumnsToSolve;
  solve: null;
  assemble: { forgottenRows: readonly string[]; companions: readonly ItemCompanions[] };
  pair: { hasPairs: boolean; forgottenRows: readonly string[] };
}
