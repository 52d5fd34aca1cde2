/** The settings of a site that the intake, the ingest and the analytics API read. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteUser, insertUser, updateUser } from '../../../db/accounts/accounts.ts';
import { findApiKeySite, findTagKeySite, loadSiteSettings } from '../../../db/sites/siteSettings.ts';
import { putGoal } from '../../../db/sites/goals.ts';
import { ensureSiteKey, insertSiteKey, listSiteKeys, revokeSiteKey, touchTagKey } from '../../../db/sites/siteKeys.ts';
import { ensureSite, findSite, updateSite } from '../../../db/sites/sites.ts';
import { keyHash, newKey, storedKey } from '../../../domain/accounts/keyFormats.ts';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';
import { DEFAULT_ROBOT_RULES } from '../../../domain/sites/robotRules.ts';
import { createTestSite, type TestSite } from '../../api/support/testSite.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { setClientState } from '../../support/setClientState.ts';
import { DEFAULT_QUOTAS } from '../../../domain/sites/siteQuotas.ts';
import { DEFAULT_SITE_LIMITS } from '../../../domain/sites/siteLimits.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database?.drop();
});

const accessOf = async ({ tagKey }: TestSite) => (await findTagKeySite(database.pool, keyHash(tagKey)))?.access;

async function newOwner(site: TestSite, role: 'owner' | 'viewer' | 'admin' = 'owner'): Promise<string> {
  const user = await insertUser(database.pool, {
    email: `${newTenantId()}@example.com`,
    passwordHash: 'x',
    role,
    projects: [],
    sites: [site.id],
  });
  if (typeof user === 'string') throw new Error(user);
  return user.id;
}
const setUser = (id: string, state: 'active' | 'blocked') =>
  updateUser(database.pool, id, { state }, { manager: null, lostPassword: '' });

describe('the settings of a site', () => {
  it('have their defaults filled in, however they are looked up', async () => {
    const site = await createTestSite(database.pool, { requests_per_second: 7 });
    await updateSite(database.pool, site.id, {
      rates: { USD: 80 },
      quotas: { hits_per_day: 10 },
      robots: { frequency: false },
      networkEnabled: true,
      recordings: true,
    });
    await putGoal(database.pool, site.id, {
      code: 'b',
      title: 'B',
      type: 'js',
      match: null,
      value: 12.5,
      enabled: false,
    });
    await putGoal(database.pool, site.id, {
      code: 'a',
      title: 'A',
      type: 'url',
      match: { op: 'eq', value: 'x' },
      value: null,
      enabled: true,
    });
    const byTag = await findTagKeySite(database.pool, keyHash(site.tagKey));
    expect(byTag).toEqual({
      siteId: site.id,
      ownerId: null,
      access: 'open',
      hosts: ['*'],
      ignoredReferrers: [],
      timezone: 'Europe/Moscow',
      currency: 'RUB',
      rates: { USD: 80 },
      quotas: { ...DEFAULT_QUOTAS, hits_per_day: 10 },
      limits: { ...DEFAULT_SITE_LIMITS, requests_per_second: 7 },
      robots: { ...DEFAULT_ROBOT_RULES, frequency: false },
      fingerprints: false,
      recordings: true,
      maskTexts: false,
      honourGpc: true,
      identitySecret: null,
      requireUserHash: false,
      network: { enabled: true, sensitive_topics: false },
      goals: [
        { code: 'a', title: 'A', type: 'url', match: { op: 'eq', value: 'x' }, value: null, enabled: true },
        { code: 'b', title: 'B', type: 'js', match: null, value: 12.5, enabled: false },
      ],
    });
    expect(await findApiKeySite(database.pool, keyHash(site.key))).toEqual({ keyId: site.keyId, settings: byTag });
    expect(await loadSiteSettings(database.pool, [site.id, 'zzzzzzzzzzzz'])).toEqual(new Map([[site.id, byTag]]));
  });

  it('are not found by a key that is unknown, revoked or of the other kind', async () => {
    const site = await createTestSite(database.pool);
    expect(await findTagKeySite(database.pool, keyHash(newKey('tag')))).toBeNull();
    expect(await findTagKeySite(database.pool, keyHash(site.key))).toBeNull();
    expect(await findApiKeySite(database.pool, keyHash(site.tagKey))).toBeNull();
    await revokeSiteKey(database.pool, site.id, site.keyId);
    expect(await findApiKeySite(database.pool, keyHash(site.key))).toBeNull();
  });
});

describe('a site is closed', () => {
  it.each([{ state: 'blocked' }, { state: 'deleted' }, { ownerState: 'blocked' }] as const)('by %j', async (change) => {
    const site = await createTestSite(database.pool);
    expect(await accessOf(site)).toBe('open');
    await updateSite(database.pool, site.id, change);
    expect(await accessOf(site)).toBe('blocked');
  });

  it('by its client', async () => {
    const site = await createTestSite(database.pool);
    await setClientState(database.pool, site.clientId, 'blocked');
    expect(await accessOf(site)).toBe('blocked');
  });

  it('by its owners once all of them are blocked, but not by a blocked viewer or admin', async () => {
    const site = await createTestSite(database.pool);
    await Promise.all(
      [newOwner(site, 'viewer'), newOwner(site, 'admin')].map(async (id) => setUser(await id, 'blocked')),
    );
    expect(await accessOf(site)).toBe('open');
    const [one, other] = [await newOwner(site), await newOwner(site)];
    await setUser(one, 'blocked');
    expect(await accessOf(site)).toBe('open');
    await setUser(other, 'blocked');
    expect(await accessOf(site)).toBe('blocked');
    await setUser(one, 'active');
    expect(await accessOf(site)).toBe('open');
  });
});

it("changes to a site's settings are announced, and other changes are not", async () => {
  const site = await createTestSite(database.pool);
  const owner = await newOwner(site);
  const client = await database.pool.connect();
  const heard: string[] = [];
  try {
    client.on('notification', ({ channel }) => void heard.push(channel));
    await client.query('listen access');
    const changes: (() => Promise<unknown>)[] = [
      () => updateSite(database.pool, site.id, { title: 'x' }),
      () =>
        putGoal(database.pool, site.id, { code: 'a', title: 'A', type: 'js', match: null, value: null, enabled: true }),
      () => setUser(owner, 'blocked'),
      () => deleteUser(database.pool, owner, null),
      () => revokeSiteKey(database.pool, site.id, site.keyId),
    ];
    for (const [index, change] of changes.entries()) {
      await change();
      await eventually(() => heard.length === index + 1, `notification ${index + 1}`);
    }
    await touchTagKey(database.pool, keyHash(site.tagKey));
    await updateSite(database.pool, site.id, { title: 'x' });
    await client.query('select 1');
    expect(heard).toHaveLength(changes.length);
  } finally {
    client.release(true);
  }
});

describe('each start ensures', () => {
  it('that a site has hosts, but does not replace changed ones', async () => {
    const { clientId } = await createTestSite(database.pool);
    const site = {
      id: newTenantId(),
      clientId,
      title: 'Dev',
      hosts: ['*'],
      ignoredReferrers: [],
      timezone: 'Europe/Moscow',
      currency: 'RUB',
    };
    await ensureSite(database.pool, site);
    await updateSite(database.pool, site.id, { hosts: ['a.test'] });
    await ensureSite(database.pool, site);
    expect((await findSite(database.pool, site.id))?.hosts).toEqual(['a.test']);
    await database.pool.query(`update sites set hosts = '{}' where id = $1`, [site.id]);
    await ensureSite(database.pool, site);
    expect((await findSite(database.pool, site.id))?.hosts).toEqual(['*']);
  });

  it('the public text of a key, unless it is revoked or belongs to another site', async () => {
    const [site, other] = [await createTestSite(database.pool), await createTestSite(database.pool)];
    const key = newKey('tag');
    const stored = { kind: 'tag', name: 'k', publicKey: key, ...storedKey(key) } as const;
    const { id } = await insertSiteKey(database.pool, site.id, { ...stored, publicKey: null });
    expect(await ensureSiteKey(database.pool, site.id, stored)).toBe(true);
    expect(await ensureSiteKey(database.pool, site.id, stored)).toBe(true);
    expect(
      (await listSiteKeys(database.pool, site.id, { after: null, limit: 10 })).find((stored) => stored.id === id),
    ).toMatchObject({ publicKey: key });
    expect(await ensureSiteKey(database.pool, other.id, stored)).toBe(false);
    await revokeSiteKey(database.pool, site.id, id);
    expect(await ensureSiteKey(database.pool, site.id, stored)).toBe(false);
  });
});
