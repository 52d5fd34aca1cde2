/** Profiles: what end users said about themselves, field by field. */

/** Every field of a profile, in the order of responses. */
export const PROFILE_FIELDS = [
  'gender',
  'birth_year',
  'interests',
  'excluded_interests',
  'followed_authors',
  'hidden_authors',
  'city',
  'country',
  'personalization',
  'attributes',
] as const;
export type ProfileField = (typeof PROFILE_FIELDS)[number];

export const GENDERS = ['male', 'female'] as const;
/** Maximum number of interests, and of excluded interests. */
export const MAX_INTERESTS = 50;
export const MAX_INTEREST_LENGTH = 200;
/** Maximum number of followed authors, and of hidden ones. */
export const MAX_AUTHORS = 500;
/** Maximum length of the name of a city, and of a country. */
export const MAX_PLACE_LENGTH = 100;
export const MAX_ATTRIBUTES_BYTES = 16 * 1024;

/** Field names of the content API and the table; null means "never said". */
export interface ProfileValues {
  gender: (typeof GENDERS)[number] | null;
  birth_year: number | null;
  interests: string[] | null;
  excluded_interests: string[] | null;
  followed_authors: string[] | null;
  hidden_authors: string[] | null;
  city: string | null;
  country: string | null;
  /** Null counts as true. */
  personalization: boolean | null;
  attributes: Record<string, unknown> | null;
}

export interface Profile {
  values: ProfileValues;
  /** When each field last changed, ISO-8601; fields that never changed are missing. */
  updatedAt: Partial<Record<ProfileField, string>>;
}

/** The fields to replace; null clears, absent fields keep their values. */
export type ProfileChange = Partial<ProfileValues>;

export const EMPTY_PROFILE: Profile = {
  values: {
    gender: null,
    birth_year: null,
    interests: null,
    excluded_interests: null,
    followed_authors: null,
    hidden_authors: null,
    city: null,
    country: null,
    personalization: null,
    attributes: null,
  },
  updatedAt: {},
};

/** Returns a city as it is stored: lower case, single spaces; null for nothing but spaces. */
export function cityOf(text: string): string | null {
  return text.trim().replaceAll(/\s+/g, ' ').toLowerCase() || null;
}

/** Returns the latest birth year that a profile may have: the current one, by the UTC calendar. */
export function lastBirthYear(now: Date): number {
  return now.getUTCFullYear();
}

/**
 * Returns the birth year that a request sets: an age is used instead of a birth year, and converted by the UTC
 * calendar.
 * @returns null to clear the birth year; undefined when the request has neither
 */
export function birthYearOf(
  { age, birthYear }: { age?: number | null | undefined; birthYear?: number | null | undefined },
  now: Date,
): number | null | undefined {
  if (typeof age === 'number') return now.getUTCFullYear() - age;
  return birthYear ?? (age === null ? null : birthYear);
}
