import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { contactHashes } from '../../../domain/people/contactHashes.ts';
import { readTagUser } from '../../../domain/people/tagUser.ts';

const KEY = Buffer.alloc(32, 7);

describe('readTagUser', () => {
  // proves: collect-event/user
  it('keeps valid values, with contacts only as hashes', () => {
    const user = readTagUser(
      {
        user_id: 'u-1',
        fingerprint_uuid: '0B9E4C1A-6F2D-4B7E-9A51-3C8D2E7F1A90',
        email: ' Anna@Example.RU ',
        phone: '8 (916) 123-45-67',
        gender: 'female',
        age: 34,
        city: ' Казань ',
        children: [3, 12],
        interests: ['трамваи'],
        params: { plan: 'annual' },
      },
      KEY,
    );
    expect(user).toEqual({
      user_id: 'u-1',
      fingerprint_uuid: '0b9e4c1a-6f2d-4b7e-9a51-3c8d2e7f1a90',
      ...contactHashes(KEY, { email: 'anna@example.ru', phone: '+7 916 123 45 67' }),
      gender: 'female',
      age: 34,
      city: 'Казань',
      children: [3, 12],
      interests: ['трамваи'],
      params: { plan: 'annual' },
    });
    expect(JSON.stringify(user)).not.toMatch(/anna|916/i);
  });

  it.each([
    ['user_id', 7],
    ['user_id', ''],
    // proves: tag-limits/user_id
    ['user_id', 'u'.repeat(192)],
    ['user_id', 'a\0b'],
    ['user_id', '\ud800'],
    ['fingerprint_uuid', 'no-uuid'],
    ['email', 'no address'],
    ['email', 'a@b@c'],
    // proves: tag-limits/email
    ['email', `${'a'.repeat(250)}@b.ru`],
    ['email', 5],
    ['phone', 'call me'],
    ['phone', '12345'],
    // proves: tag-limits/email
    ['phone', '1'.repeat(33)],
    ['phone', 79161234567],
    ['gender', 'other'],
    // proves: tag-limits/age
    ['age', 4],
    // proves: tag-limits/age
    ['age', 101],
    ['age', 30.5],
    ['age', '30'],
    ['city', 1],
    ['city', '   '],
    ['city', 'anna@example.ru'],
    ['interests', ['+7 916 123-45-67', 'anna@example.ru']],
    ['children', 'two'],
    // proves: tag-limits/children
    ['children', [18]],
    // proves: tag-limits/children
    ['children', [-1]],
    ['interests', 'music'],
    ['interests', [1, null]],
    ['params', []],
    ['params', { text: '\0' }],
    ['params', { '\ud800': 1 }],
    ['unknown', 1],
  ])('leaves out %s if it is %.40j, and sends the rest', (field, value) => {
    const right: Record<string, unknown> = { city: 'Омск', gender: 'male' };
    const { [field]: _wrong, ...rest } = right;
    expect(readTagUser({ ...right, [field]: value }, KEY)).toEqual(rest);
  });

  // proves: tag-limits/email, tag-limits/children, tag-limits/interests
  it('truncates lists of too many children or interests, and overlong texts by characters', () => {
    const user = readTagUser(
      { children: [...Array(12).keys(), 30], interests: [...Array(60).fill('а'.repeat(300))], city: '😀'.repeat(130) },
      KEY,
    );
    expect(user.children).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(user.interests).toEqual(Array(50).fill('а'.repeat(200)));
    expect([...(user.city ?? '')]).toHaveLength(128);
  });

  it('keeps interests complete except contacts, however many digits they have, because topics are found later', () => {
    const interests = [
      'фильмы 2023-2024',
      'топ 100 книг 2020-2026',
      'футбол, пишите anna@example.ru',
      `${'ab '.repeat(64)}anna@example.ru`,
      '8 916 555 73 01',
    ];
    expect(readTagUser({ interests }, KEY)).toEqual({
      interests: [...interests.slice(0, 2), 'футбол, пишите', 'ab '.repeat(64).trim()],
    });
  });

  it.each(['anna@example.ru', '8 916 555 73 01'])(
    'leaves out a city with %s, also where the limit cuts it',
    (contact) => {
      expect(readTagUser({ city: `${'ab '.repeat(41)}${contact}` }, KEY)).toEqual({});
    },
  );

  it('treats an empty list of children as an answer', () => {
    expect(readTagUser({ children: [] }, KEY)).toEqual({ children: [] });
  });

  it('removes members of the params that name personal data, at any depth', () => {
    expect(readTagUser({ params: { a: 1, 'E-Mail': 'x', deep: [{ user_passport: 1, b: 'x@y.ru' }] } }, KEY)).toEqual({
      params: { a: 1, deep: [{ b: '[email]' }] },
    });
  });

  it('drops params over 4 KB', () => {
    expect(readTagUser({ params: { text: 'x'.repeat(4096) }, age: 20 }, KEY)).toEqual({ age: 20 });
  });

  it('drops params of any depth without a stack overflow', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 50_000; level += 1) deep = { a: deep };
    expect(readTagUser({ params: deep, age: 20 }, KEY)).toEqual({ age: 20 });
  });

  it('never throws, and its result can be stored', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (value) => {
        expect(JSON.stringify(readTagUser(value, KEY))).not.toContain('\\u0000');
        expect(
          JSON.stringify(
            readTagUser({ user_id: value, email: value, children: value, interests: value, params: value }, KEY),
          ),
        ).not.toContain('\\u0000');
      }),
    );
  });
});
