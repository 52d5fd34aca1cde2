/** The filter of a site's recordings, as stored in the address. */
import type { cabinet } from '../client.ts';
import { exhaustiveList } from '../exhaustiveList.ts';
import { limits } from '../apiLimits.ts';
import { oneOf, textOf } from '../searchValues.ts';
import { isUuidInAnyCase } from '../uuid.ts';

export type SourceType = NonNullable<NonNullable<cabinet.ListRecordingsData['query']>['source_type']>;

export const SOURCE_TYPES = exhaustiveList<SourceType>({
  direct: true,
  internal: true,
  organic: true,
  ad: true,
  referral: true,
  social: true,
  messenger: true,
  email: true,
  ai_assistant: true,
  recommendation: true,
  saved: true,
  unknown: true,
});
/** Minimum duration in seconds. */
export const DURATION_SECONDS = { half: 30, two: 120, ten: 600 } as const;
export type Duration = keyof typeof DURATION_SECONDS;
export const DURATIONS = Object.keys(DURATION_SECONDS) as Duration[];
/** Days back from now. */
export const PERIOD_DAYS = { day: 1, week: 7 } as const;
export type Period = keyof typeof PERIOD_DAYS;
export const PERIODS = Object.keys(PERIOD_DAYS) as Period[];

export interface RecordingFilter {
  page?: string | undefined;
  goal?: string | undefined;
  source?: SourceType | undefined;
  duration?: Duration | undefined;
  when?: Period | undefined;
  visitor?: string | undefined;
  /** Id of a saved segment. */
  segment?: string | undefined;
  favourite?: true | undefined;
  errors?: true | undefined;
}

/** Reads the filter from the query of an address; malformed values are left out. */
export function recordingFilterOf(search: Record<string, unknown>): RecordingFilter {
  const { page, goal, source, duration, when, visitor, segment, favourite, errors } = search;
  return {
    page: textOf(page, limits.listRecordings_page),
    goal: textOf(goal, limits.listRecordings_goal),
    source: oneOf(SOURCE_TYPES, source),
    duration: oneOf(DURATIONS, duration),
    when: oneOf(PERIODS, when),
    visitor: uuidOf(visitor),
    segment: uuidOf(segment)?.toLowerCase(),
    favourite: favourite === true ? true : undefined,
    errors: errors === true ? true : undefined,
  };
}

function uuidOf(value: unknown): string | undefined {
  return typeof value === 'string' && isUuidInAnyCase(value) ? value : undefined;
}
