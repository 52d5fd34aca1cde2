/** The steps that have to run again: those that a change or a request outdates, and all that read their results. */
import {
  DEPENDENCIES,
  ITEM_STEPS,
  mapSteps,
  MEDIA_STEPS,
  STEPS,
  type Step,
  type StepRecord,
  type StepRecords,
} from './steps.ts';

/** The changes of an item that concern the analysis. */
export interface ContentChange {
  /** Title, description, body or type changed. */
  text: boolean;
  /** A medium was added, or its url or version changed. */
  mediaAdded: boolean;
  /** A medium was removed, so its contribution has to leave the summary and the vectors. */
  mediaRemoved: boolean;
}

/** Returns the steps that a change outdates, including dependents. */
export function outdatedBy(change: ContentChange): Set<Step> {
  const outdated = new Set<Step>();
  if (change.mediaAdded) for (const step of MEDIA_STEPS) addWithDependents(outdated, step);
  if (change.text || change.mediaRemoved) for (const step of ITEM_STEPS) addWithDependents(outdated, step);
  return outdated;
}

/** Returns the steps that a reprocess request names and their dependents; all steps when it names none. */
export function outdatedByRequest(steps: readonly Step[] | null): Set<Step> {
  const outdated = new Set<Step>();
  for (const step of steps ?? STEPS) addWithDependents(outdated, step);
  return outdated;
}

/** Adds a step and all its direct and indirect dependents. */
function addWithDependents(into: Set<Step>, step: Step): void {
  into.add(step);
  for (const other of STEPS) {
    if (DEPENDENCIES[other].includes(step) && !into.has(other)) addWithDependents(into, other);
  }
}

/** Returns new step records in which the outdated steps are queued for `revision`. */
export function withOutdated(steps: StepRecords, outdated: ReadonlySet<Step>, revision: number): StepRecords {
  return mapSteps((step) => (outdated.has(step) ? queuedStep(revision) : steps[step]));
}

/**
 * Returns the records with every waiting step queued, so that the next plan requests its analysis volume anew: after a
 * change of the item it may need less.
 */
export function withWaitingQueued(steps: StepRecords): StepRecords {
  return mapSteps((step) => {
    const { units: _units, ...record } = steps[step];
    return record.state === 'waiting' ? { ...record, state: 'queued' } : steps[step];
  });
}

/** Returns the records of an item that has just been created. */
export function newStepRecords(revision: number): StepRecords {
  return mapSteps(() => queuedStep(revision));
}

function queuedStep(revision: number): StepRecord {
  return { state: 'queued', revision, deferrals: 0, retryAt: null, error: null };
}
