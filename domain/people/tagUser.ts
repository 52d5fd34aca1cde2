/**
 * The argument of svc('user'): valid parts are kept, invalid ones are left out. Parts that a site with an
 * `identity_secret` does not believe are dropped later, in db/sitePeople/resolveChanges.ts.
 */
import { hasAtMost } from '../codePoints.ts';
import type { TagUser } from '../collect/collected.ts';
import { contactHashes } from './contactHashes.ts';
import { GENDERS } from './profile.ts';
import { withoutPersonalParams } from '../privacy/removePersonalParams.ts';
import { EMAIL_MARK, PHONE_MARK } from '../privacy/contactMarks.ts';
import { withoutContacts } from '../privacy/contactsInTexts.ts';
import { isStorable, isStorableText } from './params.ts';
import { PARAMS_MAX_BYTES } from './paramsSize.ts';
import { isKeepable } from './keepableTexts.ts';
import { TAG_USER_LIMITS } from './personLimits.ts';
import { isUuidInAnyCase } from '../uuid.ts';

/**
 * Reads the data that a browser sent; never throws. Surplus children and interests and the ends of over-long texts are
 * cut off, as in the tag. E-mail, phone and user_id are kept whole or not at all, since half of one belongs to another
 * person. Params over 4 KB are left out, and so is personal data in them (domain/privacy).
 * @param contactKey of purpose `contact-hashes`: e-mail and phone leave this function only as hashes
 */
export function readTagUser(user: unknown, contactKey: Buffer): TagUser {
  if (typeof user !== 'object' || user === null || Array.isArray(user)) return {};
  const given = user as Record<string, unknown>;
  return {
    ...keep('user_id', whole(given['user_id'], TAG_USER_LIMITS.userId)),
    ...keep('fingerprint_uuid', uuidOf(given['fingerprint_uuid'])),
    ...contactHashes(contactKey, {
      email: emailOf(given['email']),
      phone: whole(given['phone'], TAG_USER_LIMITS.phone) ?? null,
    }),
    ...keep(
      'gender',
      GENDERS.find((gender) => gender === given['gender']),
    ),
    ...keep('age', integerOf(given['age'], TAG_USER_LIMITS.minAge, TAG_USER_LIMITS.maxAge)),
    ...keep('city', cityOf(given['city'])),
    ...keep('children', childrenOf(given['children'])),
    ...keep('interests', interestsOf(given['interests'])),
    ...keep('params', paramsOf(given['params'])),
  };
}

function keep<K extends string, V>(key: K, value: V | undefined): { [key in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [key in K]?: V };
}

function whole(value: unknown, max: number): string | undefined {
  return typeof value === 'string' && value.trim() !== '' && isStorableText(value) && hasAtMost(value, max)
    ? value
    : undefined;
}

function cut(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string' || !isStorableText(value)) return undefined;
  return [...value].slice(0, max).join('').trim() || undefined;
}

/**
 * A text that looks like an address or a number is not a city. It is filtered here, because the inbox stores texts
 * unchanged, and before it is cut, because a part of a contact would not be recognised.
 */
function cityOf(value: unknown): string | undefined {
  return typeof value === 'string' && isKeepable(value) ? cut(value, TAG_USER_LIMITS.city) : undefined;
}

/** One `@` with something on either side, as in POST /users. */
export const EMAIL_PATTERN = '^[^@]+@[^@]+$';
const EMAIL = new RegExp(EMAIL_PATTERN, 'u');

function emailOf(value: unknown): string | null {
  const text = whole(value, TAG_USER_LIMITS.email);
  return text !== undefined && EMAIL.test(text) ? text : null;
}

function uuidOf(value: unknown): string | undefined {
  return typeof value === 'string' && isUuidInAnyCase(value) ? value.toLowerCase() : undefined;
}

function integerOf(value: unknown, min: number, max: number): number | undefined {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
    ? (value as number)
    : undefined;
}

/** An empty list says that there are no children; a list without valid entries says nothing. */
function childrenOf(value: unknown): number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const ages = value.map((age) => integerOf(age, 0, TAG_USER_LIMITS.maxChildAge)).filter((age) => age !== undefined);
  return ages.length === 0 && value.length > 0 ? undefined : ages.slice(0, TAG_USER_LIMITS.children);
}

/**
 * Returns an interest. Contacts are removed before the text is cut, because a part of one would not be recognised.
 * @returns undefined when nothing is left
 */
function interestOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = withoutContacts(value).replaceAll(EMAIL_MARK, ' ').replaceAll(PHONE_MARK, ' ').trim();
  return cut(text, TAG_USER_LIMITS.interest);
}

/**
 * Texts are kept whole except for contacts: the ingest first finds the topic of a text (“films of 2023-2024”), and then
 * drops texts that may not be stored.
 */
function interestsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.map(interestOf).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.slice(0, TAG_USER_LIMITS.interests);
}

function paramsOf(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !isStorable(value)) return undefined;
  if (Buffer.byteLength(JSON.stringify(value)) > PARAMS_MAX_BYTES) return undefined;
  return withoutPersonalParams(value as Record<string, unknown>);
}
