/**
 * The steps to run: which apply to an item, and which may begin. outdatedSteps.ts has those that run again, and
 * db/analysis/plan.ts applies all of it to a stored item, with the states of its media and the analysis volume.
 */
import {
  DEPENDENCIES,
  isFinished,
  MEDIA_OF_TYPE,
  MEDIA_STEPS,
  STEP_TABLE,
  STEPS,
  type ItemType,
  type MediaKind,
  type Step,
  type StepRecords,
  type StepStates,
} from './steps.ts';

/** The properties that decide which steps apply to an item. */
export interface Applicability {
  type: ItemType;
  /** Kinds of its media. */
  kinds: readonly MediaKind[];
}

/**
 * Returns the steps that never apply to an item of this type with these kinds of media, whatever the media contain. A
 * text needs no preparation, an image no speech step and audio no vision step, whatever other media it has; for the
 * other types the present media decide. Only preparation shows that a video has no sound, so activities/ai/speech.ts
 * skips such a video.
 */
export function inapplicableSteps(type: ItemType, kinds: readonly MediaKind[]): Set<Step> {
  return new Set(MEDIA_STEPS.filter((step) => !isApplicable(STEP_TABLE[step].kinds, type, kinds)));
}

function isApplicable(stepKinds: readonly MediaKind[], type: ItemType, kinds: readonly MediaKind[]): boolean {
  const { needs, mayHaveOthers, limitsSteps } = MEDIA_OF_TYPE[type];
  // A text has no media.
  if (needs === null && !mayHaveOthers) return false;
  if (needs !== null && limitsSteps && !stepKinds.includes(needs)) return false;
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
