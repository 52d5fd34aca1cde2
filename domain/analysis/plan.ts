/**
 * The steps to run: dependencies, applicability, and what a change of an item outdates. db/analysis/plan.ts applies it
 * to a stored item, with the states of its media and the analysis volume.
 */
import {
  DEPENDENCIES,
  isFinished,
  ITEM_STEPS,
  mapSteps,
  MEDIA_STEPS,
  STEP_TABLE,
  STEPS,
  type ItemType,
  type MediaKind,
  type Step,
  type StepRecord,
  type StepRecords,
  type StepStates,
} from './steps.ts';

/** The properties that decide which steps apply to an item. */
export interface Applicability {
  type: ItemType;
  /** Kinds of its media. */
  kinds: readonly MediaKind[];
}

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

/** Returns the records of an item that has just been created. */
export function newStepRecords(revision: number): StepRecords {
  return mapSteps(() => queuedStep(revision));
}

function queuedStep(revision: number): StepRecord {
  return { state: 'queued', revision, deferrals: 0, retryAt: null, error: null };
}

/**
 * Returns the steps that never apply to an item of this type with these kinds of media, whatever the media contain. A
 * text needs no preparation, an image no speech step and audio no vision step, whatever other media it has; for the
 * other types the present media decide. A video without sound is known once it is prepared, so activities/ai/speech.ts
 * skips it.
 */
export function inapplicableSteps(type: ItemType, kinds: readonly MediaKind[]): Set<Step> {
  return new Set(MEDIA_STEPS.filter((step) => !isApplicable(STEP_TABLE[step].kinds, type, kinds)));
}

function isApplicable(stepKinds: readonly MediaKind[], type: ItemType, kinds: readonly MediaKind[]): boolean {
  if (type === 'text') return false;
  if ((type === 'image' || type === 'audio') && !stepKinds.includes(type)) return false;
  return kinds.some((kind) => stepKinds.includes(kind));
}

/** Returns the steps that did not apply before a change of the item and apply now. */
export function newlyApplicableSteps(before: Applicability, after: Applicability): Set<Step> {
  const stillInapplicable = inapplicableSteps(after.type, after.kinds);
  return new Set([...inapplicableSteps(before.type, before.kinds)].filter((step) => !stillInapplicable.has(step)));
}

/** Returns the queued steps whose dependencies have finished (including failed ones, whose evidence is missing). */
export function runnableSteps(states: StepStates): Step[] {
  return STEPS.filter(
    (step) => states[step] === 'queued' && DEPENDENCIES[step].every((other) => isFinished(states[other])),
  );
}

/**
 * Returns true when the queued steps were already queued when the plan was made: only then is their analysis volume
 * reserved. A write may have outdated a step since, or the units for which it waited may have become available.
 */
export function isAsPlanned(steps: StepRecords, planned: StepRecords): boolean {
  return STEPS.every(
    (step) =>
      steps[step].state !== 'queued' ||
      (planned[step].revision === steps[step].revision && planned[step].state !== 'waiting'),
  );
}

/**
 * Returns the steps left when all of them are quick and may begin, so that they can be done at once; otherwise none.
 * @param quick the steps that take milliseconds for the item
 */
export function stepsAtOnce(steps: StepRecords, quick: readonly Step[]): Step[] {
  const left = STEPS.filter((step) => !isFinished(steps[step].state));
  return left.every((step) => quick.includes(step) && steps[step].state === 'queued') ? left : [];
}
