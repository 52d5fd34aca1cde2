/** A training as its workflow and its activities speak of it: ids and counts, never what was learned. */
import type { ModelKind, ModelQuality, ModelReason } from './models.ts';

export interface TrainingRef {
  projectId: string;
  modelId: string;
}

/** The parts of a model that are solved column by column. */
export const SOLVED_PARTS = ['taste', 'transition'] as const;
export type SolvedPart = (typeof SOLVED_PARTS)[number];

/** What was read. */
export interface TrainingRead {
  kind: ModelKind;
  events: number;
  items: number;
  people: number;
}

/** What the last window said; `reason`: why the model is not worth publishing. */
export interface TrainingVerdict {
  reason: ModelReason | null;
  quality: ModelQuality | null;
}

/** How many columns of each part are to be solved. */
export type TrainingPlan = Record<SolvedPart, number>;

/** Columns of one activity: some ten seconds' work. */
export const RANGE = 4_000;

/** Some of the columns of a plan, by their places in it. */
export interface ColumnRange {
  part: SolvedPart;
  from: number;
  to: number;
}

export function rangesOf(plan: TrainingPlan): ColumnRange[] {
  return SOLVED_PARTS.flatMap((part) =>
    Array.from({ length: Math.ceil(plan[part] / RANGE) }, (_, index) => ({
      part,
      from: index * RANGE,
      to: Math.min(plan[part], (index + 1) * RANGE),
    })),
  );
}
