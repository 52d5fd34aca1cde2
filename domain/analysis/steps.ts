/** The analysis steps of an item, their states, and their stored records. */

export const MEDIA_KINDS = ['video', 'audio', 'image'] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];

interface StepDefinition {
  /** Says whether the step works on one medium at a time, or on the item as a whole. */
  readonly on: 'medium' | 'item';
  /** The steps whose results it reads. */
  readonly reads: readonly string[];
  /** The kinds of media to which it applies; empty for a step on the item. */
  readonly kinds: readonly MediaKind[];
  /** The analysis volume that it uses up (domain/analysis/volume.ts): its medium's, the text's, or none. */
  readonly counts: 'medium' | 'text' | 'nothing';
  /** True when a reprocess request may name it. */
  readonly isNamed: boolean;
  /**
   * True when its result decides whether output may show or find an item, or what it shows of it (`saveSteps` in
   * db/analysis/steps.ts).
   */
  readonly isShown: boolean;
}

/**
 * The properties of each step. Everything derivable is derived from this table; the rest is a `Record<Step, …>`, so
 * that the compiler reports the places that a new step needs (docs/development.md, "A new step").
 */
export const STEP_TABLE = {
  prepare: { on: 'medium', reads: [], kinds: MEDIA_KINDS, counts: 'nothing', isNamed: false, isShown: false },
  speech: {
    on: 'medium',
    reads: ['prepare'],
    kinds: ['video', 'audio'],
    counts: 'medium',
    isNamed: true,
    isShown: true,
  },
  vision: {
    on: 'medium',
    reads: ['prepare'],
    kinds: ['video', 'image'],
    counts: 'medium',
    isNamed: true,
    isShown: true,
  },
  summary: { on: 'item', reads: ['speech', 'vision'], kinds: [], counts: 'text', isNamed: true, isShown: true },
  embedding: {
    on: 'item',
    reads: ['speech', 'vision', 'summary'],
    kinds: [],
    counts: 'text',
    isNamed: true,
    isShown: true,
  },
} as const satisfies Record<string, StepDefinition>;

export type Step = keyof typeof STEP_TABLE;

/** The steps with this value in a column of the table. */
type StepsWith<Column extends keyof StepDefinition, Value> = {
  [S in Step]: (typeof STEP_TABLE)[S][Column] extends Value ? S : never;
}[Step];

function stepsWith<Column extends keyof StepDefinition, const Value extends StepDefinition[Column]>(
  column: Column,
  value: Value,
): readonly StepsWith<Column, Value>[] {
  const definitions: Record<Step, StepDefinition> = STEP_TABLE;
  return STEPS.filter((step): step is StepsWith<Column, Value> => definitions[step][column] === value);
}

export const STEPS = Object.keys(STEP_TABLE) as readonly Step[];

/** The steps that work on one medium at a time. */
export const MEDIA_STEPS = stepsWith('on', 'medium');
export type MediaStep = StepsWith<'on', 'medium'>;

/** The steps that work on the item as a whole. */
export const ITEM_STEPS = stepsWith('on', 'item');
export type ItemStep = StepsWith<'on', 'item'>;

/** The steps that use up the analysis volume of their medium. */
export const COUNTED_MEDIA_STEPS = stepsWith('counts', 'medium');
export type CountedMediaStep = StepsWith<'counts', 'medium'>;

/** The steps that use up the analysis volume of the item's text. */
export const COUNTED_TEXT_STEPS = stepsWith('counts', 'text');

/** The steps that a request may name. Preparation is not one of them: a request without names repeats everything. */
export const NAMED_STEPS = stepsWith('isNamed', true);

/** The steps whose results decide whether output may show or find an item, or what it shows of it. */
export const SHOWN_STEPS = stepsWith('isShown', true);

/** Returns true for a media step, false for one that works on the item as a whole. */
export function isMediaStep(step: Step): step is MediaStep {
  return STEP_TABLE[step].on === 'medium';
}

export const STEP_STATES = ['queued', 'running', 'done', 'skipped', 'failed', 'deferred', 'waiting'] as const;
export type StepState = (typeof STEP_STATES)[number];

export const ITEM_STATUSES = ['queued', 'processing', 'ready', 'partial', 'failed', 'deferred'] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

export const ITEM_TYPES = ['video', 'image', 'audio', 'text', 'mixed'] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

interface MediaOfType {
  /** An item of the type has at least one medium of this kind. */
  readonly needs: MediaKind | null;
  /** It may have media of other kinds; if it needs none, media at all. */
  readonly mayHaveOthers: boolean;
  /** Only the steps that apply to the needed kind run, whatever other media the item has (plan.ts). */
  readonly limitsSteps: boolean;
}

/** The media of each type of item. */
export const MEDIA_OF_TYPE: Readonly<Record<ItemType, MediaOfType>> = {
  video: { needs: 'video', mayHaveOthers: true, limitsSteps: false },
  audio: { needs: 'audio', mayHaveOthers: true, limitsSteps: true },
  image: { needs: 'image', mayHaveOthers: true, limitsSteps: true },
  text: { needs: null, mayHaveOthers: false, limitsSteps: false },
  mixed: { needs: null, mayHaveOthers: true, limitsSteps: false },
};

export type StepStates = Record<Step, StepState>;

/** Why a step failed, was skipped or was deferred; stored as it is shown in `processing_errors`. */
export interface StepError {
  /** snake_case, stable. */
  code: string;
  /** For people, in Russian like every text of the content API; without addresses, keys or content. */
  message: string;
  media_position?: number;
}

/** The stored record of one step of one item. */
export interface StepRecord {
  state: StepState;
  /** The item revision that last outdated this step; results of any other revision are dropped. */
  revision: number;
  /** How many deferrals have been used up since the step was outdated. */
  deferrals: number;
  /** When a deferred step is tried again (ISO-8601), otherwise null. */
  retryAt: string | null;
  /** Why it failed, was skipped or was deferred; null otherwise. */
  error: StepError | null;
  /** The model that computed the result of a step that is done (domain/analysis/stepModels.ts), if it was recorded. */
  model?: string;
  /** Units of analysis volume that a waiting step waits for. */
  units?: number;
}

export type StepRecords = Record<Step, StepRecord>;

/** Each step with the steps whose results it reads. */
export const DEPENDENCIES: Readonly<Record<Step, readonly Step[]>> = mapSteps((step) => STEP_TABLE[step].reads);

/** A step that was never requested. */
const NEVER_RUN: StepRecord = { state: 'skipped', revision: 0, deferrals: 0, retryAt: null, error: null };

/** Returns the records of an item that is not analysed. */
export function neverAnalysed(): StepRecords {
  return mapSteps(() => NEVER_RUN);
}

/**
 * Adds the steps that an item's stored records lack because they are newer than the records. They count as never run
 * until they are requested.
 */
export function withAllSteps(stored: Partial<StepRecords>): StepRecords {
  return mapSteps((step) => stored[step] ?? NEVER_RUN);
}

const FINISHED: ReadonlySet<StepState> = new Set(['done', 'skipped', 'failed']);

/** Returns true when nothing of the step is left to run. */
export function isFinished(state: StepState): boolean {
  return FINISHED.has(state);
}

/**
 * Returns the plain states, as `processing` shows them. A queued step that waits for a deferred one is itself deferred,
 * so it shows as `deferred`.
 */
export function statesOf(steps: StepRecords): StepStates {
  const isDeferred = (step: Step): boolean =>
    steps[step].state === 'deferred' || (!isFinished(steps[step].state) && DEPENDENCIES[step].some(isDeferred));
  return mapSteps((step) => (steps[step].state === 'queued' && isDeferred(step) ? 'deferred' : steps[step].state));
}

/** Builds a record over all steps, in their order. */
export function mapSteps<T>(value: (step: Step) => T): Record<Step, T> {
  return Object.fromEntries(STEPS.map((step) => [step, value(step)])) as Record<Step, T>;
}
