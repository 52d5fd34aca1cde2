/**
 * A browser that claims to be another user sees none of that user's data: from /collect through the ingest to GET
 * /visitors.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningProcess } from '../../../platform/process/lifecycle.ts';
import { stageApi } from '../../api/support/stageApi.ts';
import { clientOf, createTestToken, type Client } from '../../api/support/testApi.ts';
import { createTestSite, type TestSite } from '../../api/support/testSite.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestIngest } from '../../support/lake/ingest.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';
import { BROWSER } from './support/inbox.ts';

// Runs before the stage drops its database.
afterAll(async () => {
  await ingest?.close();
  await lake?.close();
});
const stage = stageApi();
const SECRET = 'a secret of the site';
const EMAIL = 'anna@example.ru';
const userHash = (userId: string): string => createHmac('sha256', SECRET).update(userId).digest('hex');

let ingest: RunningProcess | undefined;
let lake: TestLake | undefined;
/** This site requires proofs; its data about Anna was sent by its server. */
let site: TestSite;
/** Another site of the network, which knows more about Anna. */
let other: TestSite;

beforeAll(async () => {
  const admin = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
  [site, other] = [await createTestSite(stage.database.pool), await createTestSite(stage.database.pool)];
  await change(admin, site, { identity_secret: SECRET, network: { enabled: true } });
  await change(admin, other, { network: { enabled: true } });
  await tell(site, { user_id: 'anna', email: EMAIL, params: { plan: 'annual' } });
  await tell(other, { user_id: 'a-1', email: EMAIL, gender: 'female' });
  lake = await openTestLake(stage.database.url);
  ingest = await startTestIngest(stage.database.url, lake.settings);
});

async function change(admin: Client, { id }: TestSite, settings: object): Promise<void> {
  expect(await admin('PATCH', `/sites/${id}`, settings)).toMatchObject({ status: 200 });
}

async function tell({ key }: TestSite, user: object): Promise<void> {
  expect(await clientOf(stage.api.analytics, key)('POST', '/users', { users: [user] })).toMatchObject({ status: 202 });
}

/**
 * Sends svc('user', …) from a new browser.
 * @returns what the site knows about its visitor once this is ingested
 */
async function seenBy({ tagKey, key }: TestSite, user: object): Promise<Record<string, unknown>> {
  const visitorId = randomUUID();
  const now = new Date().toISOString();
  const told = { id: randomUUID(), at: now, type: 'user', url: 'https://shop.example/', user: { age: 30, ...user } };
  const { status } = await fetch(`${stage.api.origin}/collect`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'user-agent': BROWSER },
    body: JSON.stringify({ key: tagKey, visitor_id: visitorId, sent_at: now, events: [told] }),
  });
  expect(status).toBe(202);
  const call = clientOf(stage.api.analytics, key);
  return eventually(async () => {
    const { body } = await call('GET', `/visitors/${visitorId}`);
    return body.attributes?.age_group === '25-34' && body.attributes;
  }, 'the visitor with the age that was sent');
}

describe('a visitor who claims to be Anna', () => {
  const ofAnna = { gender: 'female', params: { plan: 'annual' } };
  const ofNobody = { gender: null, params: {} };

  it('and proves it sees what is known about her', async () => {
    expect(await seenBy(site, { user_id: 'anna', user_hash: userHash('anna') })).toMatchObject(ofAnna);
  });

  it.each([
    ['her id without a proof', { user_id: 'anna' }],
    ["her id with another user's proof", { user_id: 'anna', user_hash: userHash('boris') }],
    ['her e-mail address', { email: EMAIL }],
    ['her id and her e-mail address', { user_id: 'anna', email: EMAIL }],
    [
      'her e-mail address, as another user with a proof',
      { user_id: 'boris', user_hash: userHash('boris'), email: EMAIL },
    ],
  ])('by %s sees only his own data, and she sees none of it', async (_what, user) => {
    expect(await seenBy(site, { ...user, interests: ['футбол'] })).toMatchObject(ofNobody);
    const hers = await seenBy(site, { user_id: 'anna', user_hash: userHash('anna') });
    expect(hers).toMatchObject({ ...ofAnna, interests: [] });
  });

  it('by her e-mail address at a site that requires no proof sees nothing that the first site knows', async () => {
    await tell(site, { user_id: 'anna', gender: 'female' });
    await tell(other, { user_id: 'a-1', email: 'moved@example.ru' });
    expect(await seenBy(other, { email: EMAIL })).toMatchObject(ofNobody);
  });
});
