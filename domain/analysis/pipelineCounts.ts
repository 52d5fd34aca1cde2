/** The analysis of a project as a whole: what its items wait for, and how many arrived and finished. */
import { mapSteps, STEP_STATES, type Step, type StepState } from './steps.ts';
import { HOUR_MS } from '../timeUnits.ts';

/** Number of hours that are shown, including the current one. */
export const PIPELINE_HOURS = 48;
/** Number of hours for which the counts of an hour are kept. */
export const ITEM_HOURS_KEPT = 14 * 24;
/** Number of items in the list of those that have waited longest. */
export const PIPELINE_OLDEST = 10;

/** States of a step that have a reason. */
export const REASON_STATES = ['failed', 'deferred', 'skipped'] as const satisfies StepState[];
export type ReasonState = (typeof REASON_STATES)[number];

export function isReasonState(state: StepState): state is ReasonState {
  return REASON_STATES.some((one) => one === state);
}

/** Number of items that one step left in one state, for one reason. */
export interface StepReason {
  step: Step;
  state: ReasonState;
  code: string;
  items: number;
}

export type StepCounts = Record<Step, Record<StepState, number>>;

/** Number of items that arrived and finished within an hour. */
export interface PipelineHour {
  hour: Date;
  queued: number;
  ready: number;
  partial: number;
  failed: number;
}

/** Returns a count of zero for every state of every step. */
export function noSteps(): StepCounts {
  return mapSteps(() => Object.fromEntries(STEP_STATES.map((state) => [state, 0])) as Record<StepState, number>);
}

/**
 * Returns all hours up to the current one, including empty ones.
 * @param known in any order
 */
export function completeHours(known: readonly PipelineHour[], now: Date): PipelineHour[] {
  const byTime = new Map(known.map((one) => [one.hour.getTime(), one]));
  const last = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: PIPELINE_HOURS }, (_, index) => {
    const time = last - (PIPELINE_HOURS - 1 - index) * HOUR_MS;
    return byTime.get(time) ?? { hour: new Date(time), queued: 0, ready: 0, partial: 0, failed: 0 };
  });
}
