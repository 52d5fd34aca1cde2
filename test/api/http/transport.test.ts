/** Properties of every answer: ids, schemes, hosts, addresses, slow bodies, malformed requests. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { turnsUntil, withFakeTime, withStoppedClock } from '../../support/jest/fakeTime.ts';
import {
  clientOf,
  createTestProject,
  startTestApi,
  type TestApi,
  type TestApiOptions,
  type TestProject,
} from '../support/testApi.ts';

let database: TestDatabase;
let project: TestProject;
const running: TestApi[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  project = await createTestProject(database.pool);
});

afterEach(async () => {
  for (const api of running.splice(0)) await api.close();
});

afterAll(async () => {
  await database?.drop();
});

async function start(env: Record<string, string> = {}, more: Partial<TestApiOptions> = {}): Promise<TestApi> {
  const api = await startTestApi({ databaseUrl: database.url, env, ...more });
  running.push(api);
  return api;
}

function socketTo(api: TestApi): Socket {
  return connect(Number(new URL(api.origin).port), '127.0.0.1');
}

/** Sends raw bytes and reads until the server closes the connection. */
async function rawExchange(api: TestApi, request: string): Promise<string> {
  const socket = socketTo(api);
  let text = '';
  socket.on('data', (chunk) => (text += chunk)).on('error', () => {});
  socket.write(request);
  await once(socket, 'close');
  return text;
}

describe('X-Request-ID', () => {
  // proves: decisions-order/request-id
  it('echoes an id of the allowed form and replaces any other', async () => {
    const call = clientOf((await start()).content, null);
    const idFor = async (id: string): Promise<string | null> =>
      (await call('GET', '/health', undefined, { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await idFor('My.id_1-2')).toBe('My.id_1-2');
    expect(await idFor('x'.repeat(64))).toBe('x'.repeat(64));
    for (const bad of ['x'.repeat(65), 'a b', 'a/b', 'a,b']) expect(await idFor(bad)).toMatch(/^[0-9a-f-]{36}$/);
  });

  // proves: service/5
  it.each([
    ['a request that is not HTTP', 'hello\r\n\r\n', 400],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['headers that do not end', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('is there for %s', async (_what, request, status) => {
    const text = await rawExchange(await start(), request);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(text).toMatch(/\r\nX-Request-ID: [0-9a-f-]{36}\r\n/i);
    expect(text).toMatch(/"code":"invalid_request"/);
  });

  it.each(['http://', 'http://['])('is there for a target that is no address: %s', async (target) => {
    const api = await start();
    const text = await rawExchange(api, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1.1 400 [^]*\r\nX-Request-ID: [0-9a-f-]{36}\r\n[^]*"code":"invalid_request"/i);
    expect(api.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  // proves: decisions-order/request-id
  it('is set even without a Host and with an unknown expectation', async () => {
    const api = await start();
    expect(await rawExchange(api, 'GET /nothing HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 404 [^]*X-Request-ID/i,
    );
    expect(
      await rawExchange(api, 'GET /nothing HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nConnection: close\r\n\r\n'),
    ).toMatch(/^HTTP\/1.1 404 [^]*X-Request-ID/i);
  });
});

describe('REQUIRE_HTTPS', () => {
  it('refuses plain http with 403, even for the health check, after 404 and before 401', async () => {
    const call = clientOf((await start({ REQUIRE_HTTPS: 'true' })).content, null);
    expect(await call('GET', '/items/a')).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    expect((await call('GET', '/health')).status).toBe(403);
    expect((await call('GET', '/nothing')).status).toBe(404);
  });

  // proves: analytics/base-address, decisions-hosting/https-scheme
  it('trusts X-Forwarded-Proto only from a trusted proxy', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const trusting = clientOf(
      (await start({ REQUIRE_HTTPS: 'true', TRUSTED_PROXIES: '127.0.0.1' })).content,
      project.key,
    );
    expect((await trusting('GET', '/items/a', undefined, { headers })).status).toBe(404);
    expect((await trusting('GET', '/items/a')).status).toBe(403);
    const wary = clientOf((await start({ REQUIRE_HTTPS: 'true', TRUSTED_PROXIES: '10.0.0.0/8' })).content, project.key);
    expect((await wary('GET', '/items/a', undefined, { headers })).status).toBe(403);
  });
});

describe('CONTENT_HOST', () => {
  it('serves the content API at /api/v1 of that host only', async () => {
    const api = await start({ CONTENT_HOST: 'content.example.com' });
    const ask = (host: string, path: string): Promise<string> =>
      rawExchange(api, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(await ask('content.example.com', '/api/v1/health')).toMatch(/^HTTP\/1.1 200/);
    expect(await ask('Content.Example.com:8080', '/api/v1/health')).toMatch(/^HTTP\/1.1 200/);
    for (const host of ['content.example.com.', 'content.example.com.:8080'])
      expect(await ask(host, '/api/v1/health')).toMatch(/^HTTP\/1.1 200/);
    expect(await ask('other.example.com', '/api/v1/health')).toMatch(/^HTTP\/1.1 404/);
    expect(await ask('content.example.com', '/content/api/v1/health')).toMatch(/^HTTP\/1.1 200/);
  });
});

describe('limits per address', () => {
  // proves: limits/one-address, analytics-limits/one-address
  // proves: decisions-cabinet/address-limits, decisions-hosting/client-address, decisions-order/address-bucket
  // proves: decisions-order/401-before-429
  it('count everything under /api/ of one client behind a proxy', async () => {
    const api = await start({ IP_REQUESTS_PER_MINUTE: '5', TRUSTED_PROXIES: '127.0.0.1' });
    const call = clientOf(api.content, project.key);
    const as = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });
    const refused = await withStoppedClock(async () => {
      for (let sent = 0; sent < 3; sent++)
        expect((await call('GET', '/items/a', undefined, as('1.1.1.1'))).status).toBe(404);
      expect((await call('GET', '/nothing', undefined, as('1.1.1.1'))).status).toBe(404);
      expect((await clientOf(api.cabinet, null)('GET', '/me', undefined, as('1.1.1.1'))).status).toBe(401);
      return call('GET', '/health', undefined, as('1.1.1.1'));
    });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(12);
    expect((await call('GET', '/items/a', undefined, as('2.2.2.2'))).status).toBe(404);
    expect((await clientOf(api.content, null)('GET', '/items/a', undefined, as('1.1.1.1'))).status).toBe(401);
  });

  // proves: analytics-limits/one-address
  it('are 3,000 a minute and 50 at a time by default', async () => {
    const { config } = await start();
    expect([config.ipRequestsPerMinute, config.ipSimultaneous]).toEqual([3000, 50]);
  });

  // proves: limits/one-address
  // proves: decisions-cabinet/address-limits
  it('allow the configured number of requests at a time', async () => {
    const api = await start({ IP_SIMULTANEOUS: '2' });
    const slow = [socketTo(api), socketTo(api)];
    const head = `PUT /content/api/v1/items/slow HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${project.key}\r\nContent-Type: application/json\r\nContent-Length: 15\r\nExpect: 100-continue\r\n\r\n`;
    const answers = slow.map(async (socket) => {
      socket.write(head);
      await once(socket, 'data');
    });
    await Promise.all(answers); // both requests are admitted and wait for their bodies
    const call = clientOf(api.content, project.key);
    const refused = await call('GET', '/items/a');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    for (const socket of slow) {
      const answered = once(socket, 'data');
      socket.write('{"type":"text"}');
      expect(String((await answered)[0])).toMatch(/^HTTP\/1.1 20[01]/);
      socket.destroy();
    }
    let status = 429;
    while (status === 429) status = (await call('GET', '/items/a')).status;
    expect(status).toBe(404);
  });
});

describe('a request body', () => {
  const head = (length: number): string =>
    `PUT /content/api/v1/items/a HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${project.key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  // proves: decisions-order/slow-body
  it.each([
    ['stops coming', { maxBytes: 1000, silenceMs: 200, totalMs: 60_000 }],
    ['takes longer than is allowed in all', { maxBytes: 1000, silenceMs: 60_000, totalMs: 200 }],
  ])('gets 408 and a closed connection if it %s', async (_what, bodyLimits) => {
    const api = await start({}, { bodyLimits });
    const text = await rawExchange(api, `${head(100)}{"ty`);
    expect(text).toMatch(/^HTTP\/1.1 408 [^]*"request_timeout"/);
    expect(text).toMatch(/\r\nConnection: close\r\n/i);
  });

  // proves: decisions-order/slow-body
  it('gets its full time, longer than other requests, as long as it keeps arriving', async () => {
    const bodyLimits = { maxBytes: 1000, silenceMs: 2_000, totalMs: 600_000 };
    const api = await start({}, { bodyLimits, requestTimeoutMs: 500 });
    const body = JSON.stringify({ type: 'text', title: 'as slow as it may be and longer' });
    await withFakeTime(['setTimeout', 'clearTimeout'], async (pass) => {
      const socket = socketTo(api);
      const closed = once(socket, 'close').then((): never => {
        throw new Error('the connection was closed');
      });
      const answered = once(socket, 'data');
      const asked = once(api.server.server, 'request') as Promise<[IncomingMessage]>;
      socket.write(head(body.length));
      const [incoming] = await Promise.race([asked, closed]);
      // Until the body is being read, the request timeout would end the request.
      await turnsUntil(() => incoming.readableFlowing === true, 'a reader of the body', incoming.socket);
      const before = incoming.socket.bytesRead;
      // Each byte arrives within the idle timeout; together they take far longer than that and the request timeout.
      for (const [index, byte] of [...body].entries()) {
        await pass(1_900);
        socket.write(byte);
        await turnsUntil(() => incoming.socket.bytesRead > before + index, `byte ${index}`, incoming.socket);
      }
      expect(String((await Promise.race([answered, closed]))[0])).toMatch(/^HTTP\/1.1 201 /);
      socket.destroy();
    });
  });

  it('is not asked for if the request has already been refused', async () => {
    const api = await start();
    const text = await rawExchange(
      api,
      'PUT /content/api/v1/items/a HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 15\r\nExpect: 100-continue\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1.1 401 /);
    expect(text).not.toMatch(/100 Continue/);
  });

  it('is read without being asked for from a client of HTTP/1.0, which does not know 100 Continue', async () => {
    const body = '{"type":"text"}';
    const text = await rawExchange(
      await start(),
      `${head(body.length).replace('1.1', '1.0').replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n')}${body}`,
    );
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([expect.stringMatching(/20[01]$/)]);
  });

  it('is refused without being asked for if it is announced as too large', async () => {
    const api = await start();
    const text = await rawExchange(
      api,
      `PUT /content/api/v1/items/a HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${project.key}\r\nContent-Length: 5242881\r\nExpect: 100-continue\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1.1 413 /);
    expect(text).toMatch(/\r\nConnection: close\r\n/i);
  });

  it('gets no answer, but a line in the log, if it ends early', async () => {
    const api = await start();
    const socket = socketTo(api);
    socket.write(
      `PUT /content/api/v1/items/gone HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${project.key}\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`,
    );
    await once(socket, 'data');
    socket.destroy();
    await clientOf(api.content, null)('GET', '/health');
    while (!api.log.some((line) => line['status'] === 499)) await new Promise(setImmediate);
    expect(api.log.filter((line) => line['level'] === 'error')).toEqual([]);
  });
});

describe('the log', () => {
  it('has one line per request, without key, query or body', async () => {
    const api = await start();
    const call = clientOf(api.content, project.key);
    await call(
      'PUT',
      '/items/logged?note=querytext',
      { type: 'text', title: 'bodytext' },
      { headers: { 'x-request-id': 'log-1' } },
    );
    while (api.log.length === 0) await new Promise(setImmediate);
    expect(api.log).toHaveLength(1);
    expect(api.log[0]).toMatchObject({
      method: 'PUT',
      route: '/content/api/v1/items/{id}',
      status: 201,
      requestId: 'log-1',
      projectId: project.id,
      msg: 'request',
    });
    expect(JSON.stringify(api.log)).not.toMatch(/querytext|bodytext|logged|ck_/);
  });
});

describe('metrics', () => {
  it('count by route template and status', async () => {
    const api = await start();
    const call = clientOf(api.content, project.key);
    await call('GET', '/items/metric-1');
    await call('GET', '/items/metric-2');
    await call('GET', '/secret-path');
    const text = await api.registry.metrics();
    expect(text).toMatch(
      /attune_http_request_duration_seconds_count\{method="GET",route="\/content\/api\/v1\/items\/\{id\}",status="404"\} 2/,
    );
    expect(text).toMatch(/route="unknown",status="404"\} 1/);
    expect(text).not.toMatch(/metric-1|secret-path/);
    expect(text).toMatch(/attune_http_requests_in_flight 0/);
  });
});
