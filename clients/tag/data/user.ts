/** Reads the argument of svc('user'). */
import type { Params } from './event.ts';
import { isUuidInAnyCase } from '../../../domain/uuid.ts';
import { PARAMS_MAX_BYTES } from '../../../domain/people/paramsSize.ts';
import { TAG_USER_LIMITS } from '../../../domain/people/personLimits.ts';
import { isRecord } from '../../../domain/isRecord.ts';
import { readParams } from './params.ts';
import { cut, identifier, whole } from './storableText.ts';

/** Format of an HMAC-SHA256, as the site's server computes it. */
const HASH = /^[0-9a-f]{64}$/;

/**
 * Returns the valid fields and leaves out the others. Surplus children and interests and the ends of over-long texts
 * are cut off; user_id, e-mail and phone are sent complete or not at all, because a part of one belongs to somebody
 * else.
 * @returns undefined when nothing is left
 */
export function readUser(value: unknown): Params | undefined {
  if (!isRecord(value)) return undefined;
  const read: Params = {
    user_id: identifier(value['user_id'], TAG_USER_LIMITS.userId),
    user_hash: typeof value['user_hash'] === 'string' && HASH.test(value['user_hash']) ? value['user_hash'] : undefined,
    fingerprint_uuid:
      typeof value['fingerprint_uuid'] === 'string' && isUuidInAnyCase(value['fingerprint_uuid'])
        ? value['fingerprint_uuid']
        : undefined,
    email: emailOf(value['email']),
    phone: identifier(value['phone'], TAG_USER_LIMITS.phone),
    gender: value['gender'] === 'male' || value['gender'] === 'female' ? value['gender'] : undefined,
    age: wholeNumber(value['age'], TAG_USER_LIMITS.minAge, TAG_USER_LIMITS.maxAge),
    city: cutText(value['city'], TAG_USER_LIMITS.city),
    children: listOf(value['children'], TAG_USER_LIMITS.children, (age) =>
      wholeNumber(age, 0, TAG_USER_LIMITS.maxChildAge),
    ),
    interests: listOf(value['interests'], TAG_USER_LIMITS.interests, (text) => cutText(text, TAG_USER_LIMITS.interest)),
    params: readParams(value['params'], PARAMS_MAX_BYTES),
  };
  const user: Params = {};
  let isEmpty = true;
  for (const name of Object.keys(read)) {
    if (read[name] === undefined) continue;
    user[name] = read[name];
    isEmpty = false;
  }
  return isEmpty ? undefined : user;
}

function emailOf(value: unknown): string | undefined {
  const text = whole(value, TAG_USER_LIMITS.email);
  return text !== undefined && /^[^@\s]+@[^@\s]+$/.test(text) ? text : undefined;
}

function wholeNumber(value: unknown, min: number, max: number): number | undefined {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
    ? (value as number)
    : undefined;
}

function cutText(value: unknown, max: number): string | undefined {
  return typeof value === 'string' ? cut(value.trim(), max) || undefined : undefined;
}

/**
 * Returns the valid elements, at most `max`. An empty list is kept, because it says that there are none; a list without
 * a valid element is not.
 */
function listOf<T>(value: unknown, max: number, read: (element: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const list: T[] = [];
  for (let index = 0; index < value.length && list.length < max; index += 1) {
    const element = read(value[index]);
    if (element !== undefined) list.push(element);
  }
  return list.length > 0 || value.length === 0 ? list : undefined;
}
