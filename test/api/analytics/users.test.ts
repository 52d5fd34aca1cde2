import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { PERSONAL_PARAMS } from '../../../api/analytics/personFields.ts';
import { deriveKey } from '../../../domain/accounts/secretKeys.ts';
import { PERSONAL_KEYS } from '../../../domain/privacy/personalKeys.ts';
import { audienceOf } from '../../support/people/sitePeople.ts';
import { startTcpProxy } from '../../support/servers/tcpProxy.ts';
import { stageApi } from '../support/stageApi.ts';
import { clientOf, startTestApi, type Client } from '../support/testApi.ts';
import { createTestSite, type TestSite } from '../support/testSite.ts';

const stage = stageApi();
let site: TestSite;
let call: Client;

beforeEach(async () => {
  site = await createTestSite(stage.database.pool);
  call = clientOf(stage.api.analytics, site.key);
});

const send = (...users: object[]) => call('POST', '/users', { users });
const held = (id: string) => audienceOf(stage.database.pool, site.id, { kind: 'user', id });
const ok = (index: number) => ({ index, ok: true, error: null });

describe('POST /users', () => {
  // proves: people/user, decisions-visitors/interests, decisions-visitors/contacts
  it("stores every field as the user's own value, and none as the site's", async () => {
    const answer = await send({
      user_id: 'u',
      email: 'anna@example.ru',
      phone: '8 916 123-45-67',
      gender: 'female',
      age: 34,
      city: 'Казань',
      children: [3, 12],
      interests: ['футбол', 'Football'],
      params: { plan: 'annual', seats: 2 },
    });
    expect([answer.status, answer.body]).toEqual([202, { results: [ok(0)] }]);
    expect(await held('u')).toEqual({
      gender: ['female/user'],
      age_group: ['25-34/user'],
      geo_person_country: ['RU/user'],
      geo_person_region: ['RU-TA/user'],
      geo_person_city: ['ru-kazan/user'],
      has_children: ['yes/user'],
      children_age: ['3/user', '12/user'],
      interest: ['sport-football*1/user'],
      'visitor_param:plan': ['annual/user'],
      'visitor_param:seats': ['2/user'],
    });
    const { rows } = await stage.database.pool.query(
      'select email_hash as email, phone_hash as phone from site_people where site_id = $1',
      [site.id],
    );
    const key = deriveKey(stage.api.config.secretKey, 'contact-hashes');
    const hashOf = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
    expect(rows).toEqual([{ email: hashOf('email:anna@example.ru'), phone: hashOf('phone:79161234567') }]);
  });

  // proves: analytics-endpoints/users, analytics-limits/users
  it('accepts 500 records and an empty batch; the same user twice counts twice, in order', async () => {
    expect((await send()).body).toEqual({ results: [] });
    const users = Array.from({ length: 498 }, (_, index) => ({ user_id: `u-${index}`, gender: 'male' }));
    const { status, body } = await send(
      ...users,
      { user_id: 'same', gender: 'male', interests: ['music'] },
      { user_id: 'same', gender: 'female', interests: ['music'] },
    );
    expect([status, body.results.length]).toEqual([202, 500]);
    expect(await held('same')).toEqual({ gender: ['female/user'], interest: ['music*2/user'] });
  });

  // proves: analytics-errors/retry-3, analytics-rules/6, decisions-visitors/interests
  it('may be repeated: the values stay the same, and interests get stronger', async () => {
    const users = [
      {
        user_id: 'u',
        gender: 'male',
        age: 20,
        children: [1, 1],
        city: 'Омск',
        params: { a: { b: 1 } },
        interests: ['кино'],
      },
    ];
    await send(...users);
    const once = await held('u');
    await send(...users);
    expect(await held('u')).toEqual({ ...once, interest: ['cinema*2/user'] });
  });

  // proves: analytics-rules/5-pii_not_allowed
  // proves: decisions-analytics/user-pii
  it.each([
    'email',
    'Phone',
    'NAME',
    'first_name',
    'last_name',
    'middle_name',
    'address',
    'birth_date',
    'passport',
    'contact',
    'fio',
    'e-mail',
    'user_email',
    'tel',
    'firstName',
    'anna@x.ru',
  ])('refuses a record whose params have the key %s at any depth, and stores the others', async (key) => {
    const { status, body } = await send(
      { user_id: 'good', gender: 'male' },
      { user_id: 'bad', gender: 'male', params: { list: [{ deep: { [key]: 'x' } }] } },
      { user_id: 'near', params: { [`product_${key.length}`]: 'x', product_name: 'x' } },
    );
    expect(status).toBe(202);
    expect(body.results).toEqual([
      ok(0),
      { index: 1, ok: false, error: { code: 'pii_not_allowed', message: expect.any(String) } },
      ok(2),
    ]);
    expect(await held('good')).toEqual({ gender: ['male/user'] });
    expect(
      (await stage.database.pool.query(`select from site_people where site_id = $1 and person_id = 'bad'`, [site.id]))
        .rowCount,
    ).toBe(0);
  });

  it('lists in its description every key that it refuses, and examples of the parts that it refuses', async () => {
    const { paths } = (await clientOf(stage.api.analytics, null)('GET', '/openapi.json')).body;
    const description: string = paths['/users'].post.description;
    expect(paths['/visitors/attributes'].post.description).toContain(PERSONAL_PARAMS);
    const more = ['dob', 'surname', 'snils', 'телефон', 'familia', 'user_email', 'billingAddress', 'client_tel'];
    const keys = [...PERSONAL_KEYS, ...more, 'product_name'];
    for (const key of keys) expect(description).toContain(key);
    const { body } = await send(...keys.map((key, index) => ({ user_id: `k-${index}`, params: { [key]: 'x' } })));
    expect(body.results.map(({ ok: isStored }: { ok: boolean }) => isStored)).toEqual([
      ...keys.slice(1).map(() => false),
      true,
    ]);
  });

  // proves: decisions-analytics/user-fields
  it.each<[string, string, object]>([
    // proves: analytics-rules/4-users
    ['users[1].user_id', 'required', { user_id: undefined }],
    ['users[1].user_id', 'invalid_type', { user_id: 7 }],
    ['users[1].user_id', 'invalid_value', { user_id: '' }],
    // proves: analytics-ids/user_id
    ['users[1].user_id', 'too_long', { user_id: 'u'.repeat(192) }],
    ['users[1].user_id', 'invalid_value', { user_id: 'a\0' }],
    // proves: analytics-rules/4-users
    ['users[1].email', 'invalid_value', { email: 'nobody' }],
    // proves: analytics-rules/4-users
    ['users[1].email', 'invalid_value', { email: 'a@b@c' }],
    // proves: analytics-rules/4-users
    ['users[1].email', 'too_long', { email: `${'a'.repeat(250)}@b.ru` }],
    // proves: analytics-rules/4-users
    ['users[1].email', 'invalid_type', { email: null }],
    // proves: analytics-rules/7
    ['users[1].phone', 'too_long', { phone: '1'.repeat(65) }],
    ['users[1].phone', 'invalid_type', { phone: 7 }],
    ['users[1].gender', 'invalid_value', { gender: 'other' }],
    ['users[1].age', 'invalid_value', { age: 4 }],
    ['users[1].age', 'invalid_value', { age: 101 }],
    ['users[1].age', 'invalid_type', { age: 30.5 }],
    // proves: analytics-rules/7
    ['users[1].city', 'too_long', { city: 'г'.repeat(201) }],
    ['users[1].children', 'too_long', { children: Array(11).fill(1) }],
    ['users[1].children[0]', 'invalid_value', { children: [18] }],
    ['users[1].children[0]', 'invalid_value', { children: [-1] }],
    ['users[1].interests', 'too_long', { interests: Array(51).fill('a') }],
    ['users[1].interests[0]', 'too_long', { interests: ['a'.repeat(201)] }],
    ['users[1].interests[0]', 'invalid_type', { interests: [1] }],
    ['users[1].params', 'too_long', { params: { a: 'x'.repeat(4096) } }],
    ['users[1].params', 'invalid_type', { params: [] }],
    ['users[1].nickname', 'unknown_field', { nickname: 'x' }],
  ])('answers 422 for the whole request: %s %s', async (field, code, fault) => {
    const answer = await send({ user_id: 'good', gender: 'male' }, { user_id: 'u', ...fault });
    expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([
      422,
      'validation_failed',
      [{ field, code }],
    ]);
    expect(await held('good')).toEqual({});
  });

  // proves: analytics-ids/user_id, analytics-rules/7
  // proves: decisions-analytics/user-fields
  it('accepts values at their limits', async () => {
    const { status, body } = await send(
      {
        user_id: '😀'.repeat(191),
        email: `${'a'.repeat(249)}@b.ru`,
        phone: '1'.repeat(64),
        age: 5,
        city: 'г'.repeat(200),
        children: [0, 17, ...Array(8).fill(3)],
        interests: Array(50).fill('и'.repeat(200)),
        params: { a: 'x'.repeat(4096 - 8) },
      },
      { user_id: 'u', age: 100, children: [], interests: [], params: {} },
    );
    expect([status, body]).toEqual([202, { results: [ok(0), ok(1)] }]);
  });

  // proves: analytics-errors/too_many-batch, analytics-endpoints/users, analytics-limits/users
  it('answers 422 too_many for 501 records', async () => {
    const answer = await send(...Array.from({ length: 501 }, () => ({ user_id: 'u' })));
    expect([answer.status, answer.body.error.details]).toEqual([422, [{ field: 'users', code: 'too_many' }]]);
  });

  // proves: analytics-rules/6
  it('counts each of ten simultaneous batches for the same users', async () => {
    const users = Array.from({ length: 50 }, (_, index) => ({
      user_id: `u-${index}`,
      interests: ['music'],
      gender: 'female',
    }));
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, turn) => send(...(turn % 2 === 0 ? users : users.toReversed()))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202));
    for (const { user_id: id } of users)
      expect(await held(id)).toEqual({ gender: ['female/user'], interest: ['music*10/user'] });
  });

  it('accepts a batch that is stored, even if the keys of its params cannot be recorded for reports', async () => {
    const { pool } = stage.database;
    await pool.query('alter table site_param_keys rename to elsewhere');
    try {
      const { status, body } = await send({ user_id: 'u', interests: ['music'], params: { plan: 'annual' } });
      expect([status, body]).toEqual([202, { results: [ok(0)] }]);
      expect(await held('u')).toEqual({ interest: ['music*1/user'], 'visitor_param:plan': ['annual/user'] });
      const given = { visitors: [{ user_id: 'u', params: { tier: 'gold' } }] };
      expect((await call('POST', '/visitors/attributes', given)).status).toBe(200);
    } finally {
      await pool.query('alter table elsewhere rename to site_param_keys');
    }
  });

  // proves: analytics-rules/5-503
  it('answers 503 if the database stops in the middle of a batch, and stores nothing of the batch', async () => {
    const { pool } = stage.database;
    await pool.query(`create function stop() returns trigger language plpgsql as $$ begin
      if new.person_id = 'second' then raise exception 'stopping' using errcode = '57P01'; end if; return new; end $$;
      create trigger stop before insert on site_people for each row execute function stop()`);
    const users = ['first', 'second', 'third'].map((id) => ({ user_id: id, gender: 'male', interests: ['music'] }));
    try {
      const { status, body, headers } = await send(...users);
      expect([status, body.error.code]).toEqual([503, 'unavailable']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect((await pool.query('select from site_people where site_id = $1', [site.id])).rowCount).toBe(0);
    } finally {
      await pool.query('drop trigger stop on site_people; drop function stop()');
    }
    expect((await send(...users)).status).toBe(202);
    expect(await held('first')).toEqual({ gender: ['male/user'], interest: ['music*1/user'] });
  });

  // proves: analytics-rules/5-503
  it('answers 503 while the database is unavailable, and stores nothing of the batch', async () => {
    const url = new URL(stage.database.url);
    const road = await startTcpProxy(url.host);
    url.host = road.address;
    const away = await startTestApi({ databaseUrl: url.href });
    try {
      const distant = clientOf(away.analytics, site.key);
      expect((await distant('POST', '/users', { users: [{ user_id: 'before' }] })).status).toBe(202);
      road.mode = 'cut';
      road.breakConnections();
      const { status, body, headers } = await distant('POST', '/users', { users: [{ user_id: 'u', gender: 'male' }] });
      expect([status, body.error.code]).toEqual([503, 'unavailable']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    } finally {
      await away.close();
      await road.close();
    }
    expect(await held('u')).toEqual({});
  });
});
