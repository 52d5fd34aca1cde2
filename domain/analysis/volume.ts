/**
 * Analysis volume: what is counted, and how much of it an item needs. A *unit* is a started 1,000 characters of text, a
 * started minute of audio or video, or an image. The analysis of one *subject* at one revision is counted once, however
 * many steps read it: those on the text share it, and so do those on a medium. Without volume left, steps wait and no
 * request is refused (db/analysis/reserveVolumeOrWait.ts). db/analysis/volume.ts rounds up.
 */
import {
  COUNTED_MEDIA_STEPS,
  COUNTED_TEXT_STEPS,
  isFinished,
  STEP_TABLE,
  STEPS,
  type CountedMediaStep,
  type Step,
  type StepRecords,
} from './steps.ts';

export const CHARACTERS_PER_UNIT = 1_000;
export const SECONDS_PER_UNIT = 60;

/** The subject of the steps that read the item's own text; any other subject is the id of a medium. */
export const TEXT_SUBJECT = '';

export interface Subject {
  subject: string;
  revision: number;
}

/** Units reserved for a subject until its steps have ended. */
export interface Reservation extends Subject {
  /** A provider has answered, so the units count as used in any case. */
  settled: boolean;
}

/** The fields of a medium that matter for counting its analysis. */
export interface CountedMedium extends Record<CountedMediaStep, string> {
  mediumId: string;
}

const MOSCOW = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Moscow', year: 'numeric', month: '2-digit' });

/** Returns the first day of the present month in Moscow time, such as `2026-11-01`. */
export function monthOf(now: Date): string {
  const parts = new Map(MOSCOW.formatToParts(now).map(({ type, value }) => [type, value]));
  return `${parts.get('year')}-${parts.get('month')}-01`;
}

/**
 * Returns the subjects for which each queued step still lacks a reservation. Steps that lack none are left out, and so
 * are media steps before preparation has finished, and text steps before the media steps have.
 */
export function missingSubjects(
  steps: StepRecords,
  media: readonly CountedMedium[],
  reserved: readonly Subject[],
): Map<Step, Subject[]> {
  const missing = new Map<Step, Subject[]>();
  for (const step of STEPS) {
    if (steps[step].state !== 'queued') continue;
    const left = subjectsOf(step, steps, media).filter((subject) => !reserved.some((held) => isSame(held, subject)));
    if (left.length > 0) missing.set(step, left);
  }
  return missing;
}

function subjectsOf(step: Step, steps: StepRecords, media: readonly CountedMedium[]): Subject[] {
  const { revision } = steps[step];
  if (isCountedMediaStep(step)) {
    // The length of a medium, and so its units, is known only once it is prepared.
    if (!isFinished(steps.prepare.state)) return [];
    return media.filter((medium) => medium[step] === 'todo').map(({ mediumId }) => ({ subject: mediumId, revision }));
  }
  const isTextsTurn = COUNTED_MEDIA_STEPS.every((other) => isFinished(steps[other].state));
  return STEP_TABLE[step].counts === 'text' && isTextsTurn ? [{ subject: TEXT_SUBJECT, revision }] : [];
}

function isCountedMediaStep(step: Step): step is CountedMediaStep {
  return STEP_TABLE[step].counts === 'medium';
}

/**
 * Returns the reservations that are no longer needed: all steps of the subject at that revision have ended, a newer
 * write outdated them, or the medium was removed.
 * @returns each of them, with whether one of its steps was done
 */
export function endedReservations(
  reserved: readonly Reservation[],
  steps: StepRecords,
  media: readonly CountedMedium[],
): (Reservation & { isDone: boolean })[] {
  return reserved.flatMap((held) => {
    const states = held.subject === TEXT_SUBJECT ? textStates(held, steps) : mediumStates(held, steps, media);
    if (states.includes('unfinished')) return [];
    return [{ ...held, isDone: states.includes('done') }];
  });
}

type Progress = 'unfinished' | 'done' | 'over';

function textStates({ revision }: Subject, steps: StepRecords): Progress[] {
  return COUNTED_TEXT_STEPS.map((step) => steps[step])
    .filter((record) => record.revision === revision)
    .map(({ state }) => (isFinished(state) ? (state === 'done' ? 'done' : 'over') : 'unfinished'));
}

/** The state of the medium counts, because the step may continue for other media, or not apply to this one. */
function mediumStates({ subject, revision }: Subject, steps: StepRecords, media: readonly CountedMedium[]): Progress[] {
  const medium = media.find(({ mediumId }) => mediumId === subject);
  if (!medium) return [];
  return COUNTED_MEDIA_STEPS.filter((step) => steps[step].revision === revision).map((step) => {
    if (medium[step] === 'todo') return isFinished(steps[step].state) ? 'over' : 'unfinished';
    return medium[step] === 'done' ? 'done' : 'over';
  });
}

/** Returns the records with these steps waiting for the units that they requested. */
export function withWaiting(steps: StepRecords, waiting: ReadonlySet<Step>, units: number): StepRecords {
  const records = { ...steps };
  for (const step of waiting) records[step] = { ...steps[step], state: 'waiting', units };
  return records;
}

/** Returns each subject once. */
export function distinctSubjects(subjects: Iterable<Subject>): Subject[] {
  const distinct: Subject[] = [];
  for (const subject of subjects) if (!distinct.some((other) => isSame(other, subject))) distinct.push(subject);
  return distinct;
}

function isSame(one: Subject, other: Subject): boolean {
  return one.subject === other.subject && one.revision === other.revision;
}
