/** What the solver's thread is asked, and what it answers. Files are named by their paths: what is learned never leaves the thread otherwise. */
import type { ModelQuality, ModelReason } from '../../domain/output/models.ts';
import type { ColumnRange, SolvedPart, TrainingPlan } from '../../domain/output/training.ts';
import type { RawEvents } from '../../output/training/eventColumns.ts';
import type { TrainingSettings } from '../../output/training/settings.ts';

/** Every question is about one training. */
interface Question {
  modelId: string;
  /** Of its data (output/training/interactionFile.ts). */
  data: string;
}

/** Makes the file `data` of what was read. */
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
  /** Where to write the columns of each part. */
  into: Record<SolvedPart, string>;
}

export interface SolveQuestion extends Question {
  step: 'solve';
  settings: TrainingSettings;
  range: ColumnRange;
  /** The columns of the part that are to be solved; null: all. */
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

export type SolverQuestion = ArrangeQuestion | ChooseQuestion | PlanQuestion | SolveQuestion | AssembleQuestion;

export interface Chosen {
  settings: TrainingSettings | null;
  quality: ModelQuality | null;
  reason: ModelReason | null;
}

export interface Answers {
  arrange: { events: number; items: number; people: number };
  choose: Chosen;
  plan: TrainingPlan;
  solve: null;
  assemble: { forgottenRows: readonly string[] };
}
