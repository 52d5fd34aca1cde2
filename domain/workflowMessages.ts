/** What travels through Temporal: ids and revisions only, never content. */
import type { MediaStep, Step, StepRecords } from './steps.ts';

/** The input of the workflow `item`. */
export interface ItemWorkflowInput {
  projectId: string;
  itemId: string;
  /** Its search attributes tell what became of it. Workflows from before this do not. */
  tellsOutcome?: true;
}

/** Name of the signal that tells the workflow `item` to look at its item again. */
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

/** What is left to do for an item. */
export interface ItemPlan {
  steps: StepRecords;
  /** For each media step, the media that still need it, in list order. */
  todo: Record<MediaStep, string[]>;
  /** Milliseconds until each deferred step is tried again. */
  retryInMs: Partial<Record<Step, number>>;
  /** Steps that take milliseconds for this item: they run beside the workflow, without a task of their own. */
  quick: Step[];
}
