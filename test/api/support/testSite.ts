/** Sites of the analytics side for tests. */
import type pg from 'pg';
import { insertClient } from '../../../db/clients.ts';
import { putGoal } from '../../../db/sites/goals.ts';
import { insertSiteKey } from '../../../db/sites/keys.ts';
import { insertSite, updateSite } from '../../../db/sites/sites.ts';
import { newKey, newTenantId, storedKey } from '../../../domain/keys.ts';
import type { SiteLimits } from '../../../domain/sites.ts';

export interface TestSite {
  id: string;
  clientId: string;
  /** `ak_…` */
  key: string;
  keyId: string;
  /** `as_…` */
  tagKey: string;
}

/** No test but one about rates meets them. */
const WIDE: Partial<SiteLimits> = { requests_per_second: 10_000, output_per_second: 10_000 };

/** A site for any host with both kinds of keys, in Moscow and roubles; its rates are opened wide unless told otherwise. */
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

/** An enabled goal of the type js. */
export async function createTestGoal(
  pool: pg.Pool,
  siteId: string,
  code: string,
  value: number | null = null,
): Promise<void> {
  await putGoal(pool, siteId, { code, title: code, type: 'js', match: null, value, enabled: true });
}
