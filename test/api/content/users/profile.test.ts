import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateProject } from '../../../../db/accounts/projects.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import {
  clientOf,
  createTestProject,
  startTestApi,
  type Answer,
  type Client,
  type TestApi,
  type TestProject,
} from '../../support/testApi.ts';

const FINGERPRINT = '0D9F2B4E-1111-4222-8333-444455556666';
const YEAR = new Date().getUTCFullYear();

let database: TestDatabase;
let api: TestApi;
let project: TestProject;
let call: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  project = await createTestProject(database.pool);
  call = clientOf(api.content, project.key);
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});

const write = (body: object): Promise<Answer> => call('POST', '/users/profile', body);
const read = (query: string): Promise<Answer> => call('GET', `/users/profile?${query}`);
const detailsOf = ({ body }: Answer): { field: string; code: string }[] =>
  body.error.details.map(({ field, code }: { field: string; code: string }) => ({ field, code }));
const countIdentities = async (): Promise<number> =>
  (
    await database.pool.query<{ n: number }>('select count(*)::int as n from identities where project_id = $1', [
      project.id,
    ])
  ).rows[0]?.n ?? -1;

const FULL = {
  gender: 'female',
  birth_year: 1990,
  interests: ['Трамваи', '東京', '🚋'],
  excluded_interests: ['реклама'],
  followed_authors: ['a-1'],
  hidden_authors: ['a-2'],
  city: 'Москва',
  country: 'Россия',
  personalization: false,
  attributes: { plan: 'annual', nested: { list: [1, { deep: null }] } },
};
const ALL_FIELDS = [
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
];

describe('POST /users/profile', () => {
  // proves: service/3, profile/ProfileResponse, profile/StoredProfile, users/profile-post
  it('stores what is sent and names the changed fields in documented order', async () => {
    const before = new Date().toISOString();
    expect(await write({ user: { user_id: 'full' }, ...FULL })).toMatchObject({
      status: 200,
      body: { identity: 'user', updated_fields: ALL_FIELDS },
    });
    const { body } = await read('user_id=full');
    expect(body).toMatchObject({ identity: 'user', ...FULL, city: 'москва' });
    expect(Object.keys(body.fields_updated_at).sort()).toEqual([...ALL_FIELDS].sort());
    for (const time of Object.values<string>(body.fields_updated_at))
      expect(time >= before && time <= new Date().toISOString()).toBe(true);
  });

  it('changes nothing if it is repeated, whatever the order of the attributes', async () => {
    await write({ user: { user_id: 'again' }, ...FULL });
    const before = await read('user_id=again');
    const again = await write({
      user: { user_id: 'again' },
      ...FULL,
      city: '  МОСКВА ',
      attributes: { nested: { list: [1, { deep: null }] }, plan: 'annual' },
    });
    expect(again.body.updated_fields).toEqual([]);
    expect((await read('user_id=again')).body).toEqual(before.body);
  });

  // proves: profile/write
  it('leaves unsent fields, clears null ones, and updates the time of changed ones only', async () => {
    const user = { user_id: 'partly' };
    await write({ user, ...FULL });
    const before = (await read('user_id=partly')).body;
    expect(
      (await write({ user, gender: null, country: 'Россия', interests: ['Трамваи'] })).body.updated_fields,
    ).toEqual(['gender', 'interests']);
    const after = (await read('user_id=partly')).body;
    expect(after).toMatchObject({ ...FULL, city: 'москва', gender: null, interests: ['Трамваи'] });
    const { gender, interests, ...rest } = after.fields_updated_at;
    const { gender: genderBefore, interests: interestsBefore, ...restBefore } = before.fields_updated_at;
    expect(rest).toEqual(restBefore);
    expect(gender >= genderBefore && interests >= interestsBefore).toBe(true);
  });

  // proves: profile/write, profile/gender, profile/birth_year, profile/interests, profile/excluded_interests
  // proves: profile/followed_authors, profile/hidden_authors, profile/city, profile/country, profile/attributes
  it('clears every field that is null', async () => {
    const user = { user_id: 'cleared', anonymous_id: null, fingerprint_uuid: null };
    const nulls = Object.fromEntries(ALL_FIELDS.map((field) => [field, null]));
    await write({ user, ...FULL });
    expect((await write({ user, ...nulls, age: null })).body.updated_fields).toEqual(ALL_FIELDS);
    const { body } = await read('user_id=cleared');
    expect(body).toMatchObject({ ...nulls, personalization: true });
    expect(Object.keys(body.fields_updated_at).sort()).toEqual([...ALL_FIELDS].sort());
  });

  // proves: profile/ProfileResponse
  it('treats nulls in a first write as no change', async () => {
    expect(
      (await write({ user: { user_id: 'silent' }, gender: null, age: null, interests: null, personalization: null }))
        .body,
    ).toEqual({ identity: 'user', updated_fields: [] });
    expect((await read('user_id=silent')).body).toEqual({
      identity: 'user',
      gender: null,
      birth_year: null,
      city: null,
      country: null,
      interests: null,
      excluded_interests: null,
      followed_authors: null,
      hidden_authors: null,
      personalization: true,
      attributes: null,
      fields_updated_at: {},
    });
  });

  // proves: profile/age
  it.each([
    [{ age: 34 }, YEAR - 34],
    [{ age: 0 }, YEAR],
    [{ age: 120 }, YEAR - 120],
    [{ birth_year: 1900 }, 1900],
    [{ birth_year: YEAR }, YEAR],
    [{ age: 20, birth_year: 1980 }, YEAR - 20],
    [{ age: null, birth_year: 1980 }, 1980],
    [{ age: null }, null],
    [{ birth_year: null, age: 40 }, YEAR - 40],
  ])('turns %j into the birth year %p', async (sent, year) => {
    const user = { user_id: 'year' };
    await write({ user, birth_year: 1955 });
    expect((await write({ user, ...sent })).body.updated_fields).toEqual(['birth_year']);
    expect((await read('user_id=year')).body.birth_year).toBe(year);
  });

  // proves: profile/city
  it.each([
    ['  Нижний \t\u00A0 НОВГОРОД ', 'нижний новгород'],
    ['ΑΘΉΝΑ', 'αθήνα'],
    ['   ', null],
    ['', null],
  ])('stores the city %j as %j', async (city, stored) => {
    await write({ user: { user_id: 'city' }, city: 'прежний' });
    await write({ user: { user_id: 'city' }, city });
    expect((await read('user_id=city')).body.city).toBe(stored);
  });

  // proves: profile/country
  it('stores a country as it is given', async () => {
    await write({ user: { user_id: 'country' }, country: ' РФ ' });
    expect((await read('user_id=country')).body.country).toBe(' РФ ');
  });

  // proves: profile/personalization
  it('turns personalization on again if it is set to null', async () => {
    const user = { user_id: 'personal' };
    expect((await write({ user, personalization: false })).body.updated_fields).toEqual(['personalization']);
    expect((await read('user_id=personal')).body.personalization).toBe(false);
    expect((await write({ user, personalization: null })).body.updated_fields).toEqual(['personalization']);
    expect((await read('user_id=personal')).body.personalization).toBe(true);
  });

  it.each([
    // proves: profile/interests
    [{ interests: Array.from({ length: 50 }, () => '語'.repeat(200)) }],
    // proves: profile/excluded_interests
    [{ excluded_interests: Array.from({ length: 50 }, () => '語'.repeat(200)) }],
    // proves: profile/followed_authors
    [{ followed_authors: Array.from({ length: 500 }, () => '語'.repeat(191)) }],
    // proves: profile/hidden_authors
    [{ hidden_authors: Array.from({ length: 500 }, () => '語'.repeat(191)) }],
    // proves: profile/city
    [{ city: '語'.repeat(100) }],
    // proves: profile/country
    [{ country: '語'.repeat(100) }],
    // proves: profile/attributes
    [{ attributes: { text: 'x'.repeat(16 * 1024 - '{"text":""}'.length) } }],
    [{ attributes: {} }],
    [{ interests: [] }],
    [{ attributes: { emails: 1, my_name: 2, 'first-name': 3, phones: ['email'], address_line: 'name' } }],
  ])('accepts values at the limits, empty values and harmless attribute names (case %#)', async (fields) => {
    const user = { user_id: 'limit' };
    expect(await write({ user, ...fields })).toMatchObject({ status: 200 });
    expect((await read('user_id=limit')).body).toMatchObject(fields);
  });

  // proves: users/profile-post
  it.each<[object, string, string]>([
    // proves: profile/gender
    [{ gender: 'other' }, 'gender', 'invalid_value'],
    // proves: profile/gender
    [{ gender: 1 }, 'gender', 'invalid_type'],
    // proves: profile/birth_year
    [{ birth_year: 1899 }, 'birth_year', 'invalid_value'],
    // proves: profile/birth_year
    [{ birth_year: YEAR + 1 }, 'birth_year', 'invalid_value'],
    // proves: profile/birth_year, decisions-faults/fraction
    [{ birth_year: 1990.5 }, 'birth_year', 'invalid_type'],
    // proves: profile/age
    [{ age: -1 }, 'age', 'invalid_value'],
    // proves: profile/age
    [{ age: 121 }, 'age', 'invalid_value'],
    // proves: profile/age
    [{ age: '30' }, 'age', 'invalid_type'],
    // proves: profile/interests, limits/interests, decisions-faults/long-array
    [{ interests: Array.from({ length: 51 }, () => 'a') }, 'interests', 'too_long'],
    [{ interests: ['a', 'я'.repeat(201)] }, 'interests[1]', 'too_long'],
    // proves: profile/excluded_interests
    [{ excluded_interests: Array.from({ length: 51 }, () => 'a') }, 'excluded_interests', 'too_long'],
    [{ interests: [null] }, 'interests[0]', 'invalid_type'],
    // proves: profile/followed_authors, limits/authors
    [{ followed_authors: Array.from({ length: 501 }, () => 'a') }, 'followed_authors', 'too_long'],
    // proves: profile/hidden_authors, limits/authors
    [{ hidden_authors: ['a'.repeat(192)] }, 'hidden_authors[0]', 'too_long'],
    // proves: profile/hidden_authors, limits/authors
    [{ hidden_authors: Array.from({ length: 501 }, () => 'a') }, 'hidden_authors', 'too_long'],
    // proves: profile/city
    [{ city: 'a'.repeat(101) }, 'city', 'too_long'],
    // proves: profile/country
    [{ country: 7 }, 'country', 'invalid_type'],
    // proves: profile/country
    [{ country: 'a'.repeat(101) }, 'country', 'too_long'],
    // proves: profile/personalization
    [{ personalization: 'no' }, 'personalization', 'invalid_type'],
    // proves: profile/attributes
    [{ attributes: [] }, 'attributes', 'invalid_type'],
    // proves: profile/attributes, limits/properties
    [{ attributes: { text: 'x'.repeat(16 * 1024 - '{"text":""}'.length + 1) } }, 'attributes', 'too_long'],
    [{ attributes: { a: 'b\0' } }, 'attributes.a', 'invalid_value'],
    // proves: service/6, users/rule-3
    [{ nickname: 'x' }, 'nickname', 'unknown_field'],
  ])('refuses a wrong value (case %#)', async (fields, field, code) => {
    const answer = await write({ user: { user_id: 'refused' }, ...fields });
    expect(answer.status).toBe(422);
    expect(detailsOf(answer)).toEqual([{ field, code }]);
  });

  // proves: person/at-least-one, profile/user
  it.each<[unknown, string, string]>([
    [undefined, 'user', 'required'],
    [{}, 'user', 'invalid_value'],
    [{ user_id: null }, 'user', 'invalid_value'],
    // proves: person/user_id, decisions-faults/paths
    [{ user_id: '' }, 'user.user_id', 'invalid_value'],
    // proves: person/user_id, limits/user_id
    [{ user_id: 'я'.repeat(192) }, 'user.user_id', 'too_long'],
    // proves: person/anonymous_id, limits/anonymous_id
    [{ anonymous_id: 'я' }, 'user.anonymous_id', 'invalid_value'],
    // proves: person/anonymous_id, limits/anonymous_id
    [{ anonymous_id: 'a'.repeat(192) }, 'user.anonymous_id', 'too_long'],
    // proves: person/fingerprint_uuid
    [{ fingerprint_uuid: 'x' }, 'user.fingerprint_uuid', 'invalid_value'],
    [{ fingerprint_uuid: FINGERPRINT }, 'user', 'invalid_value'],
    [{ email: 'a@b' }, 'user.email', 'unknown_field'],
  ])('refuses a wrong user (case %#)', async (user, field, code) => {
    const answer = await write({ user, gender: 'male' });
    expect(answer.status).toBe(422);
    expect(detailsOf(answer)).toEqual([{ field, code }]);
  });

  it.each([
    // proves: profile/attributes
    'email',
    // proves: profile/attributes
    'phone',
    'name',
    // proves: profile/attributes
    'first_name',
    // proves: profile/attributes
    'last_name',
    // proves: profile/attributes
    'middle_name',
    // proves: profile/attributes
    'address',
    // proves: profile/attributes
    'birth_date',
    // proves: profile/attributes
    'passport',
    'EMAIL',
    'First_Name',
  ])('refuses the attribute %s at any depth', async (key) => {
    const answer = await write({
      user: { user_id: 'pii' },
      attributes: { [key]: 1, a: { b: [{ c: 1 }, [{ [key]: { x: 1 } }]] }, '0': { [key]: null } },
    });
    expect(answer.status).toBe(422);
    expect(new Set(detailsOf(answer).map(({ field, code }) => `${field} ${code}`))).toEqual(
      new Set([
        `attributes.${key} pii_not_allowed`,
        `attributes.a.b[1][0].${key} pii_not_allowed`,
        `attributes.0.${key} pii_not_allowed`,
      ]),
    );
    expect(await read('user_id=pii')).toMatchObject({ status: 404 });
  });

  it('refuses personal data down to the maximum depth, and everything that is nested deeper', async () => {
    const nest = (levels: number, inner: unknown): unknown => (levels === 0 ? inner : { a: nest(levels - 1, inner) });
    expect(
      (await write({ user: { user_id: 'deep' }, attributes: nest(61, { email: 1 }) })).body.error.details[0].code,
    ).toBe('pii_not_allowed');
    expect(
      (await write({ user: { user_id: 'deep' }, attributes: nest(500, { email: 1 }) })).body.error.details[0],
    ).toMatchObject({ field: 'attributes', code: 'invalid_value' });
  });

  it('reports at most 101 faults of a body full of personal data', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, { email: n }]));
    const answer = await write({ user: { user_id: 'many' }, attributes });
    expect(answer.status).toBe(422);
    expect(answer.body.error.details.length).toBeLessThanOrEqual(101);
  });

  it('keeps every one of many simultaneous changes', async () => {
    const user = { user_id: 'at-once' };
    const fields = [
      { gender: 'male' },
      { birth_year: 1970 },
      { city: 'Омск' },
      { country: 'RU' },
      { interests: ['a'] },
      { followed_authors: ['b'] },
      { personalization: false },
      { attributes: { c: 1 } },
    ];
    const answers = await Promise.all([...fields, ...fields].map((field) => write({ user, ...field })));
    expect(answers.flatMap(({ body }) => body.updated_fields).sort()).toEqual([
      'attributes',
      'birth_year',
      'city',
      'country',
      'followed_authors',
      'gender',
      'interests',
      'personalization',
    ]);
    expect((await read('user_id=at-once')).body).toMatchObject({ ...Object.assign({}, ...fields), city: 'омск' });
  });

  it('keeps projects apart', async () => {
    const other = await createTestProject(database.pool);
    const callOther = clientOf(api.content, other.key);
    await write({ user: { user_id: 'tenant' }, city: 'Мой' });
    expect(await callOther('GET', '/users/profile?user_id=tenant')).toMatchObject({ status: 404 });
    expect(
      (await callOther('POST', '/users/profile', { user: { user_id: 'tenant' }, city: 'Чужой' })).body.updated_fields,
    ).toEqual(['city']);
    expect((await read('user_id=tenant')).body.city).toBe('мой');
  });
});

describe('anonymous profiles', () => {
  // proves: profile/user
  it("take precedence over the profile of the device's user", async () => {
    await write({ user: { anonymous_id: 'device-1' }, city: 'Аноним', personalization: false });
    expect((await read('anonymous_id=device-1')).body).toMatchObject({ identity: 'anonymous', city: 'аноним' });
    await write({ user: { user_id: 'owner' }, city: 'Дом' });
    await call('POST', '/users/link', { user_id: 'owner', anonymous_id: 'device-1' });
    expect((await read('anonymous_id=device-1')).body).toMatchObject({
      identity: 'user',
      city: 'дом',
      personalization: false,
    });
    expect((await write({ user: { anonymous_id: 'device-1' }, city: 'Снова' })).body).toEqual({
      identity: 'anonymous',
      updated_fields: ['city'],
    });
    expect((await read('anonymous_id=device-1')).body).toMatchObject({ identity: 'anonymous', city: 'снова' });
    expect((await read('user_id=owner&anonymous_id=device-1')).body).toMatchObject({ identity: 'user', city: 'дом' });
  });

  it('are neither written nor read if a user_id is sent as well', async () => {
    await write({ user: { user_id: 'decides', anonymous_id: 'device-2' }, city: 'Учётная' });
    expect((await read('user_id=decides')).body.city).toBe('учётная');
    expect(await read('anonymous_id=device-2')).toMatchObject({ status: 404 });
    expect(await read('user_id=nobody&anonymous_id=device-1')).toMatchObject({ status: 404 });
  });

  // proves: users/rule-2
  it('may belong to a fingerprint if the project uses them, and a fingerprint leads to a user only once they are linked', async () => {
    const other = await createTestProject(database.pool);
    await updateProject(database.pool, other.id, { fingerprints: true });
    const callOther = clientOf(api.content, other.key);
    const readIt = () => callOther('GET', `/users/profile?fingerprint_uuid=${FINGERPRINT}`);
    expect(
      await callOther('POST', '/users/profile', {
        user: { user_id: 'seen', fingerprint_uuid: FINGERPRINT },
        city: 'Дом',
      }),
    ).toMatchObject({ status: 200 });
    expect(await readIt()).toMatchObject({ status: 404 });
    expect(
      (
        await callOther('POST', '/users/profile', {
          user: { fingerprint_uuid: FINGERPRINT.toLowerCase() },
          city: 'Улица',
        })
      ).body.identity,
    ).toBe('anonymous');
    expect((await readIt()).body).toMatchObject({ identity: 'anonymous', city: 'улица' });
    expect((await callOther('POST', '/users/link', { user_id: 'seen', fingerprint_uuid: FINGERPRINT })).body).toEqual({
      merged: true,
      events_moved: 0,
    });
    expect((await readIt()).body).toMatchObject({ identity: 'user', city: 'дом' });
  });
});

describe('GET /users/profile', () => {
  // proves: users/profile-get, users/rule-2
  it('does not create a person', async () => {
    const before = await countIdentities();
    expect(await read('user_id=unknown')).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    expect(await read('anonymous_id=unknown')).toMatchObject({ status: 404 });
    expect(await countIdentities()).toBe(before);
  });

  // proves: users/profile-get
  it.each([
    '',
    'user_id=',
    `user_id=${'a'.repeat(192)}`,
    'anonymous_id=%D1%8F',
    'fingerprint_uuid=1',
    `fingerprint_uuid=${FINGERPRINT}`,
    'user_id=a&user_id=b',
    'user_id=%00',
  ])('answers 400 to a wrong query (case %#)', async (query) => {
    expect(await read(query)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  });

  // proves: person/user_id
  it('accepts any characters in a user_id', async () => {
    const id = '😀 /?&=+ "quoted" Ё';
    await write({ user: { user_id: id }, gender: 'male' });
    expect((await read(`user_id=${encodeURIComponent(id)}`)).body).toMatchObject({ gender: 'male' });
  });
});
