/** What has to be analysed: dependencies, applicability, and what a change of an item outdates. */
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

/** What decides which steps apply to an item. */
export interface Applicability {
  type: ItemType;
  /** Kinds of its media. */
  kinds: readonly MediaKind[];
}

/** What changed in an item, as far as the analysis is concerned. */
export interface ContentChange {
  /** Title, description, body or type. */
  text: boolean;
  /** A medium was added, or its url or version changed. */
  mediaAdded: boolean;
  /** A medium vanished. What it contributed leaves the summary and the vectors. */
  mediaRemoved: boolean;
}

/** The steps that a change makes outdated, dependents included. */
export function outdatedBy(change: ContentChange): Set<Step> {
  const outdated = new Set<Step>();
  if (change.mediaAdded) for (const step of MEDIA_STEPS) addWithDependents(outdated, step);
  if (change.text || change.mediaRemoved) for (const step of ITEM_STEPS) addWithDependents(outdated, step);
  return outdated;
}

/** The steps a reprocess request names, with what depends on them; all steps when it names none. */
export function outdatedByRequest(steps: readonly Step[] | null): Set<Step> {
  const outdated = new Set<Step>();
  for (const step of steps ?? STEPS) addWithDependents(outdated, step);
  return outdated;
}

/** Adds a step and everything that reads its result, directly or not. */
function addWithDependents(into: Set<Step>, step: Step): void {
  into.add(step);
  for (const other of STEPS) {
    if (DEPENDENCIES[other].includes(step) && !into.has(other)) addWithDependents(into, other);
  }
}

/** New step records in which the outdated steps are queued for `revision`. */
export function withOutdated(steps: StepRecords, outdated: ReadonlySet<Step>, revision: number): StepRecords {
  return mapSteps((step) => (outdated.has(step) ? queuedStep(revision) : steps[step]));
}

/** The records of an item that has just been created. */
export function newStepRecords(revision: number): StepRecords {
  return mapSteps(() => queuedStep(revision));
}

function queuedStep(revision: number): StepRecord {
  return { state: 'queued', revision, deferrals: 0, retryAt: null, error: null };
}

/**
 * The steps that have nothing to do for such an item, whatever its media turn out to hold. A text has
 * nothing to prepare, an image is not listened to and audio not looked at, whatever else stands
 * beside them; for the other types the media present decide.
 */
export function inapplicableSteps(type: ItemType, kinds: readonly MediaKind[]): Set<Step> {
  return new Set(MEDIA_STEPS.filter((step) => !isApplicable(STEP_TABLE[step].kinds, type, kinds)));
}

function isApplicable(stepKinds: readonly MediaKind[], type: ItemType, kinds: readonly MediaKind[]): boolean {
  if (type === 'text') return false;
  if ((type === 'image' || type === 'audio') && !stepKinds.includes(type)) return false;
  return kinds.some((kind) => stepKinds.includes(kind));
}

/** The steps that had nothing to do before a change of the item and have now. */
export function newlyApplicableSteps(before: Applicability, after: Applicability): Set<Step> {
  const stillInapplicable = inapplicableSteps(after.type, after.kinds);
  return new Set([...inapplicableSteps(before.type, before.kinds)].filter((step) => !stillInapplicable.has(step)));
}

/** The queued steps whose dependencies have finished (failed ones included: their evidence is missing). */
export function runnableSteps(states: StepStates): Step[] {
  return STEPS.filter(
    (step) => states[step] === 'queued' && DEPENDENCIES[step].every((other) => isFinished(states[other])),
  );
}

/**
 * Whether what is queued was queued when the plan was made: only then its analysis volume is reserved.
 * A write may have outdated a step since, or units have come free that it waited for.
 */
export function isAsPlanned(steps: StepRecords, planned: StepRecords): boolean {
  return STEPS.every(
    (step) =>
      steps[step].state !== 'queued' ||
      (planned[step].revision === steps[step].revision && planned[step].state !== 'waiting'),
  );
}
