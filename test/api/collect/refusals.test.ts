/** Faults that refuse a whole batch, and which of two faults is reported. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { insertSiteKey, revokeSiteKey } from '../../../db/sites/siteKeys.ts';
import { updateSite } from '../../../db/sites/sites.ts';
import { newKey, storedKey } from '../../../domain/accounts/keyFormats.ts';
import { stageApi } from '../support/stageApi.ts';
import { clientOf, startTestApi, type Answer } from '../support/testApi.ts';
import { batch, collect, createTestSite, event, readInbox, type TestSite } from './support/site.ts';
import { setClientState } from '../../support/setClientState.ts';

const stage = stageApi();
let site: TestSite;

const ORIGIN = 'https://shop.test';
const TOO_LARGE = new Uint8Array(64 * 1024 + 1).fill(0x20);

beforeEach(async () => {
  site = await createTestSite(stage.database.pool);
});

/** Checks what all errors share: English text, an id, CORS headers for the page that asked, nothing stored. */
async function expectError(answer: Answer, status: number, code: string, details?: unknown): Promise<void> {
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  expect(answer.body.error.message).toMatch(/^[A-Z][a-z ,]+/);
  if (details !== undefined) expect(answer.body.error.details).toEqual(details);
  expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
  expect(await readInbox(stage.database.pool, site.id)).toEqual([]);
}
const send = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  collect(stage.api, body, { headers: { origin: ORIGIN, ...headers } });
const change = (given: object): Promise<Answer> => send(batch(site.tagKey, [event()], given));

describe('404', () => {
  it.each([
    ['GET', '/collect'],
    ['PUT', '/collect'],
    ['OPTIONS', '/collect'],
    ['POST', '/collect/openapi.json'],
    ['POST', '/collect/'],
    ['POST', '/Collect'],
    ['POST', '/collector'],
  ])('is the answer to %s %s', async (method, path) => {
    const answer = await clientOf(stage.api.origin, null)(method, path);
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
  });

  it('is the answer to HEAD too', async () => {
    expect((await clientOf(stage.api.origin, null)('HEAD', '/collect')).status).toBe(404);
  });
});

describe('401', () => {
  it.each<[string, unknown]>([
    // proves: collect/key
    ['no key', undefined],
    // proves: collect/key
    ['an unknown key', newKey('tag')],
    // proves: collect/key
    ['a key of the API', newKey('site')],
    // proves: collect/key
    ['a key of a project', newKey('project')],
    ['an empty key', ''],
    ['a number for a key', 1],
    ['null for a key', null],
    ['a very long key', `as_${'x'.repeat(60_000)}`],
  ])('is the answer to %s', async (_what, key) => {
    await expectError(await change({ key }), 401, 'unauthorized');
  });

  // proves: collect/key
  it('is the answer to the API key of the same site', async () => {
    const key = newKey('site');
    await insertSiteKey(stage.database.pool, site.id, { kind: 'api', name: 'api', publicKey: null, ...storedKey(key) });
    await expectError(await change({ key }), 401, 'unauthorized');
  });

  // proves: collect/key
  it('is the answer to a key in the address', async () => {
    const answer = await clientOf(stage.api.origin, null)('POST', `/collect?key=${site.tagKey}`, batch(site.tagKey), {
      headers: { origin: ORIGIN },
    });
    await expectError(answer, 401, 'unauthorized');
  });

  // proves: collect/key
  it('is the answer to a key that was accepted a moment ago and then revoked', async () => {
    expect((await send(batch(site.tagKey, []))).status).toBe(202);
    await revokeSiteKey(stage.database.pool, site.id, site.tagKeyId);
    let answer = await send(batch(site.tagKey, []));
    while (answer.status === 202) answer = await send(batch(site.tagKey, []));
    await expectError(answer, 401, 'unauthorized');
  });

  it('comes before faults of the batch', async () => {
    await expectError(await change({ key: newKey('tag'), visitor_id: 1, events: 'none' }), 401, 'unauthorized');
  });
});

describe('403', () => {
  // proves: collect/403
  it.each([
    ['blocked', { state: 'blocked' }],
    ['deleted', { state: 'deleted' }],
    ['of a blocked owner', { ownerState: 'blocked' }],
  ] as const)('is the answer for a site that is %s', async (_what, given) => {
    await updateSite(stage.database.pool, site.id, given);
    await expectError(await change({}), 403, 'forbidden');
  });

  // proves: collect/403
  it('is the answer for a site of a blocked client', async () => {
    await setClientState(stage.database.pool, site.clientId, 'blocked');
    await expectError(await change({}), 403, 'forbidden');
  });

  // proves: collect/403
  it.each([
    ['https://shop.test', 'https://shop.test/a', 202],
    ['https://www.shop.test', 'https://shop.test/', 403],
    ['https://shop.test', 'https://www.shop.test/', 403],
    ['https://a.blog.test', 'http://b.c.blog.test:8080/', 202],
    ['https://blog.test', 'https://shop.test/', 403],
    ['https://notblog.test', 'https://shop.test/', 403],
    ['null', 'https://shop.test/', 403],
    ['https://shop.test', 'file:///home/saved.html', 403],
    ['https://SHOP.test:444', 'HTTPS://SHOP.TEST./', 202],
    ['https://shop.test.evil.test', 'https://shop.test/', 403],
    ['https://shop.test', 'https://evil.test/?shop.test', 403],
    ['https://shop.test', 'https://shop.test@evil.test/', 403],
  ])('is the answer unless origin and page are both listed: %s, %s: %d', async (origin, url, status) => {
    await updateSite(stage.database.pool, site.id, { hosts: ['shop.test', '*.blog.test'] });
    const answer = await collect(
      stage.api,
      batch(site.tagKey, [event({ url: 'https://shop.test/first' }), event({ url })]),
      { headers: { origin } },
    );
    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
  });

  // proves: collect/403
  it('depends only on the pages if there is no origin, and ignores malformed addresses', async () => {
    await updateSite(stage.database.pool, site.id, { hosts: ['shop.test'] });
    expect((await collect(stage.api, batch(site.tagKey, [event()]))).status).toBe(202);
    expect((await collect(stage.api, batch(site.tagKey, [event({ url: 'https://other.test/' })]))).status).toBe(403);
    expect((await collect(stage.api, batch(site.tagKey, [event({ url: 'nonsense' }), event()]))).body).toEqual({
      accepted: 1,
      dropped: [{ index: 0, code: 'invalid_event' }],
    });
  });

  it('comes before faults of the batch', async () => {
    await updateSite(stage.database.pool, site.id, { hosts: ['other.test'] });
    await expectError(
      await change({ visitor_id: 1, events: Array.from({ length: 51 }, () => event()) }),
      403,
      'forbidden',
    );
  });

  it('is the answer without https where https is required, even to preflights', async () => {
    const strict = await startTestApi({ databaseUrl: stage.database.url, env: { REQUIRE_HTTPS: 'true' } });
    const statuses = [
      (await collect(strict, batch(site.tagKey))).status,
      (
        await clientOf(strict.origin, null)('OPTIONS', '/collect', undefined, {
          headers: { origin: ORIGIN, 'access-control-request-method': 'POST' },
        })
      ).status,
      (await clientOf(strict.origin, null)('GET', '/collect/openapi.json')).status,
    ];
    await strict.close();
    expect(statuses).toEqual([403, 403, 403]);
  });
});

describe('413', () => {
  // proves: tag-limits/batch, collect/64-kb, decisions-faults/sizes
  it('is the answer to one byte more than 64 KB, but not to 64 KB', async () => {
    await expectError(await send(TOO_LARGE.subarray(1)), 400, 'invalid_request');
    await expectError(await send(TOO_LARGE), 413, 'payload_too_large');
  });

  // proves: collect/64-kb
  it('is the answer to a larger body of unknown length too, which is counted while it streams', async () => {
    async function* stream(): AsyncGenerator<Uint8Array> {
      for (let sent = 0; sent < 9; sent++) yield new Uint8Array(8 * 1024).fill(0x20);
    }
    const answer = await collect(stage.api, undefined, {
      body: stream(),
      duplex: 'half',
      headers: { origin: ORIGIN, 'content-type': 'text/plain' },
    });
    await expectError(answer, 413, 'payload_too_large');
  });

  it('comes before a wrong content type', async () => {
    await expectError(await send(TOO_LARGE, { 'content-type': 'image/png' }), 413, 'payload_too_large');
  });
});

describe('400', () => {
  it.each<[string, string | Uint8Array, Record<string, string>]>([
    // proves: collect/malformed
    ['a body that is not JSON', '{"key":', {}],
    // proves: collect/malformed
    ['an empty body', '', {}],
    ['two values', '{} {}', {}],
    // proves: collect/content-type
    ['a form', 'key=1', { 'content-type': 'application/x-www-form-urlencoded' }],
    // proves: collect/content-type
    ['another content type', '{}', { 'content-type': 'text/html' }],
    // proves: collect/content-type
    ['another charset', '{}', { 'content-type': 'text/plain; charset=windows-1251' }],
    // proves: collect/content-type
    ['a compressed body', '{}', { 'content-encoding': 'gzip' }],
    // proves: collect/content-type
    ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}],
    ['an overlong form', new Uint8Array([0x22, 0xc0, 0x80, 0x22]), {}],
  ])('is the answer to %s', async (_what, body, headers) => {
    await expectError(await send(body, headers), 400, 'invalid_request');
  });
});

describe('422', () => {
  it.each<[string, object, { field: string; code: string }]>([
    // proves: collect/visitor_id
    ['no visitor', { visitor_id: undefined }, { field: 'visitor_id', code: 'required' }],
    // proves: collect/visitor_id
    ['a visitor that is not a UUID', { visitor_id: 'me' }, { field: 'visitor_id', code: 'invalid_value' }],
    ['a visitor of another type', { visitor_id: 1 }, { field: 'visitor_id', code: 'invalid_type' }],
    // proves: collect/visitor_id
    ['null for the visitor', { visitor_id: null }, { field: 'visitor_id', code: 'invalid_type' }],
    // proves: collect/sent_at
    ['no time of sending', { sent_at: undefined }, { field: 'sent_at', code: 'required' }],
    // proves: collect/sent_at
    ['an invalid time', { sent_at: 'now' }, { field: 'sent_at', code: 'invalid_value' }],
    ['a number for the time', { sent_at: 1 }, { field: 'sent_at', code: 'invalid_type' }],
    // proves: collect/malformed
    ['no events', { events: undefined }, { field: 'events', code: 'required' }],
    // proves: collect/malformed
    ['events that are not a list', { events: {} }, { field: 'events', code: 'invalid_type' }],
    // proves: collect/malformed
    ['an unknown field', { version: 1 }, { field: 'version', code: 'unknown_field' }],
    // proves: collect/device
    ['a device of another type', { device: 'phone' }, { field: 'device', code: 'invalid_type' }],
    // proves: collect/device
    ['an unknown field of the device', { device: { dpr: 2 } }, { field: 'device.dpr', code: 'unknown_field' }],
    // proves: collect/device
    ['a long language', { device: { language: 'x'.repeat(65) } }, { field: 'device.language', code: 'too_long' }],
    ['NUL', { device: { language: '\0' } }, { field: 'device.language', code: 'invalid_value' }],
    ['half a character', { device: { timezone: '\ud800' } }, { field: 'device.timezone', code: 'invalid_value' }],
  ])('is the answer to %s', async (_what, given, fault) => {
    await expectError(await change(given), 422, 'validation_failed', [fault]);
  });

  // proves: tag-limits/batch, collect/50-events
  it('is the answer to more than 50 events, with too_many, whatever they contain', async () => {
    await expectError(await change({ events: Array.from({ length: 51 }, () => event()) }), 422, 'validation_failed', [
      { field: 'events', code: 'too_many' },
    ]);
    await expectError(await change({ events: Array.from({ length: 20_000 }, () => 0) }), 422, 'validation_failed', [
      { field: 'events', code: 'too_many' },
    ]);
  });

  // proves: collect/malformed
  it.each<[string, unknown]>([
    ['a list', []],
    ['a text', 'batch'],
    ['null', null],
    ['a number', 1],
  ])('is the answer to %s in place of a batch', async (_what, body) => {
    await expectError(await send(JSON.stringify(body)), 422, 'validation_failed', [
      { field: '', code: 'invalid_type' },
    ]);
  });

  // proves: collect/visitor_id
  it('is not the answer to a visitor with a UUID of any version', async () => {
    for (const visitor_id of [
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      randomUUID(),
      '01939d6a-1b2c-7def-8abc-0123456789ab',
    ]) {
      expect((await change({ visitor_id })).status).toBe(202);
    }
  });
});

describe('/collect/openapi.json', () => {
  // proves: collect/described
  it('describes the intake for custom trackers', async () => {
    const { status, body } = await clientOf(stage.api.origin, null)('GET', '/collect/openapi.json');
    expect(status).toBe(200);
    expect(Object.keys(body.paths['/collect'].post.responses)).toEqual([
      '202',
      '400',
      '401',
      '403',
      '408',
      '413',
      '422',
      '429',
      '500',
      '503',
    ]);
    expect(Object.keys(body.paths['/collect'].post.requestBody.content)).toEqual(['application/json', 'text/plain']);
    expect(body.components.schemas.CollectEvent.properties.url.maxLength).toBe(2048);
  });
});
