import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction } from '../../../db/pool.ts';
import { applyUserData } from '../../../db/sitePeople/applyTagAndServerData.ts';
import { deleteVisitorData } from '../../../db/sitePeople/deleteSitePerson.ts';
import type { PersonData, ToldBy } from '../../../domain/people/personData.ts';
import { contactHashes } from '../../../domain/people/contactHashes.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addSite, addVisitor, audienceOf } from '../../support/people/sitePeople.ts';

let db: TestDatabase;
let mine: string;
let theirs: string;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(async () => {
  await db.drop();
});
beforeEach(async () => {
  await db.pool.query('delete from site_people');
  mine = await addSite(db.pool, { network: true });
  theirs = await addSite(db.pool, { network: true });
});

const KEY = Buffer.alloc(32, 1);
const contacts = (given: { email?: string; phone?: string }) => contactHashes(KEY, given);
const ANNA = contacts({ email: 'anna@example.ru' });

function tell(
  site: string,
  who: { userId?: string; visitorId?: string },
  data: PersonData,
  source: ToldBy = 'user',
  at = new Date(),
): Promise<void> {
  return inTransaction(db.pool, (client) =>
    applyUserData(client, site, [{ visitorId: null, userId: null, fingerprint: null, ...who, data, source, at }]),
  );
}

const held = (site: string, id: string) => audienceOf(db.pool, site, { kind: 'user', id });
const change = (site: string, column: string, value: unknown) =>
  db.pool.query(`update sites set ${column} = $2 where id = $1`, [site, value]);

describe('the network', () => {
  // proves: decisions-visitors/network-person
  it('shares what other sites know about the same person, by e-mail or by phone, in both directions', async () => {
    await tell(
      theirs,
      { userId: 'x' },
      {
        ...ANNA,
        gender: 'female',
        age: 40,
        city: 'Казань',
        children: [5],
        interests: ['футбол'],
        company: { industry: 'it' },
        purchase_categories: ['toys'],
        price_segment: 'premium',
      },
    );
    await tell(mine, { userId: 'a' }, contacts({ email: ' ANNA@example.ru ' }));
    expect(await held(mine, 'a')).toEqual({
      gender: ['female/network'],
      age_group: ['35-44/network'],
      geo_person_country: ['RU/network'],
      geo_person_region: ['RU-TA/network'],
      geo_person_city: ['ru-kazan/network'],
      has_children: ['yes/network'],
      children_age: ['5/network'],
      interest: ['sport-football*1/network'],
      industry: ['it/network'],
      purchase_category: ['toys/network'],
      price_segment: ['premium/network'],
    });
    await tell(mine, { userId: 'p' }, { ...contacts({ phone: '8 916 123-45-67' }), company: { type: 'government' } });
    await tell(theirs, { userId: 'q' }, contacts({ phone: '+7 (916) 123 45 67' }));
    expect(await held(theirs, 'q')).toEqual({ company_type: ['government/network'] });
  });

  // proves: people/sources
  it("comes after the user's and the site's own values, field by field", async () => {
    await tell(
      theirs,
      { userId: 'x' },
      { ...ANNA, gender: 'female', city: 'Казань', price_segment: 'premium', interests: ['music', 'cinema'] },
    );
    await tell(mine, { userId: 'a' }, { ...ANNA, gender: 'male', interests: ['music'] });
    await tell(mine, { userId: 'a' }, { geo: { country: 'DE' } }, 'site');
    expect(await held(mine, 'a')).toEqual({
      gender: ['male/user'],
      geo_person_country: ['DE/site'],
      price_segment: ['premium/network'],
      interest: ['cinema*1/network', 'music*1/user'],
    });
  });

  it("prefers among several sites users' values to sites' values, and then the latest", async () => {
    const third = await addSite(db.pool, { network: true });
    const [early, late] = [new Date(Date.now() - 60_000), new Date()];
    await tell(mine, { userId: 'a' }, ANNA);
    await tell(
      theirs,
      { userId: 'x' },
      { ...ANNA, gender: 'male', price_segment: 'economy', children: [1, 2] },
      'user',
      early,
    );
    await tell(third, { userId: 'y' }, { ...ANNA, gender: 'female', children: [9] }, 'user', late);
    await tell(third, { userId: 'y' }, { price_segment: 'premium' }, 'site', late);
    expect(await held(mine, 'a')).toEqual({
      gender: ['female/network'],
      price_segment: ['economy/network'],
      has_children: ['yes/network'],
      children_age: ['9/network'],
    });
  });

  it('never shares params, unmatched texts or contacts', async () => {
    await tell(theirs, { userId: 'x' }, { ...ANNA, params: { secret: 1 }, interests: ['нечто неслыханное'] });
    await tell(mine, { userId: 'a' }, ANNA);
    expect(await held(mine, 'a')).toEqual({});
  });

  // proves: people/network, decisions-visitors/network-sensitive
  it('shares sensitive topics and categories only if both sites have switched them on', async () => {
    await tell(
      theirs,
      { userId: 'x' },
      { ...ANNA, interests: ['политика', 'music'], purchase_categories: ['medicines', 'toys'] },
    );
    await tell(mine, { userId: 'a' }, ANNA);
    const harmless = { interest: ['music*1/network'], purchase_category: ['toys/network'] };
    expect(await held(mine, 'a')).toEqual(harmless);
    await change(mine, 'sensitive_topics', true);
    expect(await held(mine, 'a')).toEqual(harmless);
    await change(theirs, 'sensitive_topics', true);
    expect(await held(mine, 'a')).toEqual({
      interest: ['music*1/network', 'society-politics*1/network'],
      purchase_category: ['medicines/network', 'toys/network'],
    });
    await change(mine, 'sensitive_topics', false);
    expect(await held(mine, 'a')).toEqual(harmless);
    // The other site keeps its own values.
    expect(await held(theirs, 'x')).toMatchObject({ interest: ['music*1/user', 'society-politics*1/user'] });
  });

  // proves: decisions-visitors/network-sites
  it.each([
    ['network_enabled', false],
    ['state', 'blocked'],
    ['state', 'deleted'],
    ['owner_state', 'blocked'],
  ])('neither gives to nor takes from a site whose %s is %s, with immediate effect', async (column, value) => {
    await tell(theirs, { userId: 'x' }, { ...ANNA, gender: 'female' });
    await tell(mine, { userId: 'a' }, { ...ANNA, price_segment: 'middle' });
    expect(await held(mine, 'a')).toMatchObject({ gender: ['female/network'] });
    await change(theirs, column, value);
    expect(await held(mine, 'a')).toEqual({ price_segment: ['middle/user'] });
    expect(await held(theirs, 'x')).toEqual({ gender: ['female/user'] });
  });

  it('forgets a person who is deleted', async () => {
    const visitor = await addVisitor(db.pool, theirs);
    await tell(theirs, { visitorId: visitor, userId: 'x' }, { ...ANNA, gender: 'female' });
    await tell(mine, { userId: 'a' }, ANNA);
    expect(await held(mine, 'a')).toEqual({ gender: ['female/network'] });
    await inTransaction(db.pool, (client) => deleteVisitorData(client, theirs, visitor));
    expect(await held(mine, 'a')).toEqual({});
  });

  it('ignores a contact of many people as a placeholder', async () => {
    await tell(theirs, { userId: 'x' }, { ...ANNA, gender: 'female' });
    await tell(mine, { userId: 'a' }, ANNA);
    for (let index = 0; index < 8; index += 1) await tell(theirs, { userId: `many-${index}` }, ANNA);
    expect(await held(mine, 'a')).toEqual({ gender: ['female/network'] });
    await tell(theirs, { userId: 'one too many' }, ANNA);
    expect(await held(mine, 'a')).toEqual({});
  });

  it('does not apply within one site', async () => {
    await tell(mine, { userId: 'a' }, { ...ANNA, gender: 'female' });
    await tell(mine, { userId: 'b' }, ANNA);
    expect(await held(mine, 'b')).toEqual({});
  });
});

describe('deleteVisitorData', () => {
  const remove = (site: string, visitorId: string) =>
    inTransaction(db.pool, (client) => deleteVisitorData(client, site, visitorId));

  it('leaves nothing of a visitor', async () => {
    const site = await addSite(db.pool, { fingerprints: true });
    const [gone, stays] = [await addVisitor(db.pool, site), await addVisitor(db.pool, site)];
    for (const visitorId of [gone, stays]) {
      await inTransaction(db.pool, (client) =>
        applyUserData(client, site, [
          {
            visitorId,
            userId: null,
            fingerprint: '11111111-1111-4111-8111-111111111111',
            data: { ...ANNA, gender: 'male', interests: ['music'], params: { a: 1 } },
            source: 'user',
            at: new Date(),
          },
        ]),
      );
    }
    await remove(site, gone.toUpperCase());
    await remove(site, gone);
    expect((await db.pool.query('select from site_visitor_users where site_id = $1', [site])).rowCount).toBe(0);
    const tables = {
      site_people: 'person_id',
      site_person_values: 'person_id',
      site_person_interests: 'person_id',
      site_fingerprints: 'visitor_id::text',
    };
    for (const [table, column] of Object.entries(tables)) {
      expect(
        (await db.pool.query(`select distinct ${column} as id from ${table} where site_id = $1`, [site])).rows,
      ).toEqual([{ id: stays }]);
    }
  });

  it('deletes a user with its last visitor', async () => {
    const [first, second] = [await addVisitor(db.pool, mine), await addVisitor(db.pool, mine)];
    for (const visitorId of [first, second]) await tell(mine, { visitorId, userId: 'u' }, { gender: 'male' });
    await remove(mine, first);
    expect(await held(mine, 'u')).toEqual({ gender: ['male/user'] });
    await db.pool.query('delete from site_visitors where site_id = $1 and visitor_id = $2', [mine, first]);
    await remove(mine, second);
    expect(await held(mine, 'u')).toEqual({});
  });

  it('deletes every user that only this visitor was linked to, including earlier ones', async () => {
    const [gone, other] = [await addVisitor(db.pool, mine), await addVisitor(db.pool, mine)];
    for (const userId of ['one', 'two', 'three']) await tell(mine, { visitorId: gone, userId }, { gender: 'male' });
    await tell(mine, { visitorId: other, userId: 'two' }, {});
    await remove(mine, gone);
    expect([await held(mine, 'one'), await held(mine, 'two'), await held(mine, 'three')]).toEqual([
      {},
      { gender: ['male/user'] },
      {},
    ]);
  });
});
