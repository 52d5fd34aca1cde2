/** POST /users. */
import Type from 'typebox';
import { readNow } from '../../db/clock.ts';
import { storeUserData } from '../../db/sitePeople/storeServerData.ts';
import type { UserDataRecord } from '../../domain/people/personData.ts';
import { contactHashes } from '../../domain/people/contactHashes.ts';
import { hasPersonalKey, withoutPersonalParams } from '../../domain/privacy/removePersonalParams.ts';
import { strictObject, type Static } from '../../domain/schemas/schema.ts';
import { define, logLostKeys, userId } from './analyticsOperation.ts';
import {
  age,
  children,
  CITY_NAME,
  city,
  email,
  gender,
  interests,
  params,
  PERSONAL_PARAMS,
  phone,
} from './personFields.ts';
import { recordError, recordErrorOf } from './recordError.ts';

const MAX_USERS = 500;

const UserIn = strictObject(
  {
    user_id: userId,
    email: Type.Optional(email),
    phone: Type.Optional(phone),
    gender: Type.Optional(gender),
    age: Type.Optional(age),
    city: Type.Optional(city(CITY_NAME)),
    children: Type.Optional(children),
    interests: Type.Optional(interests),
    params: Type.Optional(params),
  },
  {
    title: 'UserIn',
    description:
      'A field that is sent replaces its earlier value; other fields stay. Interests are added, and grow stronger when they are sent again',
  },
);

const UserResult = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'Position of the record in the batch, from 0' }),
    ok: Type.Boolean(),
    error: recordErrorOf(['pii_not_allowed']),
  },
  { title: 'UserResult' },
);

export const postUsers = define({
  method: 'post',
  path: '/users',
  operationId: 'postUsers',
  tag: 'users',
  summary: 'Send what the site knows about its users',
  description: `Up to 500 records. A malformed record rejects the whole request. A record whose params have a personal-data key at any depth is not stored: pii_not_allowed. ${PERSONAL_PARAMS} A batch may be sent again.`,
  body: {
    schema: strictObject({ users: Type.Array(UserIn, { maxItems: MAX_USERS }) }, { title: 'UsersRequest' }),
    batch: { field: 'users', max: MAX_USERS },
    example: {
      users: [
        {
          user_id: 'user-7',
          email: 'anna@example.com',
          phone: '+7 916 123-45-67',
          gender: 'female',
          age: 34,
          city: 'Казань',
          children: [3, 12],
          interests: ['футбол', 'travel'],
          params: { plan: 'annual' },
        },
        { user_id: 'user-8', params: { passport: '0000 000000' } },
      ],
    },
  },
  replies: {
    202: {
      description: 'Results in the order of the request',
      schema: Type.Object({ results: Type.Array(UserResult) }, { title: 'UsersResponse' }),
      example: {
        results: [
          { index: 0, ok: true, error: null },
          { index: 1, ok: false, error: recordError('pii_not_allowed') },
        ],
      },
    },
  },
  errors: [413, 422],
  async handle({ caller, body, requestId }, { pool, contactKey, logger }) {
    // Values are replaced in the order of their times, whichever process received them.
    const at = await readNow(pool);
    const isRefused = body.users.map((user) => hasPersonalKey(user.params));
    await storeUserData(
      pool,
      caller.siteId,
      body.users.filter((_, index) => !isRefused[index]).map((user) => recordOf(user, contactKey, at)),
      logLostKeys(logger, requestId),
    );
    return {
      status: 202,
      body: {
        results: isRefused.map((refused, index) => ({
          index,
          ok: !refused,
          error: refused ? recordError('pii_not_allowed') : null,
        })),
      },
    };
  },
});

function recordOf(
  { user_id: id, email, phone, params: given, ...plain }: Static<typeof UserIn>,
  contactKey: Buffer,
  at: Date,
): UserDataRecord {
  const hashes = contactHashes(contactKey, { email: email ?? null, phone: phone ?? null });
  const data = { ...plain, ...hashes, ...(given && { params: withoutPersonalParams(given) }) };
  return { visitorId: null, userId: id, fingerprint: null, data, source: 'user', at };
}
