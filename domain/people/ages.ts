/** Ages and years of birth. Ages change, so a date of birth that fits the age is stored instead. */

export const FIRST_BIRTH_YEAR = 1900;
/** In years; sent instead of the year of birth. */
export const MAX_AGE = 120;

/** The codes of domain/dictionaries/lists/age-groups.v1.json; age_group_of (migration 0028) chooses one. */
export const AGE_GROUPS = ['0-17', '18-24', '25-34', '35-44', '45-54', '55-64', '65+'];

/**
 * Returns the latest date of birth (`YYYY-MM-DD`, UTC) of a person who is this many full years old on a day. The true
 * date is up to a year earlier, so the derived age increases a year after it was sent.
 */
export function latestBirth(years: number, day: Date): string {
  const birth = new Date(Date.UTC(day.getUTCFullYear() - years, day.getUTCMonth(), day.getUTCDate()));
  // 29 February in a year without one.
  if (birth.getUTCMonth() !== day.getUTCMonth()) birth.setUTCDate(0);
  return birth.toISOString().slice(0, 10);
}

/** Returns the full years between a date of birth and a day. */
export function ageOn(born: string, day: Date): number {
  const years = day.getUTCFullYear() - Number(born.slice(0, 4));
  return day.toISOString().slice(5, 10) < born.slice(5) ? years - 1 : years;
}
