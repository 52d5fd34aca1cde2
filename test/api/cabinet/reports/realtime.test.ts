import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fetch } from 'undici';
import type { RunningProcess } from '../../../../platform/process/lifecycle.ts';
import { BROWSER } from '../../../loops/ingest/support/inbox.ts';
import { eventually } from '../../../support/eventually.ts';
import { startTestIngest } from '../../../support/lake/ingest.ts';
import { openTestLake, type TestLake } from '../../../support/lake/lake.ts';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, createTestToken, type Client } from '../../support/testApi.ts';
import { createTestSite, type TestSite } from '../../support/testSite.ts';

// Runs before the stage drops its database.
afterAll(async () => {
  await ingest?.close();
  await lake?.close();
});
const stage = stageApi();
let admin: Client;
let lake: TestLake;
let ingest: RunningProcess;

beforeAll(async () => {
  admin = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
});

/** Sends a page view as the tag does. */
async function view(site: TestSite, visitorId: string, url: string, referrer: string | null): Promise<void> {
  const now = new Date().toISOString();
  const events = [{ id: randomUUID(), at: now, type: 'pageview', url, ...(referrer !== null && { referrer }) }];
  const { status } = await fetch(`${stage.api.origin}/collect`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'user-agent': BROWSER },
    body: JSON.stringify({ key: site.tagKey, visitor_id: visitorId, sent_at: now, events }),
  });
  if (status !== 202) throw new Error(`a page view got ${status}`);
}

describe('GET /sites/{id}/realtime', () => {
  it('shows a visitor seconds after the page view, and on the next page after the next view', async () => {
    const site = await createTestSite(stage.database.pool);
    lake = await openTestLake(stage.database.url);
    ingest = await startTestIngest(stage.database.url, lake.settings);
    const visitor = randomUUID();
    await view(site, visitor, 'https://shop.example/catalog/', 'https://www.google.com/');
    await view(site, randomUUID(), 'https://shop.example/catalog/', null);
    const both = await eventually(async () => {
      const { body } = await admin('GET', `/sites/${site.id}/realtime`);
      return body.now === 2 && body;
    }, 'both visitors');
    expect(both).toMatchObject({
      last_30_minutes: { people: 2, visits: 2 },
      pages: [{ domain: 'shop.example', path: '/catalog/', people: 2 }],
      sampled: false,
    });
    expect(both.sources).toEqual([
      { source_type: 'direct', source_name: null, people: 1 },
      { source_type: 'organic', source_name: 'Google', people: 1 },
    ]);
    expect(both.minutes).toHaveLength(30);
    // The hits fall into one minute, or into two if a minute ended between the page views.
    expect(both.minutes.reduce((sum: number, { people }: { people: number }) => sum + people, 0)).toBe(2);
    await view(site, visitor, 'https://shop.example/cart?from=menu', 'https://shop.example/catalog/');
    await eventually(async () => {
      const { body } = await admin('GET', `/sites/${site.id}/realtime`);
      return body.pages.some(({ path, people }: { path: string; people: number }) => path === '/cart' && people === 1);
    }, 'the next page');
  });

  it('answers 404 for a site that does not exist, and shows nobody when nobody is there', async () => {
    expect((await admin('GET', '/sites/zzzzzzzzzzzz/realtime')).status).toBe(404);
    const { status, body } = await admin('GET', `/sites/${(await createTestSite(stage.database.pool)).id}/realtime`);
    expect([status, body.now, body.pages]).toEqual([200, 0, []]);
  });
});
