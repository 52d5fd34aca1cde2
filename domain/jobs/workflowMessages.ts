/** Messages that pass through Temporal: only ids and revisions, never content. */
import type { MediaStep, Step, StepRecords } from '../analysis/steps.ts';

/** The input of the workflow `item`. */
export interface ItemWorkflowInput {
  projectId: string;
  itemId: string;
  /**
   * If true, the workflow's search attributes show the outcome. Workflows that began before this flag existed have
   * none.
   */
  tellsOutcome?: true;
  /**
   * If true, a short text is analysed while its plan is read. Workflows that began before this flag existed only read
   * the plan.
   */
  analysesAtOnce?: true;
}

/** Name of the signal after which the workflow `item` reads its item again. */
export const ITEM_CHANGED_SIGNAL = 'itemChanged';

/** One step of one item at one revision. */
export interface StepWork extends ItemWorkflowInput {
  step: Step;
  revision: number;
}

/** The part of a media step that concerns one medium. */
export interface MediumWork extends ItemWorkflowInput {
  mediumId: string;
  step: MediaStep;
  revision: number;
}

/** The steps after a result was stored, or null when the result was outdated. */
export type StepResult = StepRecords | null;

/** The work that is left for an item. */
export interface ItemPlan {
  steps: StepRecords;
  /** For each media step, the media that still need it, in list order. */
  todo: Record<MediaStep, string[]>;
  /** All media of the item, so that the work on any other is cancelled. Plans in older histories lack the field. */
  media?: string[];
  /** Milliseconds until each deferred step is tried again. */
  retryInMs: Partial<Record<Step, number>>;
  /** Steps that take milliseconds for this item: they run as local activities, without a task of their own. */
  quick: Step[];
}
