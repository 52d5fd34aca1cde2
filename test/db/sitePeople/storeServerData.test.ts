/** Values that are sent for a person during their deletion bring nothing back. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { inTransaction } from '../../../db/pool.ts';
import { applyUserData } from '../../../db/sitePeople/applyTagAndServerData.ts';
import { deleteUserData, deleteVisitorData } from '../../../db/sitePeople/deleteSitePerson.ts';
import { storeUserData, updateKnownPeople, type PersonSelector } from '../../../db/sitePeople/storeServerData.ts';
import type { UserDataRecord } from '../../../domain/people/personData.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { untilWaiting } from '../../support/lockWaits.ts';
import { addSite, addVisitor, audienceOf, failOnLostKeys } from '../../support/people/sitePeople.ts';

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

const record = (visitorId: string | null, userId: string | null): UserDataRecord => ({
  visitorId,
  userId,
  fingerprint: null,
  data: { city: 'Омск' },
  source: 'user',
  at: new Date(),
});
const apply = (...records: UserDataRecord[]): Promise<void> =>
  inTransaction(db.pool, (client) => applyUserData(client, site, records));
const tell = (who: PersonSelector) =>
  updateKnownPeople(db.pool, site, [{ who, data: { gender: 'male' } }], failOnLostKeys);

async function linkedVisitor(userId: string): Promise<string> {
  const id = await addVisitor(db.pool, site);
  await apply(record(id, userId));
  return id;
}

async function countRows(): Promise<number> {
  const { rows } = await db.pool.query<{ count: number }>(
    `select ((select count(*) from site_people where site_id = $1) + (select count(*) from site_person_values where site_id = $1))::int as count`,
    [site],
  );
  return rows[0]?.count ?? 0;
}

/** Sends values while the deletion holds the locks: the person was found before, and is written after. */
async function tellDuring(
  deletion: (client: pg.PoolClient) => Promise<unknown>,
  who: PersonSelector,
): Promise<unknown> {
  let told: Promise<unknown> | undefined;
  await inTransaction(db.pool, async (client) => {
    await deletion(client);
    told = tell(who);
    await untilWaiting(db.pool, 1);
  });
  return told;
}

const deleteVisitor = (visitorId: string) => async (client: pg.PoolClient) => {
  await deleteVisitorData(client, site, visitorId);
  await client.query('delete from site_visitors where site_id = $1 and visitor_id = $2', [site, visitorId]);
};

describe('values that a server sends for a known person', () => {
  it('are not stored for a visitor whose user was deleted with the last visitor', async () => {
    const visitorId = await linkedVisitor('u');
    expect(await tellDuring(deleteVisitor(visitorId), { visitorId })).toEqual([null]);
    expect(await countRows()).toBe(0);
  });

  it('are not stored for a user whose last visitor was deleted', async () => {
    const visitorId = await linkedVisitor('u');
    expect(await tellDuring(deleteVisitor(visitorId), { userId: 'u' })).toEqual([null]);
    expect(await countRows()).toBe(0);
  });

  it('are not stored for a deleted user of whom only a server sent values', async () => {
    await storeUserData(db.pool, site, [record(null, 'u')], failOnLostKeys);
    expect(await tellDuring((client) => deleteUserData(client, site, 'u'), { userId: 'u' })).toEqual([null]);
    expect(await countRows()).toBe(0);
  });

  it('go to the user to whom the visitor is linked when they are stored', async () => {
    const visitorId = await linkedVisitor('one');
    expect(
      await tellDuring((client) => applyUserData(client, site, [record(visitorId, 'two'), record(null, 'one')]), {
        visitorId,
      }),
    ).toEqual([{ visitorId, values: expect.anything() }]);
    expect(await audienceOf(db.pool, site, { kind: 'user', id: 'two' })).toMatchObject({ gender: ['male/site'] });
    expect(await audienceOf(db.pool, site, { kind: 'user', id: 'one' })).not.toHaveProperty('gender');
  });

  it('are stored for a user whom only a visitor’s link names', async () => {
    const visitorId = await addVisitor(db.pool, site);
    await apply({ ...record(visitorId, 'u'), data: {} });
    await db.pool.query('delete from site_people where site_id = $1', [site]);
    expect(await tell({ userId: 'u' })).toEqual([{ visitorId, values: [expect.objectContaining({ value: 'male' })] }]);
  });
});

it('a failure to record the keys of params is reported, and the values stay stored', async () => {
  const faults: unknown[] = [];
  await db.pool.query('alter table site_param_keys rename to elsewhere');
  try {
    const data = { params: { plan: 'annual' } };
    await storeUserData(db.pool, site, [{ ...record(null, 'u'), data }], (fault) => void faults.push(fault));
    const who = { userId: 'u' };
    await updateKnownPeople(db.pool, site, [{ who, data }], (fault) => void faults.push(fault));
  } finally {
    await db.pool.query('alter table elsewhere rename to site_param_keys');
  }
  expect(faults).toEqual([expect.any(Error), expect.any(Error)]);
  expect(await audienceOf(db.pool, site, { kind: 'user', id: 'u' })).toMatchObject({
    'visitor_param:plan': expect.arrayContaining(['annual/user']),
  });
});
