import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  decryptSigningSecret,
  signingSecretKeys,
  webhookSecretContext,
} from '../../../../domain/accounts/secretKeys.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { cleanUp } from '../../../platform/outgoing/support/servers.ts';
import { answerWith, isSignedBy, startReceiver } from '../../../support/servers/receiver.ts';
import { recordEvent, startTestLanes } from '../../../support/webhooks/webhooks.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Client,
  type TestApi,
} from '../../support/testApi.ts';

let database: TestDatabase;
let api: TestApi;
let call: Client;
let project: string;
let base: string;

const UNKNOWN_UUID = '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11';
const GOOD = { url: 'https://hooks.example.com/attune?x=1', events: ['item.processed'] };

/** Resolves the host names of the tests. */
function resolve(name: string): Promise<string[]> {
  if (name.startsWith('silent')) return new Promise(() => {});
  if (name.startsWith('unknown'))
    return Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
  return Promise.resolve(name.startsWith('inside') ? ['93.184.216.34', '10.0.0.1'] : ['93.184.216.34']);
}

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url, resolve });
  call = clientOf(api.cabinet, await createTestToken(database.pool));
});

beforeEach(async () => {
  project = (await createTestProject(database.pool)).id;
  base = `/projects/${project}/webhooks`;
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

async function storedSecret(id: string): Promise<string> {
  const { rows } = await database.pool.query<{ secret: Buffer }>('select secret from webhooks where id = $1', [id]);
  const keys = signingSecretKeys(api.config.secretKey);
  return decryptSigningSecret(keys, rows[0]?.secret ?? Buffer.alloc(0), webhookSecretContext(project, id)).text;
}

describe('webhooks', () => {
  // proves: webhooks/3, decisions-webhooks/create, decisions-webhooks/list, decisions-webhooks/secret
  // proves: decisions-cabinet-calls/webhooks, decisions-cabinet-calls/webhook-new
  it('are created with a secret shown once and stored encrypted', async () => {
    const created = await call('POST', base, { ...GOOD, events: ['item.failed', 'item.failed'] });
    expect(created).toMatchObject({
      status: 201,
      body: { url: GOOD.url, events: ['item.failed'], enabled: true, held_until: null, backlog_since: null },
    });
    expect(created.body.secret).toMatch(/^whsec_[A-Za-z0-9]{40}$/);
    expect(await storedSecret(created.body.id)).toBe(created.body.secret);
    const listed = await call('GET', base);
    const { secret: _secret, ...shown } = created.body;
    expect(listed.body).toEqual({ items: [shown], next_cursor: null });
    expect(await call('GET', `${base}/${created.body.id}`)).toMatchObject({ status: 200, body: shown });
  });

  // proves: decisions-webhooks/create
  it('are created disabled if requested', async () => {
    const { status, body } = await call('POST', base, { ...GOOD, enabled: false });
    expect([status, body.enabled]).toEqual([201, false]);
    expect((await call('GET', `${base}/${body.id}`)).body.enabled).toBe(false);
  });

  // proves: decisions-webhooks/change
  it.each([
    { url: 'https://hooks.example.com/moved' },
    { events: ['item.failed'] },
    { events: ['item.failed', 'item.processed', 'item.failed'] },
    { enabled: false },
    {},
  ])('are changed only where the request says so: %j', async (change) => {
    const { secret: _secret, ...created } = (await call('POST', base, GOOD)).body;
    const events = [...new Set(change.events ?? created.events)];
    const changed = { ...created, ...change, events, updated_at: expect.any(String) };
    expect(await call('PATCH', `${base}/${created.id}`, change)).toMatchObject({ status: 200, body: changed });
    expect((await call('GET', `${base}/${created.id}`)).body).toEqual(changed);
  });

  // proves: decisions-webhooks/delete
  // proves: decisions-cabinet-calls/webhook-changed, decisions-cabinet-calls/webhook-deleted
  it('are changed and deleted', async () => {
    const { id } = (await call('POST', base, GOOD)).body;
    const changed = await call('PATCH', `${base}/${id}`, { enabled: false, events: ['item.processed', 'item.failed'] });
    expect(changed).toMatchObject({
      status: 200,
      body: { enabled: false, events: ['item.processed', 'item.failed'], url: GOOD.url },
    });
    expect(changed.body).not.toHaveProperty('secret');
    expect(await call('DELETE', `${base}/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } });
    expect((await call('DELETE', `${base}/${id}`)).status).toBe(404);
    expect((await call('GET', base)).body.items).toEqual([]);
    expect((await call('GET', `${base}/${id}/deliveries`)).status).toBe(404);
  });

  // proves: decisions-cabinet-calls/webhook-changed
  it('are no longer held back once their address changes', async () => {
    const { id } = (await call('POST', base, GOOD)).body;
    await database.pool.query(
      `update webhooks set failures_in_row = 7, held_until = now() + interval '1 hour' where id = $1`,
      [id],
    );
    expect((await call('PATCH', `${base}/${id}`, { url: GOOD.url })).body.held_until).not.toBeNull();
    expect((await call('PATCH', `${base}/${id}`, { url: `${GOOD.url}&y=2` })).body.held_until).toBeNull();
  });

  // proves: webhook-retries/secret-rotation, decisions-webhooks/rotate, decisions-webhooks/secret
  // proves: decisions-cabinet-calls/webhook-rotated
  it('get a new secret by rotation', async () => {
    const { id, secret } = (await call('POST', base, GOOD)).body;
    const rotated = await call('POST', `${base}/${id}/rotate`);
    expect(rotated.status).toBe(200);
    expect(rotated.body.secret).toMatch(/^whsec_[A-Za-z0-9]{40}$/);
    expect(rotated.body.secret).not.toBe(secret);
    expect(await storedSecret(id)).toBe(rotated.body.secret);
  });

  // proves: webhooks/4, limits/webhooks, decisions-webhooks/sixth, decisions-webhooks/list
  it('are limited to five per project, however many are created at once', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => call('POST', base, GOOD)));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(5);
    expect((await call('GET', base)).body.items).toHaveLength(5);
    const refused = answers.filter((answer) => answer.status !== 201);
    for (const answer of refused)
      expect(answer).toMatchObject({
        status: 422,
        body: { error: { details: [{ field: '', code: 'invalid_value' }] } },
      });
    // A deleted one makes room at once, although its row stays until its journal is removed.
    const deleted = answers.find(({ status }) => status === 201)?.body.id;
    expect((await call('DELETE', `${base}/${deleted}`)).status).toBe(200);
    expect((await call('POST', base, GOOD)).status).toBe(201);
    expect((await call('POST', base, GOOD)).status).toBe(422);
  });

  it.each<[object, string, string]>([
    [{ url: GOOD.url }, 'events', 'required'],
    [{ events: GOOD.events }, 'url', 'required'],
    // proves: webhooks/2, decisions-webhooks/events
    [{ ...GOOD, events: [] }, 'events', 'invalid_value'],
    // proves: webhooks/2, decisions-webhooks/events
    [{ ...GOOD, events: ['webhook.test'] }, 'events[0]', 'invalid_value'],
    [{ ...GOOD, events: 'item.processed' }, 'events', 'invalid_type'],
    [{ ...GOOD, enabled: null }, 'enabled', 'invalid_type'],
    [{ ...GOOD, secret: 'x' }, 'secret', 'unknown_field'],
    // proves: decisions-webhooks/invalid_url
    [{ ...GOOD, url: 'http://hooks.example.com/' }, 'url', 'invalid_url'],
    [{ ...GOOD, url: 'https://me:pw@hooks.example.com/' }, 'url', 'invalid_url'],
    [{ ...GOOD, url: 'https://hooks.example.com/#a' }, 'url', 'invalid_url'],
    [{ ...GOOD, url: 'https://my_host.example.com/' }, 'url', 'invalid_url'],
    [{ ...GOOD, url: 'https://пример.рф/' }, 'url', 'invalid_url'],
    [{ ...GOOD, url: `https://e.com/${'x'.repeat(2048)}` }, 'url', 'too_long'],
    // proves: decisions-webhooks/forbidden_address
    [{ ...GOOD, url: 'https://127.0.0.1/' }, 'url', 'forbidden_address'],
    [{ ...GOOD, url: 'https://[::1]:8443/' }, 'url', 'forbidden_address'],
    [{ ...GOOD, url: 'https://localhost/' }, 'url', 'forbidden_address'],
    // proves: decisions-webhooks/forbidden_address
    [{ ...GOOD, url: 'https://inside.example.com/' }, 'url', 'forbidden_address'],
    [{ ...GOOD, url: 'https://Attune.test:8443/content/api/v1' }, 'url', 'forbidden_address'],
  ])('refuse %j', async (body, field, code) => {
    expect(await call('POST', base, body)).toMatchObject({
      status: 422,
      body: { error: { details: [{ field, code }] } },
    });
  });

  // proves: decisions-webhooks/events
  it.each<[object, string, string]>([
    [{ events: [] }, 'events', 'invalid_value'],
    [{ events: ['item.processed', 'webhook.test'] }, 'events[1]', 'invalid_value'],
    [{ events: null }, 'events', 'invalid_type'],
    [{ url: null }, 'url', 'invalid_type'],
    [{ enabled: null }, 'enabled', 'invalid_type'],
    [{ secret: 'x' }, 'secret', 'unknown_field'],
  ])('refuse the change %j, and stay as they are', async (change, field, code) => {
    const { secret: _secret, ...created } = (await call('POST', base, GOOD)).body;
    expect(await call('PATCH', `${base}/${created.id}`, change)).toMatchObject({
      status: 422,
      body: { error: { details: [{ field, code }] } },
    });
    expect((await call('GET', `${base}/${created.id}`)).body).toEqual(created);
  });

  // proves: decisions-webhooks/unresolvable
  it('accept a name that does not resolve', async () => {
    expect((await call('POST', base, { ...GOOD, url: 'https://unknown.example.com/' })).status).toBe(201);
  });

  // proves: decisions-webhooks/unresolvable
  it('accept a name whose servers do not answer', async () => {
    expect((await call('POST', base, { ...GOOD, url: 'https://silent.example.com/' })).status).toBe(201);
  });

  it('check the address again when it changes', async () => {
    const { id } = (await call('POST', base, GOOD)).body;
    const answer = await call('PATCH', `${base}/${id}`, { url: 'https://inside.example.com/' });
    expect(answer.body.error.details).toMatchObject([{ field: 'url', code: 'forbidden_address' }]);
  });

  it('belong to one project only', async () => {
    const { id } = (await call('POST', base, GOOD)).body;
    const other = `/projects/${(await createTestProject(database.pool)).id}/webhooks`;
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', {}],
      ['DELETE', '', undefined],
      ['POST', '/rotate', undefined],
      ['POST', '/test', undefined],
      ['GET', '/deliveries', undefined],
    ] as const) {
      expect((await call(method, `${other}/${id}${path}`, body)).status).toBe(404);
    }
    expect((await call('POST', '/projects/zzzzzzzzzzzz/webhooks', GOOD)).status).toBe(404);
    expect((await call('GET', `${base}/x/deliveries`)).status).toBe(400);
  });
});

describe('tests and resends', () => {
  // proves: decisions-webhooks/test
  // proves: decisions-cabinet-calls/webhook-test
  it("a test is sent by the first lane and returns the receiver's answer", async () => {
    await database.pool.query('delete from webhooks'); // the lane processes the deliveries of all tests
    const receiver = await startReceiver();
    const { id, secret } = (await call('POST', base, GOOD)).body;
    await database.pool.query('update webhooks set url = $2, enabled = false where id = $1', [id, receiver.url]);
    const lanes = startTestLanes(database, { secretKey: api.config.secretKey });
    try {
      const answer = await call('POST', `${base}/${id}/test`);
      expect([answer.status, answer.body]).toEqual([
        200,
        { delivery_id: expect.any(String), ok: true, status: 200, code: null, error: null },
      ]);
      const [request] = receiver.requests;
      expect(request && isSignedBy(request, secret)).toBe(true);
      expect(JSON.parse(request?.body ?? '')).toMatchObject({
        event: 'webhook.test',
        project_id: project,
        delivery_id: answer.body.delivery_id,
      });

      receiver.answer = answerWith(503);
      expect((await call('POST', `${base}/${id}/test`)).body).toMatchObject({
        ok: false,
        status: 503,
        code: 'http_status',
        error: 'неожиданный код ответа: 503',
      });
      expect(receiver.requests).toHaveLength(2);
      const { body } = await call('GET', `${base}/${id}/deliveries`);
      expect(body.items.map((entry: { status: string }) => entry.status)).toEqual(['failed', 'delivered']);
    } finally {
      await lanes.close();
      await cleanUp();
    }
  });

  // proves: decisions-webhooks/test
  // proves: decisions-cabinet-calls/webhook-test
  it('a test returns the outcome of its attempt', async () => {
    const { id } = (await call('POST', base, GOOD)).body;
    const answer = call('POST', `${base}/${id}/test`);
    // Records a refused connection as the webhook worker does.
    let made = 0;
    while (made === 0) {
      const { rowCount } = await database.pool.query(
        `update deliveries set status = 'failed', lane = null, attempt = 1, error_code = 'connection', error = 'could not connect' where project_id = $1 and event = 'webhook.test'`,
        [project],
      );
      made = rowCount ?? 0;
    }
    expect(await answer).toMatchObject({
      status: 200,
      body: {
        delivery_id: expect.any(String),
        ok: false,
        status: null,
        code: 'connection',
        error: 'could not connect',
      },
    });
  });

  // proves: webhooks/5
  it('the eleventh test within ten minutes is refused with 429', async () => {
    const { id } = (await call('POST', base, GOOD)).body;
    await database.pool.query('insert into webhook_tests (project_id) select $1 from generate_series(1, 10)', [
      project,
    ]);
    const answer = await call('POST', `${base}/${id}/test`);
    expect(answer).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(500);
  });

  // proves: decisions-webhooks/resend
  // proves: decisions-cabinet-calls/resend
  it('a resend queues the delivery again, unless the webhook is disabled', async () => {
    const { id } = (await call('POST', base, GOOD)).body;
    await recordEvent(database.pool, project, 'item-1');
    await database.pool.query(
      `update deliveries set status = 'failed', lane = null, attempt = 7 where project_id = $1`,
      [project],
    );
    const { delivery_id: deliveryId } = (await call('GET', `${base}/${id}/deliveries`)).body.items[0];
    const path = `${base}/${id}/deliveries/${deliveryId}/resend`;
    expect(await call('POST', path)).toMatchObject({
      status: 202,
      body: { delivery_id: deliveryId, status: 'pending' },
    });
    await call('PATCH', `${base}/${id}`, { enabled: false });
    expect((await call('POST', path)).status).toBe(422);
    expect((await call('POST', `${base}/${id}/deliveries/${UNKNOWN_UUID}/resend`)).status).toBe(404);
  });
});
