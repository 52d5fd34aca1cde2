/** GET and POST /users/profile, POST /users/profile/batch. */
import Type from 'typebox';
import { findProfile, writeProfiles, type FoundProfile, type ProfileWrite } from '../../../db/people/profiles.ts';
import { identifierOf, type Identifier } from '../../../domain/people/identity.ts';
import { GENDERS, PROFILE_FIELDS, type ProfileField } from '../../../domain/people/profile.ts';
import { batchError, BatchError, createElementValidator, element } from '../../http/batchElements.ts';
import { invalidRequest, notFound, validationFailed, type FieldFault } from '../../http/errors.ts';
import { dateTime, nullable, oneOf, orNull, strictObject, type Static } from '../../../domain/schemas/schema.ts';
import { define } from '../contentOperation.ts';
import { anonymousId, endUserOf, fingerprintUuid, NO_IDENTIFIER, requireIdentifiers, userId } from '../endUser.ts';
import { changeOfProfile, ProfileRequest, profileRules } from './profileFields.ts';

const MAX_PROFILES = 500;
const IDENTITIES = ['user', 'anonymous'] as const;

const strings = nullable(Type.Array(Type.String()));
export const StoredProfile = Type.Object(
  {
    identity: oneOf(IDENTITIES, { description: 'Чей это профиль: учётной записи или анонимный' }),
    gender: nullable(oneOf(GENDERS)),
    birth_year: nullable(Type.Integer()),
    city: nullable(Type.String()),
    country: nullable(Type.String()),
    interests: strings,
    excluded_interests: strings,
    followed_authors: strings,
    hidden_authors: strings,
    personalization: Type.Boolean(),
    attributes: nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
    fields_updated_at: Type.Unsafe<Partial<Record<ProfileField, string>>>({
      type: 'object',
      additionalProperties: dateTime(),
      description: 'Время последнего изменения каждого поля',
    }),
  },
  { title: 'StoredProfile' },
);

const ProfileResponse = Type.Object(
  {
    identity: oneOf(IDENTITIES),
    updated_fields: Type.Array(oneOf(PROFILE_FIELDS), { description: 'Поля, значение которых изменилось' }),
  },
  { title: 'ProfileResponse' },
);

const ProfileBatchResult = Type.Object(
  { index: Type.Integer(), ok: Type.Boolean(), error: orNull(BatchError) },
  { title: 'ProfileBatchResult' },
);
const ProfileBatchRequest = strictObject(
  { profiles: Type.Array(element(ProfileRequest), { description: `До ${MAX_PROFILES} профилей` }) },
  { title: 'ProfileBatchRequest' },
);
const ProfileBatchResponse = Type.Object(
  { results: Type.Array(ProfileBatchResult) },
  { title: 'ProfileBatchResponse' },
);

const writeExample = {
  user: { user_id: 'user-7' },
  gender: 'female',
  age: 34,
  interests: ['трамваи', 'история города'],
  city: 'Санкт-Петербург',
  country: 'RU',
};

export const getProfileOperation = define({
  method: 'get',
  path: '/users/profile',
  operationId: 'getProfile',
  tag: 'users',
  summary: 'Прочитать профиль',
  description:
    'Нужен хотя бы один идентификатор; user_id важнее anonymous_id, тот важнее fingerprint_uuid. Чтение никого не создаёт и не узнаёт. ' +
    'По анонимному идентификатору отдаётся его собственный профиль, а если его нет — профиль учётной записи, с которой он связан.',
  query: strictObject({
    user_id: Type.Optional(userId),
    anonymous_id: Type.Optional(anonymousId),
    fingerprint_uuid: Type.Optional(fingerprintUuid),
  }),
  replies: {
    200: {
      description: 'Профиль',
      schema: StoredProfile,
      example: {
        identity: 'user',
        gender: 'female',
        birth_year: 1992,
        city: 'санкт-петербург',
        country: 'RU',
        interests: ['трамваи', 'история города'],
        excluded_interests: null,
        followed_authors: null,
        hidden_authors: null,
        personalization: true,
        attributes: { plan: 'annual' },
        fields_updated_at: { gender: '2026-11-20T09:00:00.000Z', city: '2026-11-20T09:00:00.000Z' },
      },
    },
  },
  errors: [404],
  async handle({ caller, query }, { pool }) {
    const identifier = identifierOf(endUserOf(query), caller.fingerprints);
    if (!identifier) throw invalidRequest([{ field: 'user_id', code: 'required' }]);
    const found = await findProfile(pool, caller.projectId, identifier);
    if (!found) throw notFound();
    return { status: 200, body: toProfileOutput(found) };
  },
});

export const writeProfileOperation = define({
  method: 'post',
  path: '/users/profile',
  operationId: 'writeProfile',
  tag: 'users',
  summary: 'Изменить переданные поля профиля',
  description:
    'null очищает поле. Без user_id пишется анонимный профиль, даже если устройство связано с учётной записью.',
  body: { schema: ProfileRequest, rules: profileRules, example: writeExample },
  replies: {
    200: {
      description: 'Профиль записан',
      schema: ProfileResponse,
      example: { identity: 'user', updated_fields: ['gender', 'birth_year', 'interests', 'city', 'country'] },
    },
  },
  errors: [413, 422],
  async handle({ caller, body }, { pool }) {
    const now = new Date();
    const [identifier] = requireIdentifiers(body.user, caller.fingerprints);
    const write = writeOf(body, identifier, caller.fingerprints, now);
    const [updatedFields = []] = await writeProfiles(pool, caller.projectId, [write], now);
    return {
      status: 200,
      body: { identity: write.identifier.kind === 'user' ? 'user' : 'anonymous', updated_fields: updatedFields },
    };
  },
});

const faultsOfProfile = createElementValidator(ProfileRequest, profileRules);

export const writeProfilesOperation = define({
  method: 'post',
  path: '/users/profile/batch',
  operationId: 'writeProfiles',
  tag: 'users',
  summary: 'Изменить до 500 профилей',
  description:
    'Профили независимы: ошибка в одном не отменяет остальных. Несколько изменений одного пользователя применяются по порядку.',
  body: {
    schema: ProfileBatchRequest,
    batch: { field: 'profiles', max: MAX_PROFILES },
    example: {
      profiles: [
        writeExample,
        { user: { anonymous_id: 'a-3f1c' }, excluded_interests: ['реклама'], personalization: false },
      ],
    },
  },
  replies: {
    200: {
      description: 'Результаты по порядку запроса',
      schema: ProfileBatchResponse,
      example: {
        results: [
          { index: 0, ok: true, error: null },
          { index: 1, ok: true, error: null },
        ],
      },
    },
  },
  errors: [413, 422],
  async handle({ caller, body }, { pool, validators }) {
    const now = new Date();
    const validated = body.profiles.map((profile) =>
      validate(profile, faultsOfProfile(profile, validators), caller.fingerprints, now),
    );
    await writeProfiles(
      pool,
      caller.projectId,
      validated.flatMap((outcome) => ('write' in outcome ? [outcome.write] : [])),
      now,
    );
    return { status: 200, body: { results: validated.map(resultOf) } };
  },
});

type Validated = { write: ProfileWrite } | { faults: FieldFault[] };

function validate(profile: unknown, faults: FieldFault[], fingerprints: boolean, now: Date): Validated {
  if (faults.length > 0) return { faults };
  // A value without faults has the type of its schema.
  const request = profile as ProfileRequest;
  const identifier = identifierOf(endUserOf(request.user), fingerprints);
  return identifier ? { write: writeOf(request, identifier, fingerprints, now) } : { faults: [NO_IDENTIFIER] };
}

function writeOf(request: ProfileRequest, identifier: Identifier, fingerprints: boolean, now: Date): ProfileWrite {
  return {
    identifier,
    seenOn: fingerprints ? endUserOf(request.user).fingerprint : null,
    change: changeOfProfile(request, now),
  };
}

function resultOf(outcome: Validated, index: number): Static<typeof ProfileBatchResult> {
  return 'faults' in outcome
    ? { index, ok: false, error: batchError(validationFailed(outcome.faults)) }
    : { index, ok: true, error: null };
}

export function toProfileOutput({ owner, profile: { values, updatedAt } }: FoundProfile): Static<typeof StoredProfile> {
  return { identity: owner, ...values, personalization: values.personalization ?? true, fields_updated_at: updatedAt };
}
