/**
 * Limits of the data about a person that a site sends. Lengths are in Unicode characters, ages in years. The size of
 * params is in paramsSize.ts.
 */
import { ID_MAX_LENGTH } from '../idLength.ts';

export const PERSON_LIMITS = {
  email: 254,
  minAge: 5,
  maxAge: 100,
  children: 10,
  maxChildAge: 17,
  interests: 50,
  interest: 200,
} as const;

/** Limits of svc('user'), from the API's document, "Browser tag limits". The tag and the intake cut off what exceeds them. */
export const TAG_USER_LIMITS = { ...PERSON_LIMITS, userId: ID_MAX_LENGTH, phone: 32, city: 128 } as const;

/** Limits of a site's server, whose request is refused if a field exceeds them. */
export const SERVER_USER_LIMITS = { ...PERSON_LIMITS, phone: 64, city: 200, categories: 50 } as const;
