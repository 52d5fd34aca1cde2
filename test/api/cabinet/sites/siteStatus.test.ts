/** GET /sites/{id}/status: the state of the data that a site's tag sends. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { fetch } from 'undici';
import { listSenders, recordSenders, SENDERS_PER_OUTCOME } from '../../../../db/sites/senders.ts';
import { revokeSiteKey } from '../../../../db/sites/siteKeys.ts';
import { updateSite } from '../../../../db/sites/sites.ts';
import { newKey } from '../../../../domain/accounts/keyFormats.ts';
import { eventually } from '../../../support/eventually.ts';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, createTestToken, type Client } from '../../support/testApi.ts';
import { createTestSite, type TestSite } from '../../support/testSite.ts';

const stage = stageApi();
let admin: Client;

beforeAll(async () => {
  admin = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
});

async function newSite(hosts: string[]): Promise<TestSite> {
  const site = await createTestSite(stage.database.pool);
  await updateSite(stage.database.pool, site.id, { hosts });
  return site;
}

async function view(key: string, host: string, headers: Record<string, string> = {}): Promise<number> {
  const now = new Date().toISOString();
  const events = [{ id: randomUUID(), at: now, type: 'pageview', url: `https://${host}/` }];
  const { status } = await fetch(`${stage.api.origin}/collect`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', ...headers },
    body: JSON.stringify({ key, visitor_id: randomUUID(), sent_at: now, events }),
  });
  return status;
}

const status = async ({ id }: TestSite) => (await admin('GET', `/sites/${id}/status`)).body;

describe('GET /sites/{id}/status', () => {
  it('shows where batches came from and which hosts and keys were refused, and forgets a host that is allowed', async () => {
    const site = await newSite(['shop.example', '*.shop.example']);
    expect(await view(site.tagKey, 'shop.example', { origin: 'https://www.shop.example' })).toBe(202);
    expect(await view(site.tagKey, 'shop.example')).toBe(202);
    expect(await view(site.tagKey, 'beta.example')).toBe(403);
    expect(await view(newKey('tag'), 'deep.www.shop.example')).toBe(401);
    const told = await eventually(async () => {
      const now = await status(site);
      return now.wrong_keys.length > 0 && now;
    }, 'the records of the batches');
    expect(told).toMatchObject({
      last_hit_at: expect.any(String),
      last_hit_on: null,
      refused_hosts: [{ host: 'beta.example', requests: 1 }],
      wrong_keys: [{ host: 'deep.www.shop.example', prefix: expect.stringMatching(/^as_\w{5}$/), revoked: false }],
      today: { hits: { used: 0, quota: 1_000_000 }, recordings: { used: 0 }, recording_mb: { used: 0 } },
    });
    expect(told.hosts.map(({ host }: { host: string }) => host).toSorted()).toEqual([
      'shop.example',
      'www.shop.example',
    ]);
    await updateSite(stage.database.pool, site.id, { hosts: ['shop.example', 'beta.example'] });
    expect((await status(site)).refused_hosts).toEqual([]);
  });

  it("recognises a revoked key as the site's own, on whatever page", async () => {
    const site = await newSite(['shop2.example']);
    const { pool } = stage.database;
    const { rows } = await pool.query<{ id: string }>(`select id from site_keys where site_id = $1 and kind = 'tag'`, [
      site.id,
    ]);
    await revokeSiteKey(pool, site.id, rows[0]?.id ?? '');
    expect(await view(site.tagKey, 'elsewhere.example')).toBe(401);
    await eventually(async () => (await status(site)).wrong_keys.length > 0, 'the revoked key');
    expect((await status(site)).wrong_keys).toMatchObject([
      { host: 'elsewhere.example', prefix: site.tagKey.slice(0, 8), revoked: true },
    ]);
  });

  it('answers 404 for a site that does not exist', async () => {
    expect((await admin('GET', '/sites/zzzzzzzzzzzz/status')).status).toBe(404);
  });
});

describe('the records of senders of a site', () => {
  const noteOf = (siteId: string, n: number) => ({
    siteId,
    outcome: 'unlisted_host' as const,
    host: `${n}.example`,
    requests: 2,
    firstAt: new Date(Date.UTC(2026, 0, 1)),
    lastAt: new Date(Date.UTC(2026, 0, 1) + n * 1000),
  });

  it('are added up, and the oldest make room for new ones', async () => {
    const { pool } = stage.database;
    const site = await newSite(['shop3.example']);
    const many = Array.from({ length: SENDERS_PER_OUTCOME + 5 }, (_, n) => noteOf(site.id, n));
    await recordSenders(pool, many, []);
    await recordSenders(pool, [{ ...noteOf(site.id, 60), host: '40.example' }], []);
    const kept = await listSenders(pool, site.id);
    expect(kept).toHaveLength(SENDERS_PER_OUTCOME);
    expect(kept[0]).toMatchObject({ host: '40.example', requests: 4 });
    expect(kept.map(({ host }) => host)).not.toContain('0.example');
  });
});
