/** The five analysis steps of an item, their states, and what is stored of each. */

export const STEPS = ['prepare', 'speech', 'vision', 'summary', 'embedding'] as const;
export type Step = (typeof STEPS)[number];

/** The steps that work on one medium at a time. */
export const MEDIA_STEPS = ['prepare', 'speech', 'vision'] as const;
export type MediaStep = (typeof MEDIA_STEPS)[number];

/** Tells the media steps from those that work on the item as a whole. */
export function isMediaStep(step: Step): step is MediaStep {
  return (MEDIA_STEPS as readonly Step[]).includes(step);
}

export const STEP_STATES = ['queued', 'running', 'done', 'skipped', 'failed', 'deferred', 'waiting'] as const;
export type StepState = (typeof STEP_STATES)[number];

export const ITEM_STATUSES = ['queued', 'processing', 'ready', 'partial', 'failed', 'deferred'] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

export const ITEM_TYPES = ['video', 'image', 'audio', 'text', 'mixed'] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

export const MEDIA_KINDS = ['video', 'audio', 'image'] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];

export type StepStates = Record<Step, StepState>;

/** Why a step failed, was skipped or was put off; stored as it is shown in `processing_errors`. */
export interface StepError {
  /** snake_case, stable. */
  code: string;
  /** For people, in Russian like every text of the content API; no address, key or content. */
  message: string;
  media_position?: number;
}

/** What is stored about one step of one item. */
export interface StepRecord {
  state: StepState;
  /** The item revision that outdated this step last; results of any other revision are dropped. */
  revision: number;
  /** How many deferrals have been used up since the step was outdated. */
  deferrals: number;
  /** When a deferred step is tried again (ISO-8601), otherwise null. */
  retryAt: string | null;
  /** Why it failed, was skipped or was put off; null otherwise. */
  error: StepError | null;
  /** What computed the result of a step that is done (domain/models.ts), unless nobody noted it. */
  model?: string;
  /** Units of analysis volume that a waiting step waits for. */
  units?: number;
}

export type StepRecords = Record<Step, StepRecord>;

/** Each step with the steps whose results it reads. */
export const DEPENDENCIES: Readonly<Record<Step, readonly Step[]>> = {
  prepare: [],
  speech: ['prepare'],
  vision: ['prepare'],
  summary: ['speech', 'vision'],
  embedding: ['speech', 'vision', 'summary'],
};

const FINISHED: ReadonlySet<StepState> = new Set(['done', 'skipped', 'failed']);

/** True when nothing of the step is left to run. */
export function isFinished(state: StepState): boolean {
  return FINISHED.has(state);
}

/**
 * The plain states, as `processing` shows them. A queued step that waits for a deferred one is
 * itself put off, so it shows as `deferred`.
 */
export function statesOf(steps: StepRecords): StepStates {
  const isPutOff = (step: Step): boolean =>
    steps[step].state === 'deferred' || (!isFinished(steps[step].state) && DEPENDENCIES[step].some(isPutOff));
  return mapSteps((step) => (steps[step].state === 'queued' && isPutOff(step) ? 'deferred' : steps[step].state));
}

/** Builds a record over all steps, in their order. */
export function mapSteps<T>(value: (step: Step) => T): Record<Step, T> {
  return {
    prepare: value('prepare'),
    speech: value('speech'),
    vision: value('vision'),
    summary: value('summary'),
    embedding: value('embedding'),
  };
}
