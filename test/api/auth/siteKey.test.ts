/** Keys of the analytics API, without the API around them. */
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKeyLookups } from '../../../api/auth/keyLookups.ts';
import { createSiteAuthentication, type SiteAuthentication } from '../../../api/auth/siteKey.ts';
import { listSiteKeys, revokeSiteKey, touchSiteKey, touchTagKey } from '../../../db/sites/siteKeys.ts';
import { updateSite } from '../../../db/sites/sites.ts';
import { keyHash, newKey } from '../../../domain/accounts/keyFormats.ts';
import { DEFAULT_SITE_LIMITS } from '../../../domain/sites/siteLimits.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createTestProject } from '../support/testApi.ts';
import { createTestSite, type TestSite } from '../support/testSite.ts';

let database: TestDatabase;
let keys: SiteAuthentication;

beforeAll(async () => {
  database = await createTestDatabase();
  keys = createSiteAuthentication(database.pool, createKeyLookups());
});

afterAll(async () => {
  await database?.drop();
});

const ask = (authorization: string | undefined, url = '/') =>
  keys.authenticate({ headers: { authorization }, url } as IncomingMessage, {
    peer: { ip: '203.0.113.1', isHttps: false },
  });

describe('the key of a site', () => {
  // proves: analytics-auth/5
  it('identifies the site, with its limits', async () => {
    const site = await createTestSite(database.pool, { requests_per_second: 3 });
    expect(await ask(`Bearer ${site.key}`)).toMatchObject({
      siteId: site.id,
      keyId: site.keyId,
      limits: { ...DEFAULT_SITE_LIMITS, requests_per_second: 3 },
      settings: { siteId: site.id, timezone: 'Europe/Moscow' },
    });
  });

  // proves: analytics-auth/1
  it('is refused with 401 if it is missing, unknown, of another kind, or in the address', async () => {
    const [site, project] = [await createTestSite(database.pool), await createTestProject(database.pool)];
    for (const header of [
      undefined,
      site.key,
      `Basic ${site.key}`,
      `Bearer ${newKey('site')}`,
      `Bearer ${site.tagKey}`,
      `Bearer ${project.key}`,
      'Bearer ak_',
    ]) {
      await expect(ask(header)).rejects.toMatchObject({ status: 401 });
    }
    await expect(ask(`Bearer ${site.key}`, `/health?key=${site.key}`)).rejects.toMatchObject({ status: 401 });
    await expect(ask(`Bearer ${site.key}`, `/health?x=${site.tagKey}`)).rejects.toMatchObject({ status: 401 });
  });

  it('is refused with 401 once it is revoked, and with 403 once its site is closed, as soon as the cache forgets it', async () => {
    const site = await createTestSite(database.pool);
    await ask(`Bearer ${site.key}`);
    await updateSite(database.pool, site.id, { state: 'deleted' });
    keys.invalidate();
    await expect(ask(`Bearer ${site.key}`)).rejects.toMatchObject({ status: 403 });
    await revokeSiteKey(database.pool, site.id, site.keyId);
    keys.invalidate();
    await expect(ask(`Bearer ${site.key}`)).rejects.toMatchObject({ status: 401 });
  });

  // proves: analytics-auth/3
  it('records its use', async () => {
    const site = await createTestSite(database.pool);
    await Promise.all([1, 2, 3].map(() => ask(`Bearer ${site.key}`)));
    const find = async () =>
      (await listSiteKeys(database.pool, site.id, { after: null, limit: 10 })).find(({ id }) => id === site.keyId);
    const lastUsed = await eventually(async () => (await find())?.lastUsedAt, 'a time of use');
    expect(Math.abs(Date.now() - lastUsed.getTime())).toBeLessThan(60_000);
  });

  // proves: decisions-keys/last-used
  it.each<[string, (site: TestSite) => Promise<void>]>([
    ['api', ({ id, keyId }) => touchSiteKey(database.pool, id, keyId)],
    ['tag', ({ tagKey }) => touchTagKey(database.pool, keyHash(tagKey))],
  ])('records its use at most once a minute, as a key of the kind %s', async (kind, touch) => {
    const site = await createTestSite(database.pool);
    const usedAgo = async (seconds: number): Promise<boolean> => {
      const { rows } = await database.pool.query<{ before: Date }>(
        'update site_keys set last_used_at = now() - make_interval(secs => $3) where site_id = $1 and kind = $2 returning last_used_at as before',
        [site.id, kind, seconds],
      );
      await touch(site);
      const keys = await listSiteKeys(database.pool, site.id, { after: null, limit: 10 });
      return keys.find((key) => key.kind === kind)?.lastUsedAt?.getTime() !== rows[0]?.before.getTime();
    };
    expect([await usedAgo(50), await usedAgo(61)]).toEqual([false, true]);
  });
});
