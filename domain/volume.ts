/**
 * Analysis volume: what is counted, and which of it an item needs. A *unit* is a started 1,000
 * characters of text, a started minute of audio or video, or an image. What is counted is the analysis
 * of one *subject* at one revision, whatever number of steps reads it: summary and embedding share
 * the text, speech and vision a medium.
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

/** Units held for a subject until its steps are over. */
export interface Reservation extends Subject {
  /** A provider has answered, so the units are used whatever comes. */
  settled: boolean;
}

/** A medium as far as its analysis is counted. */
export interface CountedMedium extends Record<CountedMediaStep, string> {
  mediumId: string;
}

const MOSCOW = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Moscow', year: 'numeric', month: '2-digit' });

/** The first day of the month that it is in Moscow, such as `2026-11-01`. */
export function monthOf(now: Date): string {
  const parts = new Map(MOSCOW.formatToParts(now).map(({ type, value }) => [type, value]));
  return `${parts.get('year')}-${parts.get('month')}-01`;
}

/**
 * What the steps that could begin, or stand behind one that could, still need: each with the subjects
 * for which nothing is reserved yet. A step that is missing needs nothing more.
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
    // How long a medium is, and so what it counts, is known once it is prepared.
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
 * The reservations that nobody needs any more: all steps of the subject at that revision are over, a
 * newer write outdated them, or the medium is gone.
 * @returns them, each with whether some step of it was done
 */
export function reservationsOver(
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

/** A step may go on for other media, or not apply to this one at all. */
function mediumStates({ subject, revision }: Subject, steps: StepRecords, media: readonly CountedMedium[]): Progress[] {
  const medium = media.find(({ mediumId }) => mediumId === subject);
  if (!medium) return [];
  return COUNTED_MEDIA_STEPS.filter((step) => steps[step].revision === revision).map((step) => {
    if (medium[step] === 'todo') return isFinished(steps[step].state) ? 'over' : 'unfinished';
    return medium[step] === 'done' ? 'done' : 'over';
  });
}

/** The steps without the units that they asked for: they wait for them. */
export function withWaiting(steps: StepRecords, waiting: ReadonlySet<Step>, units: number): StepRecords {
  const records = { ...steps };
  for (const step of waiting) records[step] = { ...steps[step], state: 'waiting', units };
  return records;
}

/** Each subject once. */
export function distinctSubjects(subjects: Iterable<Subject>): Subject[] {
  const distinct: Subject[] = [];
  for (const subject of subjects) if (!distinct.some((other) => isSame(other, subject))) distinct.push(subject);
  return distinct;
}

function isSame(one: Subject, other: Subject): boolean {
  return one.subject === other.subject && one.revision === other.revision;
}
