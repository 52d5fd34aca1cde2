/** A site with a tag key, and the requests that a tracker sends to it. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { fetch, type RequestInit } from 'undici';
import { insertClient } from '../../../../db/accounts/clients.ts';
import { insertSiteKey } from '../../../../db/sites/siteKeys.ts';
import { insertSite } from '../../../../db/sites/sites.ts';
import type { CollectedBatch } from '../../../../domain/collect/collected.ts';
import { newKey, storedKey } from '../../../../domain/accounts/keyFormats.ts';
import { newTenantId } from '../../../../domain/accounts/tenantIds.ts';
import { clientOf, type Answer, type TestApi } from '../../support/testApi.ts';

export interface TestSite {
  id: string;
  clientId: string;
  tagKey: string;
  tagKeyId: string;
}

export async function createTestSite(pool: pg.Pool, hosts: readonly string[] = ['*']): Promise<TestSite> {
  const clientId = await insertClient(pool, 'Client');
  const id = newTenantId();
  await insertSite(pool, { id, clientId, title: 'Site', hosts, timezone: 'Europe/Moscow', currency: 'RUB' });
  const tagKey = newKey('tag');
  const stored = await insertSiteKey(pool, id, { kind: 'tag', name: 'tag', publicKey: tagKey, ...storedKey(tagKey) });
  return { id, clientId, tagKey, tagKeyId: stored.id };
}

let count = 0;

/** Returns a page view of now, with overrides. */
export function event(change: object = {}): Record<string, unknown> {
  return { id: `e-${++count}`, at: new Date().toISOString(), type: 'pageview', url: 'https://shop.test/', ...change };
}

/** Returns a batch of a new visitor, sent now, with overrides. */
export function batch(
  key: string,
  events: readonly unknown[] = [event()],
  change: object = {},
): Record<string, unknown> {
  return { key, visitor_id: randomUUID(), sent_at: new Date().toISOString(), events, ...change };
}

/** Sends POST /collect; answers are validated against the API description. */
export function collect(api: TestApi, body: unknown, init: RequestInit = {}): Promise<Answer> {
  return clientOf(api.origin, null)('POST', '/collect', body, init);
}

/** Sends a request whose answer is not validated against an API description. */
export async function plain(
  url: string,
  init: RequestInit = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers as unknown as Headers, text: await response.text() };
}

export interface InboxRow {
  id: string;
  shard: number;
  siteId: string;
  visitorId: string;
  receivedAt: Date;
  ip: string;
  userAgent: string;
  batch: CollectedBatch;
}

export async function readInbox(pool: pg.Pool, siteId: string): Promise<InboxRow[]> {
  const { rows } = await pool.query<InboxRow>(
    `select id, shard, site_id as "siteId", visitor_id as "visitorId", received_at as "receivedAt", ip, user_agent as "userAgent", batch
       from collect_inbox where site_id = $1 order by id`,
    [siteId],
  );
  return rows;
}
