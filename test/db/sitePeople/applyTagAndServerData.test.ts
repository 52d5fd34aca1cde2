import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction } from '../../../db/pool.ts';
import { applyUserData, type UserDataRecord } from '../../../db/sitePeople/applyTagAndServerData.ts';
import { MAX_INTERESTS } from '../../../db/sitePeople/strengthenInterests.ts';
import type { PersonData } from '../../../domain/people/personData.ts';
import { StaleLookupError } from '../../../db/staleLookups.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addSite, addVisitor, audienceOf, hashOf, linkOf } from '../../support/people/sitePeople.ts';

let db: TestDatabase;
let site: string;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(async () => {
  await db.drop();
});
beforeEach(async () => {
  site = await addSite(db.pool, { fingerprints: true });
});

const NOW = Date.now();
const MINUTE = 60_000;

function record(
  who: { visitorId?: string; userId?: string; fingerprint?: string },
  data: PersonData = {},
  more: Partial<UserDataRecord> = {},
): UserDataRecord {
  return { visitorId: null, userId: null, fingerprint: null, ...who, data, source: 'user', at: new Date(NOW), ...more };
}

function apply(...records: UserDataRecord[]): Promise<void> {
  return inTransaction(db.pool, (client) => applyUserData(client, site, records));
}

const user = (id: string) => audienceOf(db.pool, site, { kind: 'user', id });
const visitor = (id: string) => audienceOf(db.pool, site, { kind: 'visitor', id });

describe('applyUserData', () => {
  // proves: report/audience-stored
  it('stores every field under the names of the report dimensions', async () => {
    await apply(
      record(
        { userId: 'u' },
        {
          gender: 'female',
          age: 34,
          city: 'Казань',
          children: [12, 3, 3],
          interests: ['футболом', 'вязание крючком', 'нечто неслыханное'],
          params: { plan: 'annual', seats: 3, deep: { a: [1] }, none: null },
          company: { type: 'small_company', industry: 'it', region: 'RU-TA' },
          purchase_categories: ['books', 'toys', 'books'],
          price_segment: 'premium',
        },
      ),
    );
    expect(await user('u')).toEqual({
      gender: ['female/user'],
      age_group: ['25-34/user'],
      geo_person_country: ['RU/user'],
      geo_person_region: ['RU-TA/user'],
      geo_person_city: ['ru-kazan/user'],
      has_children: ['yes/user'],
      children_age: ['3/user', '3/user', '12/user'],
      company_type: ['small_company/user'],
      industry: ['it/user'],
      company_region: ['RU-TA/user'],
      purchase_category: ['books/user', 'toys/user'],
      price_segment: ['premium/user'],
      'visitor_param:plan': ['annual/user'],
      'visitor_param:seats': ['3/user'],
      'visitor_param:deep': ['{"a": [1]}/user'],
      interest: ['hobbies-handmade*1/user', 'sport-football*1/user', 'нечто неслыханное*1/user'],
    });
  });

  it('replaces the whole of a field that is sent again, and keeps the others', async () => {
    await apply(
      record({ userId: 'u' }, { children: [5, 7], params: { a: 1, b: 2 }, gender: 'male', geo: { city: 'ru-kazan' } }),
    );
    await apply(record({ userId: 'u' }, { children: [], params: { b: 3 }, geo: { country: 'DE' } }));
    expect(await user('u')).toEqual({
      has_children: ['no/user'],
      'visitor_param:b': ['3/user'],
      gender: ['male/user'],
      geo_person_country: ['DE/user'],
    });
  });

  it('strengthens interests with each record, and changes nothing else when a batch is repeated', async () => {
    const batch = [
      record(
        { userId: 'u' },
        { gender: 'male', age: 40, interests: ['Футбол', 'football', 'музыка'], params: { a: 1 } },
      ),
      record({ userId: 'u' }, { interests: ['music'] }),
    ];
    await apply(...batch);
    const once = await user('u');
    expect(once['interest']).toEqual(['music*2/user', 'sport-football*1/user']);
    await apply(...batch);
    expect(await user('u')).toEqual({ ...once, interest: ['music*4/user', 'sport-football*2/user'] });
  });

  it('keeps the latest values, in whatever order they arrive', async () => {
    await apply(record({ userId: 'u' }, { gender: 'male', price_segment: 'middle' }, { at: new Date(NOW) }));
    await apply(record({ userId: 'u' }, { gender: 'female', city: 'Омск' }, { at: new Date(NOW - MINUTE) }));
    await apply(
      record({ userId: 'u' }, { price_segment: 'premium' }, { at: new Date(NOW + MINUTE) }),
      record({ userId: 'u' }, { price_segment: 'economy' }, { at: new Date(NOW) }),
    );
    expect(await user('u')).toMatchObject({
      gender: ['male/user'],
      geo_person_city: ['ru-omsk/user'],
      price_segment: ['premium/user'],
    });
  });

  it("prefers the user's values to the site's, field by field", async () => {
    await apply(
      record(
        { userId: 'u' },
        {
          gender: 'male',
          geo: { city: 'ru-omsk' },
          purchase_categories: ['books'],
          interests: ['music'],
          params: { a: 'site', b: 'site' },
          children: [1, 2],
        },
        { source: 'site' },
      ),
      record(
        { userId: 'u' },
        {
          gender: 'female',
          geo: { country: 'DE' },
          purchase_categories: ['toys'],
          interests: ['music', 'cinema'],
          params: { a: 'user' },
        },
      ),
    );
    expect(await user('u')).toEqual({
      gender: ['female/user'],
      geo_person_country: ['DE/user'],
      purchase_category: ['books/site', 'toys/user'],
      interest: ['cinema*1/user', 'music*1/user'],
      'visitor_param:a': ['user/user'],
      'visitor_param:b': ['site/site'],
      has_children: ['yes/site'],
      children_age: ['1/site', '2/site'],
    });
  });

  it('keeps no text that looks like an address or a number', async () => {
    await apply(
      record({ userId: 'u' }, { city: 'Ленина 5, кв 1234', interests: ['anna@example.ru', '+7 916 123-45-67'] }),
    );
    expect(await user('u')).toEqual({});
  });

  it(`keeps at most ${MAX_INTERESTS} interests of a person: topics first, then the stronger texts`, async () => {
    await apply(
      record({ userId: 'u' }, { interests: ['music'] }),
      record({ userId: 'u' }, { interests: ['верное слово'] }),
      record({ userId: 'u' }, { interests: ['верное слово'] }),
    );
    for (let batch = 0; batch < 5; batch += 1)
      await apply(
        record(
          { userId: 'u' },
          {
            interests: Array.from(
              { length: 50 },
              (_, index) => `слово ${'абвгд'[batch]} ${String.fromCodePoint(0x4e00 + index)}`,
            ),
          },
        ),
      );
    const { interest = [] } = await user('u');
    expect(interest).toHaveLength(MAX_INTERESTS);
    expect(interest).toEqual(expect.arrayContaining(['music*1/user', 'верное слово*2/user']));
  });

  it('stores a user whom a server names without any values', async () => {
    await apply(record({ userId: 'u' }));
    expect((await db.pool.query('select person_id from site_people where site_id = $1', [site])).rows).toEqual([
      { person_id: 'u' },
    ]);
  });
});

describe('links', () => {
  it('move an anonymous visitor’s values to its first user where the user has none; interests add up', async () => {
    const id = await addVisitor(db.pool, site);
    await apply(record({ userId: 'u' }, { gender: 'female', interests: ['music'] }));
    await apply(
      record(
        { visitorId: id },
        { gender: 'male', city: 'Омск', interests: ['music', 'кино'], email_hash: hashOf('a@b.ru') },
      ),
    );
    expect(await visitor(id)).toMatchObject({ gender: ['male/user'] });
    await apply(record({ visitorId: id.toUpperCase(), userId: 'u' }));
    expect(await linkOf(db.pool, site, id)).toBe('u');
    expect(await user('u')).toMatchObject({
      gender: ['female/user'],
      geo_person_city: ['ru-omsk/user'],
      interest: ['cinema*1/user', 'music*2/user'],
    });
    expect(await visitor(id)).toEqual({});
    expect(
      (
        await db.pool.query(`select kind, email_hash is not null as "hasEmail" from site_people where site_id = $1`, [
          site,
        ])
      ).rows,
    ).toEqual([{ kind: 'user', hasEmail: true }]);
  });

  // proves: analytics-ids/user_id
  it('connect a visitor to whoever logs in last; the first user keeps their values', async () => {
    const id = await addVisitor(db.pool, site);
    await apply(record({ visitorId: id, userId: 'one' }, { gender: 'male' }));
    await apply(record({ visitorId: id }, { city: 'Омск' }));
    await apply(record({ visitorId: id, userId: 'two' }));
    await apply(record({ visitorId: id }, { gender: 'female' }));
    expect(await linkOf(db.pool, site, id)).toBe('two');
    expect(await user('one')).toMatchObject({ gender: ['male/user'], geo_person_city: ['ru-omsk/user'] });
    expect(await user('two')).toEqual({ gender: ['female/user'] });
  });

  it('are applied within one batch, in the order of the records', async () => {
    const id = await addVisitor(db.pool, site);
    await apply(
      record({ visitorId: id }, { gender: 'male' }),
      record({ visitorId: id, userId: 'one' }),
      record({ visitorId: id }, { city: 'Омск' }),
      record({ visitorId: id, userId: 'two' }),
      record({ visitorId: id }, { price_segment: 'middle' }),
    );
    expect(await linkOf(db.pool, site, id)).toBe('two');
    expect(await user('one')).toMatchObject({ gender: ['male/user'], geo_person_city: ['ru-omsk/user'] });
    expect(await user('two')).toEqual({ price_segment: ['middle/user'] });
    expect(await visitor(id)).toEqual({});
  });

  it('drop the data of a visitor who is unknown or deleted, and keep that of the user', async () => {
    const gone = randomUUID();
    await apply(
      record({ visitorId: gone, fingerprint: randomUUID() }, { gender: 'male' }),
      record({ visitorId: gone, userId: 'u' }, { city: 'Омск' }),
    );
    expect(await visitor(gone)).toEqual({});
    expect(await user('u')).toMatchObject({ geo_person_city: ['ru-omsk/user'] });
    expect((await db.pool.query('select from site_fingerprints where site_id = $1', [site])).rowCount).toBe(0);
  });

  // proves: analytics-ids/fingerprint_uuid
  it('store fingerprints only at sites that use them', async () => {
    const [id, fingerprint] = [await addVisitor(db.pool, site), randomUUID()];
    await apply(
      record({ visitorId: id, fingerprint }),
      record({ visitorId: id, fingerprint: fingerprint.toUpperCase() }),
    );
    expect(
      (await db.pool.query('select fingerprint, visitor_id from site_fingerprints where site_id = $1', [site])).rows,
    ).toEqual([{ fingerprint, visitor_id: id }]);
    site = await addSite(db.pool);
    await apply(record({ visitorId: await addVisitor(db.pool, site), fingerprint }));
    expect((await db.pool.query('select from site_fingerprints where site_id = $1', [site])).rowCount).toBe(0);
  });
});

describe('simultaneous batches', () => {
  it('about the same people all count, whatever their order', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `u-${index}`);
    const batch = (order: readonly string[], gender: 'male' | 'female') =>
      apply(...order.map((userId) => record({ userId }, { gender, interests: ['music'], params: { gender } })));
    await Promise.all([
      batch(ids, 'male'),
      batch(ids.toReversed(), 'female'),
      batch(ids, 'female'),
      batch(ids.toReversed(), 'male'),
    ]);
    for (const id of ids) {
      const { gender = [], interest, 'visitor_param:gender': param } = await user(id);
      expect(interest).toEqual(['music*4/user']);
      // Both values are from the same batch.
      expect(param).toEqual(gender);
    }
  });

  it('leave no values behind for a visitor who is linked meanwhile', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await addVisitor(db.pool, site);
      const tell = async (): Promise<void> => {
        try {
          await apply(record({ visitorId: id }, { interests: ['music'] }, { source: 'site' }));
        } catch (error) {
          if (!(error instanceof StaleLookupError)) throw error;
          await apply(record({ visitorId: id }, { interests: ['music'] }, { source: 'site' }));
        }
      };
      await Promise.all([tell(), apply(record({ visitorId: id, userId: `r-${round}` })), tell()]);
      expect(await visitor(id)).toEqual({});
      expect((await user(`r-${round}`))['interest']).toEqual(['music*2/site']);
    }
  });
});
