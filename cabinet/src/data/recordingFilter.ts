/** The filter of a site's recordings, as stored in the address. */
import type { cabinet } from './client.ts';
import { isUuidInAnyCase } from './uuid.ts';

export type SourceType = NonNullable<NonNullable<cabinet.ListRecordingsData['query']>['source_type']>;

export const SOURCE_TYPES = [
  'direct',
  'internal',
  'organic',
  'ad',
  'referral',
  'social',
  'messenger',
  'email',
  'ai_assistant',
  'recommendation',
  'saved',
  'unknown',
] as const satisfies SourceType[];
/** Minimum duration in seconds. */
export const DURATION_SECONDS = { half: 30, two: 120, ten: 600 } as const;
export type Duration = keyof typeof DURATION_SECONDS;
export const DURATIONS = Object.keys(DURATION_SECONDS) as Duration[];
/** Days back from now. */
export const WHEN_DAYS = { day: 1, week: 7 } as const;
export type When = keyof typeof WHEN_DAYS;
export const WHENS = Object.keys(WHEN_DAYS) as When[];

export interface RecordingFilter {
  page?: string | undefined;
  goal?: string | undefined;
  source?: SourceType | undefined;
  duration?: Duration | undefined;
  when?: When | undefined;
  visitor?: string | undefined;
  /** Id of a saved segment. */
  segment?: string | undefined;
  favourite?: true | undefined;
  errors?: true | undefined;
}

/** Maximum lengths in the API. */
const [LONGEST_PAGE, LONGEST_GOAL] = [2048, 64];

/** Reads the filter from the query of an address; malformed values are left out. */
export function recordingFilterOf(search: Record<string, unknown>): RecordingFilter {
  const { page, goal, source, duration, when, visitor, segment, favourite, errors } = search;
  return {
    page: textOf(page, LONGEST_PAGE),
    goal: textOf(goal, LONGEST_GOAL),
    source: SOURCE_TYPES.find((one) => one === source),
    duration: DURATIONS.find((one) => one === duration),
    when: WHENS.find((one) => one === when),
    visitor: uuidOf(visitor),
    segment: uuidOf(segment)?.toLowerCase(),
    favourite: favourite === true ? true : undefined,
    errors: errors === true ? true : undefined,
  };
}

function uuidOf(value: unknown): string | undefined {
  return typeof value === 'string' && isUuidInAnyCase(value) ? value : undefined;
}

/** A text that looks like a number is parsed as one. */
function textOf(value: unknown, longest: number): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' && text.length <= longest ? text : undefined;
}
