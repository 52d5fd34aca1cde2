/** The identity of a browser's user: proven by the site's server, or only claimed. */
import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { clientOf, createTestToken, type Client } from '../support/testApi.ts';
import { stageApi } from '../support/stageApi.ts';
import { batch, collect, createTestSite, event, readInbox, type TestSite } from './support/site.ts';

const stage = stageApi();
const SECRET = 'a secret of the site';
let site: TestSite;
let admin: Client;

const hashOf = (userId: string, secret = SECRET): string => createHmac('sha256', secret).update(userId).digest('hex');
const set = async (change: object): Promise<Record<string, unknown>> => {
  const { status, body } = await admin('PATCH', `/sites/${site.id}`, change);
  expect({ status, body }).toMatchObject({ status: 200 });
  // Settings are cached by key for a few seconds, so the test takes a new key.
  site.tagKey = (await admin('POST', `/sites/${site.id}/keys`, { kind: 'tag', name: 'new' })).body.key;
  return body;
};

async function stored(user: object): Promise<unknown> {
  await collect(stage.api, batch(site.tagKey, [event({ type: 'user', user })]));
  return (await readInbox(stage.database.pool, site.id)).at(-1)?.batch.events[0]?.user;
}

beforeEach(async () => {
  site = await createTestSite(stage.database.pool);
  admin = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
});

describe('a user_id', () => {
  // proves: analytics-decisions/user_hash
  it('needs no proof where the site has no secret', async () => {
    expect(await stored({ user_id: 'u-1', user_hash: hashOf('u-1') })).toEqual({ user_id: 'u-1' });
  });

  // proves: analytics-decisions/user_hash
  it('is proven by its HMAC-SHA256 in lower-case hex only', async () => {
    await set({ identity_secret: SECRET });
    expect(await stored({ user_id: 'u-1', user_hash: hashOf('u-1') })).toEqual({ user_id: 'u-1', is_proven: true });
    expect(await stored({ user_id: 'Анна', user_hash: hashOf('Анна') })).toMatchObject({ is_proven: true });
    for (const hash of [
      hashOf('u-2'),
      hashOf('u-1').toUpperCase(),
      hashOf('u-1', 'another'),
      hashOf('u-1').slice(1),
      '',
      5,
      null,
      undefined,
    ])
      expect(await stored({ user_id: 'u-1', user_hash: hash, age: 30 })).toEqual({
        user_id: 'u-1',
        age: 30,
        is_proven: false,
      });
    expect(await stored({ age: 30, user_hash: hashOf('') })).toEqual({ age: 30 });
  });

  // proves: analytics-decisions/require_user_hash
  it('is left out without a proof where the site requires one', async () => {
    await set({ identity_secret: SECRET, require_user_hash: true });
    expect(await stored({ user_id: 'u-1', age: 30 })).toEqual({ age: 30 });
    expect(await stored({ user_id: 'u-1', user_hash: hashOf('u-1') })).toEqual({ user_id: 'u-1', is_proven: true });
    await set({ identity_secret: null });
    expect(await stored({ user_id: 'u-1' })).toEqual({ user_id: 'u-1' });
  });
});

it('the secret is never revealed, and is stored encrypted', async () => {
  const body = await set({ identity_secret: SECRET, require_user_hash: true });
  expect(body).toMatchObject({ has_identity_secret: true, require_user_hash: true });
  expect(JSON.stringify(body)).not.toContain(SECRET);
  const { rows } = await stage.database.pool.query(
    'select s::text as text, identity_secret from sites s where id = $1',
    [site.id],
  );
  expect(rows[0].identity_secret.includes(Buffer.from(SECRET))).toBe(false);
  expect((await admin('PATCH', `/sites/${site.id}`, { identity_secret: 'short' })).status).toBe(422);
  expect(await set({ identity_secret: null })).toMatchObject({ has_identity_secret: false });
});

describe('Global Privacy Control', () => {
  const post = async (headers: Record<string, string>) =>
    (await collect(stage.api, batch(site.tagKey, [event(), event()]), { headers })).body;

  it('is honoured: nothing is stored of a browser that sends it', async () => {
    await set({ recordings: true });
    expect(await post({ 'sec-gpc': '1' })).toEqual({
      accepted: 0,
      dropped: [0, 1].map((index) => ({ index, code: 'opted_out' })),
    });
    expect(await readInbox(stage.database.pool, site.id)).toEqual([]);
    expect(await post({ 'sec-gpc': '0' })).toMatchObject({ accepted: 2, recording: 'on' });
  });

  it('is ignored if the settings of the site say so, and the snippet passes that on to the tag', async () => {
    const snippet = async () => (await admin('GET', `/sites/${site.id}/tag`)).body;
    expect((await snippet()).snippet).not.toContain('gpc');
    await set({ honour_gpc: false });
    expect(await post({ 'sec-gpc': '1' })).toMatchObject({ accepted: 2 });
    expect((await snippet()).snippet).toContain(`svc('init','${site.tagKey}',{gpc:false})`);
    expect((await snippet()).external_snippet).toContain('data-off="gpc"');
  });
});
