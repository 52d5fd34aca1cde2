/**
 * A browser that claims to be a user may read and write the user's values only with the proof that the site
 * requires.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction } from '../../../db/pool.ts';
import { applyUserData, type UserDataRecord } from '../../../db/sitePeople/applyTagAndServerData.ts';
import { findOnlyUsers } from '../../../db/sitePeople/visitorLinks.ts';
import { findVisitor } from '../../../db/sitePeople/readAudience.ts';
import { updateKnownPeople } from '../../../db/sitePeople/storeServerData.ts';
import { updateSite } from '../../../db/sites/sites.ts';
import type { PersonData } from '../../../domain/people/personData.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addSite, addVisitor, audienceOf, failOnLostKeys, hashOf, linkOf } from '../../support/people/sitePeople.ts';

let db: TestDatabase;
let site: string;
let at = Date.now();

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(async () => {
  await db.drop();
});
beforeEach(async () => {
  site = await addSite(db.pool);
  await updateSite(db.pool, site, { identitySecret: Buffer.alloc(40) });
});

const apply = (record: Omit<UserDataRecord, 'source' | 'at' | 'fingerprint'>, where = site): Promise<void> =>
  inTransaction(db.pool, (client) =>
    applyUserData(client, where, [{ fingerprint: null, source: 'user', at: new Date((at += 1000)), ...record }]),
  );
const serverTells = (data: PersonData): Promise<void> => apply({ visitorId: null, userId: 'victim', data });
const says = (visitorId: string, isProven: boolean | undefined, data: PersonData = {}): Promise<void> =>
  apply({ visitorId, userId: 'victim', ...(isProven !== undefined && { isProven }), data });
const victim = () => audienceOf(db.pool, site, { kind: 'user', id: 'victim' });
const seenBy = async (visitorId: string): Promise<string[]> =>
  (await findVisitor(db.pool, site, visitorId))?.values.map(({ attribute, value }) => `${attribute}=${value}`).sort() ??
  [];

describe('a link without a proof', () => {
  // proves: analytics-decisions/user_hash
  it('reads nothing that the server sent, and overwrites nothing of it', async () => {
    await serverTells({ gender: 'female', params: { plan: 'annual' }, interests: ['футбол'] });
    const before = await victim();
    const own = await addVisitor(db.pool, site);
    await apply({ visitorId: own, userId: null, data: { price_segment: 'premium' } });
    await says(own, false, {
      gender: 'male',
      params: { plan: 'none' },
      interests: ['кино'],
      email_hash: 'A'.repeat(43),
    });
    expect(await linkOf(db.pool, site, own)).toBe('victim');
    expect(await victim()).toEqual(before);
    const seen = ['gender=male', 'interest=cinema', 'price_segment=premium', 'visitor_param=none'];
    expect(await seenBy(own)).toEqual(seen);
    const [found] = await updateKnownPeople(
      db.pool,
      site,
      [{ who: { visitorId: own }, data: { price_segment: 'budget' } }],
      failOnLostKeys,
    );
    expect(found?.values.map(({ value }) => value)).not.toContain('annual');
    expect(await victim()).toEqual(before);
    await says(own, undefined, { gender: 'male' });
    expect(await victim()).toEqual(before);
  });

  it('lets nobody delete the user with the visitor', async () => {
    await serverTells({ gender: 'female' });
    const own = await addVisitor(db.pool, site);
    await says(own, false);
    expect(await findOnlyUsers(db.pool, site, own)).toEqual([]);
    await says(own, true);
    expect(await findOnlyUsers(db.pool, site, own)).toEqual(['victim']);
  });
});

describe('a link with a proof', () => {
  // proves: analytics-decisions/user_hash
  it("reads and writes the user's values, and adds the visitor's earlier values", async () => {
    await serverTells({ params: { plan: 'annual' } });
    const own = await addVisitor(db.pool, site);
    await says(own, false, { gender: 'male' });
    await says(own, true, { age: 30 });
    expect(await seenBy(own)).toEqual(['age_group=25-34', 'gender=male', 'visitor_param=annual']);
    expect(await victim()).toMatchObject({ gender: ['male/user'], age_group: ['25-34/user'] });
  });

  it('stays proven when a page names the same user without a proof, and ends with another user', async () => {
    await serverTells({ params: { plan: 'annual' } });
    const own = await addVisitor(db.pool, site);
    await says(own, true);
    await says(own, false, { gender: 'male' });
    expect(await seenBy(own)).toEqual(['gender=male', 'visitor_param=annual']);
    await apply({ visitorId: own, userId: 'other', isProven: false, data: {} });
    expect(await seenBy(own)).toEqual([]);
  });
});

describe('a link from before the secret', () => {
  // proves: decisions-visitors/no-secret
  it('reads as before if the site has no secret, and has to be proven once it has one', async () => {
    await updateSite(db.pool, site, { identitySecret: null });
    await serverTells({ params: { plan: 'annual' } });
    const own = await addVisitor(db.pool, site);
    await says(own, undefined, { gender: 'male' });
    expect(await seenBy(own)).toEqual(['gender=male', 'visitor_param=annual']);
    await updateSite(db.pool, site, { identitySecret: Buffer.alloc(40) });
    expect(await seenBy(own)).toEqual([]);
    await says(own, true);
    expect(await seenBy(own)).toEqual(['gender=male', 'visitor_param=annual']);
    await updateSite(db.pool, site, { identitySecret: null });
    expect(await seenBy(own)).toEqual(['gender=male', 'visitor_param=annual']);
  });
});

describe('a contact that a browser claims', () => {
  let contact: PersonData;
  let other: string;

  beforeEach(async () => {
    contact = { email_hash: hashOf(`${randomUUID()}@example.ru`) };
    other = await addSite(db.pool, { network: true });
    await db.pool.query('update sites set network_enabled = true where id = $1', [site]);
  });

  const otherServerTells = (): Promise<void> =>
    apply({ visitorId: null, userId: 'known', data: { ...contact, gender: 'female' } }, other);
  const known = () => audienceOf(db.pool, other, { kind: 'user', id: 'known' });

  it.each([
    ['claimed without a user', null, undefined],
    ['claimed for a user who is not proven', 'me', false],
    ['claimed for a user who is proven', 'me', true],
  ])('matches nobody in the network at a site with a secret: %s', async (_who, userId, isProven) => {
    await otherServerTells();
    const own = await addVisitor(db.pool, site);
    await apply({ visitorId: own, userId, ...(isProven !== undefined && { isProven }), data: { ...contact, age: 30 } });
    expect(await seenBy(own)).toEqual(['age_group=25-34']);
    expect(await known()).toEqual({ gender: ['female/user'] });
  });

  it('matches nobody between a site with a secret and one without, in either direction', async () => {
    await apply({ visitorId: null, userId: 'victim', data: { ...contact, gender: 'female' } });
    const own = await addVisitor(db.pool, other);
    await apply({ visitorId: own, userId: null, data: { ...contact, age: 30 } }, other);
    expect(await audienceOf(db.pool, other, { kind: 'visitor', id: own })).toEqual({ age_group: ['25-34/user'] });
    expect(await victim()).toEqual({ gender: ['female/user'] });
  });

  it('counts among sites without a secret, until one of them gets one', async () => {
    await updateSite(db.pool, site, { identitySecret: null });
    await otherServerTells();
    const own = await addVisitor(db.pool, site);
    await apply({ visitorId: own, userId: null, data: { ...contact, age: 30 } });
    expect(await seenBy(own)).toEqual(['age_group=25-34', 'gender=female']);
    for (const asking of [site, other]) {
      await updateSite(db.pool, asking, { identitySecret: Buffer.alloc(40) });
      expect(await seenBy(own)).toEqual(['age_group=25-34']);
      expect(await known()).toEqual({ gender: ['female/user'] });
      await updateSite(db.pool, asking, { identitySecret: null });
    }
    expect(await seenBy(own)).toEqual(['age_group=25-34', 'gender=female']);
  });

  it("yields to the servers' values: they match, and the proven user sees them", async () => {
    await otherServerTells();
    await serverTells(contact);
    const own = await addVisitor(db.pool, site);
    await says(own, true, { email_hash: hashOf('another@example.ru'), age: 30 });
    expect(await seenBy(own)).toEqual(['age_group=25-34', 'gender=female']);
    expect(await known()).toEqual({ gender: ['female/user'], age_group: ['25-34/network'] });
  });
});
