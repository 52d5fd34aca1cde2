/** Fields of a profile in requests. */
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../../domain/idLength.ts';
import { isRefusedAttribute } from '../../../domain/people/refusedAttributes.ts';
import {
  birthYearOf,
  cityOf,
  GENDERS,
  lastBirthYear,
  MAX_ATTRIBUTES_BYTES,
  MAX_AUTHORS,
  MAX_INTEREST_LENGTH,
  MAX_INTERESTS,
  MAX_PLACE_LENGTH,
  type ProfileChange,
} from '../../../domain/people/profile.ts';
import { FIRST_BIRTH_YEAR, MAX_AGE } from '../../../domain/people/ages.ts';
import type { FieldFault } from '../../http/errors.ts';
import {
  freeObject,
  MAX_BYTES,
  nullable,
  oneOf,
  strictObject,
  text,
  type Static,
} from '../../../domain/schemas/schema.ts';
import { childField, MAX_DEPTH } from '../../../domain/schemas/textScan.ts';
import { MAX_FAULTS } from '../../../domain/schemas/fieldFaults.ts';
import { EndUserIds } from '../endUser.ts';

const interests = (description: string) =>
  Type.Optional(nullable(Type.Array(text(MAX_INTEREST_LENGTH), { maxItems: MAX_INTERESTS, description })));
const authors = (description: string) =>
  Type.Optional(nullable(Type.Array(text(ID_MAX_LENGTH), { maxItems: MAX_AUTHORS, description })));

/** The fields to replace; null clears a field. */
export const ProfileRequest = strictObject(
  {
    user: EndUserIds,
    gender: Type.Optional(nullable(oneOf(GENDERS))),
    birth_year: Type.Optional(
      nullable(Type.Integer({ minimum: FIRST_BIRTH_YEAR, description: 'От 1900 до текущего года' })),
    ),
    age: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 0,
          maximum: MAX_AGE,
          description: 'Вместо birth_year: пересчитывается в год рождения',
        }),
      ),
    ),
    interests: interests('На любом языке'),
    excluded_interests: interests('Что не интересует'),
    followed_authors: authors('Идентификаторы авторов'),
    hidden_authors: authors('Идентификаторы авторов, которых не показывать'),
    city: Type.Optional(
      nullable(text(MAX_PLACE_LENGTH, { description: 'Хранится строчными буквами без лишних пробелов' })),
    ),
    country: Type.Optional(nullable(text(MAX_PLACE_LENGTH))),
    personalization: Type.Optional(
      nullable(
        Type.Boolean({ description: 'false — не персонализировать; null возвращает значение по умолчанию, true' }),
      ),
    ),
    attributes: Type.Optional(
      nullable(
        freeObject({ [MAX_BYTES]: MAX_ATTRIBUTES_BYTES, description: 'Любые данные, кроме персональных, до 16 КБ' }),
      ),
    ),
  },
  { title: 'ProfileRequest' },
);
export type ProfileRequest = Static<typeof ProfileRequest>;

/** Checks what a schema cannot. It accepts any value, since it runs in addition to the schema. */
export function profileRules(value: unknown): FieldFault[] {
  const { birth_year: birthYear, attributes } = (value ?? {}) as { birth_year?: unknown; attributes?: unknown };
  const faults: FieldFault[] = [];
  if (typeof birthYear === 'number' && birthYear > lastBirthYear(new Date()))
    faults.push({ field: 'birth_year', code: 'invalid_value' });
  if (typeof attributes === 'object' && attributes !== null) collectPersonalKeys(attributes, 'attributes', 1, faults);
  return faults;
}

/** Recursive down to the depth that validation allows; deeper values are refused for their depth. */
function collectPersonalKeys(value: object, path: string, depth: number, faults: FieldFault[]): void {
  const isList = Array.isArray(value);
  for (const [key, child] of Object.entries(value)) {
    if (faults.length >= MAX_FAULTS) return;
    const field = childField(path, isList ? Number(key) : key);
    if (!isList && isRefusedAttribute(key)) faults.push({ field, code: 'pii_not_allowed' });
    else if (typeof child === 'object' && child !== null && depth < MAX_DEPTH)
      collectPersonalKeys(child, field, depth + 1, faults);
  }
}

/** Returns the change of a request: only the fields that it contains. */
export function changeOfProfile(
  { user: _user, birth_year: birthYear, age, city, ...plain }: ProfileRequest,
  now: Date,
): ProfileChange {
  const year = birthYearOf({ age, birthYear }, now);
  return {
    ...plain,
    ...(year !== undefined && { birth_year: year }),
    ...(city !== undefined && { city: city === null ? null : cityOf(city) }),
  };
}
