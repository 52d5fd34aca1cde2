/**
 * First links: values of visitors become their users', in a fixed number of statements however many log in at once.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { inTransaction } from '../../../db/pool.ts';
import { applyUserData, type UserDataRecord } from '../../../db/sitePeople/applyTagAndServerData.ts';
import { MAX_INTERESTS } from '../../../db/sitePeople/strengthenInterests.ts';
import type { PersonData } from '../../../domain/people/personData.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addSite, addVisitor, audienceOf, hashOf } from '../../support/people/sitePeople.ts';

let db: TestDatabase;
let site: string;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(async () => {
  await db.drop();
});
beforeEach(async () => {
  site = await addSite(db.pool);
});

const AT = new Date();
const record = (visitorId: string, userId: string | null, data: PersonData = {}): UserDataRecord => ({
  visitorId,
  userId,
  fingerprint: null,
  data,
  source: 'user',
  at: AT,
});
const apply = (records: UserDataRecord[]): Promise<void> =>
  inTransaction(db.pool, (client) => applyUserData(client, site, records));
const user = (id: string) => audienceOf(db.pool, site, { kind: 'user', id });
const addVisitors = (count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => addVisitor(db.pool, site)));

/** Counts the statements for the logins of `count` visitors with values. */
async function statementsOf(count: number): Promise<number> {
  const visitors = await addVisitors(count);
  await apply(visitors.map((id) => record(id, null, { gender: 'male', interests: ['music'], email_hash: hashOf(id) })));
  return inTransaction(db.pool, async (client) => {
    let statements = 0;
    const counting = new Proxy(client, {
      get: (target, key) => {
        if (key === 'query') statements += 1;
        const member: unknown = Reflect.get(target, key);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    }) as pg.PoolClient;
    await applyUserData(
      counting,
      site,
      visitors.map((id) => record(id, `user of ${id}`)),
    );
    return statements;
  });
}

describe('moveToUsers', () => {
  it('uses as many statements for fifty first links as for one', async () => {
    expect(await statementsOf(50)).toBe(await statementsOf(1));
    const { rows } = await db.pool.query<{ kind: string; count: number }>(
      'select kind, count(*)::int from site_people where site_id = $1 group by 1',
      [site],
    );
    expect(rows).toEqual([{ kind: 'user', count: 51 }]);
  });

  it('prefers the first of two visitors that become the same user’s at once, field by field', async () => {
    const [first = '', second = ''] = await addVisitors(2);
    await apply([
      record(first, null, { gender: 'male', interests: ['music', 'кино'], email_hash: hashOf('first@x.ru') }),
      record(second, null, {
        gender: 'female',
        city: 'Омск',
        children: [5, 7],
        interests: ['music'],
        email_hash: hashOf('second@x.ru'),
        phone_hash: hashOf('phone@x.ru'),
      }),
    ]);
    await apply([record(first, 'u'), record(second, 'u')]);
    expect(await user('u')).toMatchObject({
      gender: ['male/user'],
      geo_person_city: ['ru-omsk/user'],
      children_age: ['5/user', '7/user'],
      interest: ['cinema*1/user', 'music*2/user'],
    });
    const { rows } = await db.pool.query(
      'select kind, person_id, email_hash, phone_hash from site_people where site_id = $1',
      [site],
    );
    expect(rows).toEqual([
      {
        kind: 'user',
        person_id: 'u',
        email_hash: Buffer.from(hashOf('first@x.ru'), 'base64url'),
        phone_hash: Buffer.from(hashOf('phone@x.ru'), 'base64url'),
      },
    ]);
  });

  it('gives each of several users the values of their own visitor', async () => {
    const [first = '', second = ''] = await addVisitors(2);
    await apply([record(first, null, { gender: 'male' }), record(second, null, { gender: 'female' })]);
    await apply([record(second, 'two'), record(first, 'one')]);
    expect([await user('one'), await user('two')]).toEqual([{ gender: ['male/user'] }, { gender: ['female/user'] }]);
  });

  it(`leaves a user at most ${MAX_INTERESTS} interests, the strongest`, async () => {
    const [first = '', second = ''] = await addVisitors(2);
    const tell = (id: string, word: string, count: number): Promise<void> =>
      apply([record(id, null, { interests: Array.from({ length: count }, (_, n) => `${word} ${'я'.repeat(n + 1)}`) })]);
    await tell(first, 'верное', 1);
    await tell(first, 'верное', 1);
    await tell(first, 'первое', 150);
    await tell(second, 'второе', 150);
    await apply([record(first, 'u'), record(second, 'u')]);
    const { interest = [] } = await user('u');
    expect(interest).toHaveLength(MAX_INTERESTS);
    expect(interest[0]).toBe('верное я*2/user');
  });
});
