/** The messages of a training between its workflow and its activities: ids and counts, never what was learned. */
import type { ModelKind, ModelQuality, ModelReason } from './models.ts';

export interface TrainingRef {
  projectId: string;
  modelId: string;
}

/** The parts of a model that are solved column by column. */
export const SOLVED_PARTS = ['taste', 'transition'] as const;
export type SolvedPart = (typeof SOLVED_PARTS)[number];

/** The result of reading the events. */
export interface TrainingRead {
  kind: ModelKind;
  events: number;
  items: number;
  people: number;
}

/** The result of the evaluation; `reason`: why the model is not worth publishing. */
export interface TrainingVerdict {
  reason: ModelReason | null;
  quality: ModelQuality | null;
  /** True when no model is published; pairs ordered together are then used even if the training is rejected. */
  keepsPairs?: boolean;
}

/** Number of columns of each part to solve. */
export type ColumnsToSolve = Record<SolvedPart, number>;

/** Number of columns of one activity: about ten seconds' work. */
const RANGE = 4_000;

/** A range of the list of columns to solve: `from` and `to` are positions in that list, not numbers of columns. */
export interface ColumnRange {
  part: SolvedPart;
  from: number;
  to: number;
}

export function rangesOf(columns: ColumnsToSolve): ColumnRange[] {
  return SOLVED_PARTS.flatMap((part) =>
    Array.from({ length: Math.ceil(columns[part] / RANGE) }, (_, index) => ({
      part,
      from: index * RANGE,
      to: Math.min(columns[part], (index + 1) * RANGE),
    })),
  );
}
