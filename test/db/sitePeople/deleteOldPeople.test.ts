/** Visitors and users are deleted when their site's retention ends, and nothing of them is left. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction } from '../../../db/pool.ts';
import { applyUserData, type UserDataRecord } from '../../../db/sitePeople/applyTagAndServerData.ts';
import { deleteOldUsers, deleteOldVisitors } from '../../../db/sitePeople/deleteOldPeople.ts';
import { storeUserData, updateKnownPeople } from '../../../db/sitePeople/storeServerData.ts';
import type { PersonData } from '../../../domain/people/personData.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { untilWaiting } from '../../support/lockWaits.ts';
import { addToInbox, addVisit } from '../../support/people/siteFacts.ts';
import { addSite, addVisitor, failOnLostKeys } from '../../support/people/sitePeople.ts';

let db: TestDatabase;
let site: string;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(async () => {
  await db.drop();
});
beforeEach(async () => {
  await db.pool.query(
    'truncate site_visitors, site_people, site_person_values, site_person_interests, site_visitor_users, site_fingerprints, collect_inbox, site_visits, site_conversions, site_recordings cascade',
  );
  site = await addSite(db.pool, { fingerprints: true });
});

const record = (
  visitorId: string | null,
  userId: string | null,
  data: PersonData = { gender: 'male', interests: ['music'] },
): UserDataRecord => ({
  visitorId,
  userId,
  fingerprint: visitorId === null ? null : randomUUID(),
  data,
  source: 'user',
  at: new Date(),
});
const apply = (...records: UserDataRecord[]): Promise<void> =>
  inTransaction(db.pool, (client) => applyUserData(client, site, records));

/** Adds a visitor created `created` months ago, whose last visit was then or later. */
async function visitorOf(created: number, lastVisit: number | null = created, of = site): Promise<string> {
  const id = await addVisitor(db.pool, of);
  await db.pool.query(
    'update site_visitors set created_at = now() - make_interval(months => $2), last_visit_at = now() - make_interval(months => $3) where visitor_id = $1',
    [id, created, lastVisit],
  );
  return id;
}
const toldAgo = (months: number) =>
  db.pool.query('update site_people set told_at = now() - make_interval(months => $1)', [months]);

async function left(column = 'visitor_id', table = 'site_visitors'): Promise<unknown[]> {
  const { rows } = await db.pool.query<{ id: unknown }>(`select ${column} as id from ${table} order by 1`);
  return rows.map(({ id }) => id);
}

async function addFact(who: { visitorId?: string; userId?: string }): Promise<void> {
  await db.pool.query(
    `insert into site_conversions (site_id, origin, id, goal, goal_source, visitor_id, user_id, occurred_at, attribution, shard) values ($1, 'api', $2, 'lead', 'api', $3, $4, now(), 'none', $5)`,
    [site, randomUUID(), who.visitorId ?? null, who.userId ?? null, shardOf(site)],
  );
}

describe('deleteOldVisitors', () => {
  it('removes visitors who have not come for as many months as the site keeps them, however long ago they first came', async () => {
    const kept = [await visitorOf(12), await visitorOf(30, 12), await visitorOf(0, null)];
    for (const [created, lastVisit] of [
      [14, 14],
      [30, 14],
      [14, null],
    ] as const)
      await visitorOf(created, lastVisit);
    expect(await deleteOldVisitors(db.pool, 10)).toBe(3);
    expect(await left()).toEqual(kept.toSorted());
  });

  it('uses the number of months of each site', async () => {
    const short = await addSite(db.pool);
    await db.pool.query(`update sites set quotas = '{"retention_months": 2}' where id = $1`, [short]);
    const [kept, gone] = [await visitorOf(3), await visitorOf(3, 3, short)];
    await addVisit(db.pool, short, gone, new Date());
    await db.pool.query('update site_visits set lake_batch = 1');
    expect(await deleteOldVisitors(db.pool, 10)).toBe(1);
    expect([await left(), await left('visitor_id', 'site_visits')]).toEqual([[kept], []]);
  });

  it("removes the visitor's values, links and fingerprints too", async () => {
    const [own, linked] = [await visitorOf(14), await visitorOf(14)];
    await apply(record(own, null), record(linked, 'u'));
    expect(await deleteOldVisitors(db.pool, 10)).toBe(2);
    expect([
      await left('person_id', 'site_people'),
      await left('person_id', 'site_person_values'),
      await left('person_id', 'site_person_interests'),
    ]).toEqual([['u'], ['u'], ['u']]);
    expect([await left('visitor_id', 'site_visitor_users'), await left('visitor_id', 'site_fingerprints')]).toEqual([
      [],
      [],
    ]);
  });

  it('keeps visitors with pending data or with facts that are kept', async () => {
    const [inbox, open, fact, recorded] = [
      await visitorOf(14),
      await visitorOf(14),
      await visitorOf(14),
      await visitorOf(14),
    ];
    await addToInbox(db.pool, site, inbox);
    await addVisit(db.pool, site, open, new Date());
    await addFact({ visitorId: fact });
    await db.pool.query(
      `insert into site_recordings (site_id, visitor_id, recording_id, day, user_agent) values ($1, $2, gen_random_uuid(), current_date, 'x')`,
      [site, recorded],
    );
    expect(await deleteOldVisitors(db.pool, 10)).toBe(0);
  });

  it('skips a visitor that is being ingested, and removes no more than requested', async () => {
    const [held] = [await visitorOf(14), await visitorOf(14), await visitorOf(14)];
    await inTransaction(db.pool, async (client) => {
      await client.query('select from site_visitors where visitor_id = $1 for no key update', [held]);
      expect([await deleteOldVisitors(db.pool, 1), await deleteOldVisitors(db.pool, 10)]).toEqual([1, 1]);
    });
    expect(await left()).toEqual([held]);
  });

  it('leaves nothing of values that arrive at the same moment', async () => {
    const id = await visitorOf(14);
    let removed: Promise<number> | undefined;
    await inTransaction(db.pool, async (client) => {
      await applyUserData(client, site, [{ ...record(id, null), source: 'site', fingerprint: null }]);
      removed = deleteOldVisitors(db.pool, 10);
      await untilWaiting(db.pool, 1);
    });
    expect(await removed).toBe(1);
    expect([await left('person_id', 'site_people'), await left('person_id', 'site_person_values')]).toEqual([[], []]);
    expect(
      await updateKnownPeople(db.pool, site, [{ who: { visitorId: id }, data: { gender: 'male' } }], failOnLostKeys),
    ).toEqual([null]);
  });
});

describe('deleteOldUsers', () => {
  it('removes users without new values for as many months as the site keeps them, with all their values', async () => {
    await storeUserData(db.pool, site, [record(null, 'old')], failOnLostKeys);
    await toldAgo(14);
    await storeUserData(db.pool, site, [record(null, 'new')], failOnLostKeys);
    expect(await deleteOldUsers(db.pool, 10)).toBe(1);
    expect([
      await left('person_id', 'site_people'),
      await left('person_id', 'site_person_values'),
      await left('person_id', 'site_person_interests'),
    ]).toEqual([['new'], ['new'], ['new']]);
  });

  it('keeps users to whom a visitor is or was linked, or whom a kept fact names, until these are removed', async () => {
    const visitor = await visitorOf(14);
    await apply(record(visitor, 'first'), record(visitor, 'second'));
    await storeUserData(db.pool, site, [record(null, 'buyer'), record(null, 'nobody')], failOnLostKeys);
    await addFact({ userId: 'buyer' });
    await toldAgo(14);
    expect(await deleteOldUsers(db.pool, 10)).toBe(1);
    expect(await left('person_id', 'site_people')).toEqual(['buyer', 'first', 'second']);
    await deleteOldVisitors(db.pool, 10);
    await db.pool.query('delete from site_conversions');
    expect(await deleteOldUsers(db.pool, 10)).toBe(3);
  });

  it('counts from the last report about a user, even if it has no values', async () => {
    await storeUserData(db.pool, site, [record(null, 'u')], failOnLostKeys);
    await toldAgo(14);
    await storeUserData(db.pool, site, [record(null, 'u', {})], failOnLostKeys);
    expect(await deleteOldUsers(db.pool, 10)).toBe(0);
  });
});
