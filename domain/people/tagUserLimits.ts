import { ID_MAX_LENGTH } from '../idLength.ts';

/**
 * Limits of the data in svc('user'), from the API's document, "Browser tag limits". The tag and the intake cut off what
 * exceeds them. Lengths are in Unicode characters, ages in years.
 */
export const TAG_USER_LIMITS = {
  userId: ID_MAX_LENGTH,
  email: 254,
  phone: 32,
  city: 128,
  minAge: 5,
  maxAge: 100,
  children: 10,
  maxChildAge: 17,
  interests: 50,
  interest: 200,
} as const;
