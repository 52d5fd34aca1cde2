/** Sites of the analytics side for tests. */
import type pg from 'pg';
import { insertClient } from '../../../db/accounts/clients.ts';
import { putGoal } from '../../../db/sites/goals.ts';
import { insertSiteKey } from '../../../db/sites/siteKeys.ts';
import { insertSite, updateSite } from '../../../db/sites/sites.ts';
import { newKey, storedKey } from '../../../domain/accounts/keyFormats.ts';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';
import type { SiteLimits } from '../../../domain/sites/siteLimits.ts';

export interface TestSite {
  id: string;
  clientId: string;
  /** `ak_…` */
  key: string;
  keyId: string;
  /** `as_…` */
  tagKey: string;
}

/** High enough that only tests about rates reach the limits. */
const WIDE: Partial<SiteLimits> = { requests_per_second: 10_000, output_per_second: 10_000 };

/**
 * Creates a site for any host with both kinds of keys, in Moscow time and roubles; its rates are unlimited by
 * default.
 */
export async function createTestSite(pool: pg.Pool, limits: Partial<SiteLimits> = WIDE): Promise<TestSite> {
  const clientId = await insertClient(pool, 'Client');
  const id = newTenantId();
  await insertSite(pool, { id, clientId, title: 'Site', hosts: ['*'], timezone: 'Europe/Moscow', currency: 'RUB' });
  await updateSite(pool, id, { limits });
  const [key, tagKey] = [newKey('site'), newKey('tag')];
  const stored = await insertSiteKey(pool, id, { kind: 'api', name: 'test', publicKey: null, ...storedKey(key) });
  await insertSiteKey(pool, id, { kind: 'tag', name: 'test', publicKey: tagKey, ...storedKey(tagKey) });
  return { id, clientId, key, keyId: stored.id, tagKey };
}

/** Creates an enabled goal of the type js. */
export async function createTestGoal(
  pool: pg.Pool,
  siteId: string,
  code: string,
  value: number | null = null,
): Promise<void> {
  await putGoal(pool, siteId, { code, title: code, type: 'js', match: null, value, enabled: true });
}
