/** Reruns: new analysis of what a project has already, at a bounded rate. */
import type { ItemOrigin } from './item.ts';
import { STEPS, type ItemStatus, type Step, type StepRecord, type StepRecords } from './steps.ts';

/** Which items are analysed again, and which steps of them. */
export type RerunFilter =
  /** Somebody asked: items of that status (null: of any), those steps and what depends on them (null: all). */
  | { status: ItemStatus | null; steps: Step[] | null }
  /** Models changed: the steps that another one computed. */
  | { models: Partial<Record<Step, string>> };

export type RerunReason = 'request' | 'model';
export type RerunState = 'running' | 'done' | 'replaced';

/** Items that each rerun queues in a second, however many run in a project or elsewhere, unless RERUN_ITEMS_PER_SECOND says otherwise. */
export const RERUN_ITEMS_PER_SECOND = 5;

export interface RerunCandidate {
  origin: ItemOrigin;
  deleted: boolean;
  status: ItemStatus;
  steps: StepRecords;
}

/** What one activity of a rerun says. */
export interface RerunPage {
  isDone: boolean;
  /** Items looked at and items queued, by the whole rerun so far. */
  seen: number;
  done: number;
  /** Milliseconds that keep the rate. */
  pauseMs: number;
}

/**
 * The steps of an item that a rerun has to queue, dependents left out; null when it leaves the item
 * alone, and `'all'` when the request named no steps and none is under way.
 */
export function stepsToRedo(filter: RerunFilter, item: RerunCandidate): readonly Step[] | 'all' | null {
  if (item.deleted) return null;
  if ('models' in filter) {
    const outdated = stepsOfOtherModels(item.steps, filter.models);
    return outdated.length > 0 ? outdated : null;
  }
  if (item.origin === 'order') return null;
  if (filter.status !== null && filter.status !== item.status) return null;
  const asked = filter.steps ?? STEPS;
  const redone = asked.filter((step) => !isUnderWay(item.steps[step]));
  if (redone.length === asked.length) return filter.steps ?? 'all';
  return redone.length > 0 ? redone : null;
}

/** The steps that another model than the given one computed, or nobody for want of one; dependents left out. */
export function stepsOfOtherModels(steps: StepRecords, models: Partial<Record<Step, string>>): Step[] {
  return STEPS.filter((step) => isOfOtherModel(step, steps[step], models[step]));
}

/** It computes anew anyway: to outdate it would throw away a call to a provider that runs. */
function isUnderWay({ state }: StepRecord): boolean {
  return state === 'queued' || state === 'running';
}

/** Done by another model than the given one, or not done because nobody could. What is unfinished meets the new one anyway. */
function isOfOtherModel(step: Step, { state, model, error }: StepRecord, configured: string | undefined): boolean {
  if (configured === undefined) return false;
  if (state === 'done') return model !== configured;
  return state === 'skipped' && error?.code === `no_${step}_provider`;
}
