import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AttuneError,
  createAnalyticsClient,
  createCabinetClient,
  createContentClient,
} from '../../../clients/typescript/src/index.ts';
import { RETRY_PAUSES_MS } from '../../../clients/typescript/src/retry.ts';
import {
  createTestProject,
  createTestToken,
  startTestApi,
  type TestApi,
  type TestProject,
} from '../../api/support/testApi.ts';
import { createTestGoal, createTestSite } from '../../api/support/testSite.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addVisitorWithVisit } from '../../support/people/siteFacts.ts';

let database: TestDatabase;
let api: TestApi;
let project: TestProject;
let token: string;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  project = await createTestProject(api.pool);
  token = await createTestToken(api.pool);
});

afterAll(async () => {
  await api.close();
  await database.drop();
});

describe('the client of the content API', () => {
  it('writes and reads an item, including lists in the query', async () => {
    const client = createContentClient({ baseUrl: `${api.content}/`, key: project.key });
    const { data, response } = await client.putItem({
      path: { id: 'a:1' },
      body: { type: 'text', title: 'Урок', properties: { level: 'B1' } },
    });
    expect([response.status, data.status]).toEqual([201, 'queued']);
    const read = await client.getItem({ path: { id: 'a:1' }, query: { include: ['transcript', 'search_chunks'] } });
    expect(read.data).toMatchObject({ id: 'a:1', title: 'Урок', properties: { level: 'B1' } });
    expect(Object.keys(read.data)).toEqual(expect.arrayContaining(['transcript', 'search_chunks']));
    expect(Object.keys(read.data)).not.toContain('frames');
  });

  it('rejects with an error that carries the code, the faults and the id of the request', async () => {
    const client = createContentClient({ baseUrl: api.content, key: project.key });
    const error = await client
      .putItem({ path: { id: 'bad' }, body: { type: 'video' } })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AttuneError);
    expect(error).toMatchObject({
      status: 422,
      code: 'validation_failed',
      details: [{ field: 'media', code: 'required' }],
      requestId: expect.stringMatching(/./),
    });
    await expect(client.getItem({ path: { id: 'none' } })).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
      details: [],
    });
  });

  it('rejects with the error of fetch if there is no answer', async () => {
    const client = createContentClient({
      baseUrl: 'http://127.0.0.1:1/content/api/v1',
      key: project.key,
      retryPausesMs: [],
    });
    const error = await client.getHealth().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'TypeError', message: 'fetch failed' });
  });
});

describe('the client of the analytics API', () => {
  it('sends conversions and orders, and gets the outcome of each', async () => {
    const site = await createTestSite(api.pool);
    await createTestGoal(api.pool, site.id, 'lead');
    const { visitorId } = await addVisitorWithVisit(api.pool, site.id);
    const client = createAnalyticsClient({ baseUrl: api.analytics, key: site.key });
    const { data } = await client.postConversions({
      body: {
        conversions: [
          { id: 'c-1', goal: 'lead', visitor_id: visitorId },
          { id: 'c-2', goal: 'none', visitor_id: visitorId },
        ],
      },
    });
    expect(data).toEqual({ accepted: 1, duplicates: 0, rejected: [{ index: 1, code: 'unknown_goal' }] });
    const orders = [
      { transaction_id: 'A-1', visitor_id: visitorId, revenue: 10, products: [{ name: 'Tea', price: 5, qty: 2 }] },
    ];
    expect((await client.postOrders({ body: { orders } })).data.accepted).toBe(1);
    await expect(
      client.postOrders({ body: { orders: [{ transaction_id: '', visitor_id: visitorId }] } }),
    ).rejects.toMatchObject({ status: 422, details: [{ field: 'orders[0].transaction_id', code: 'invalid_value' }] });
  });
});

describe('the client of the cabinet', () => {
  it('manages webhooks', async () => {
    const client = createCabinetClient({ baseUrl: api.cabinet, key: token });
    const path = { id: project.id };
    const { data } = await client.createWebhook({
      path,
      body: { url: 'https://hooks.example.com/a', events: ['item.processed'] },
    });
    expect(data.secret).toMatch(/^whsec_/);
    expect((await client.listWebhooks({ path })).data.items).toMatchObject([
      { id: data.id, url: 'https://hooks.example.com/a' },
    ]);
    await client.deleteWebhook({ path: { ...path, wid: data.id } });
    expect((await client.listWebhooks({ path })).data.items).toEqual([]);
  });
});

describe('a client after a failure', () => {
  let server: Server;
  let answers: { status: number; retryAfter?: string }[] = [];
  let bodies: string[] = [];
  /** When each request came. */
  let times: number[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      times.push(performance.now());
      let body = '';
      request.on('data', (part: Buffer) => (body += String(part)));
      request.on('end', () => {
        bodies.push(body);
        const { status, retryAfter } = answers.shift() ?? { status: 200 };
        if (status === 0) return void response.destroy();
        response.writeHead(status, {
          'Content-Type': 'application/json',
          ...(retryAfter && { 'Retry-After': retryAfter }),
        });
        return void response.end(
          status === 200 ? '{"status":"ok"}' : '{"error":{"code":"unavailable","message":"later"}}',
        );
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });

  const clientWith = (retryPausesMs?: readonly number[], signal?: AbortSignal) => {
    [bodies, times] = [[], []];
    const { port } = server.address() as AddressInfo;
    return createContentClient({
      baseUrl: `http://127.0.0.1:${port}`,
      key: 'ck_x',
      ...(retryPausesMs && { retryPausesMs }),
      ...(signal && { signal }),
    });
  };
  const put = { path: { id: 'a' }, body: { type: 'text', title: 'once more' } } as const;

  // proves: errors/retry-5xx, analytics-errors/retry-1
  it.each([[429], [500], [502], [503], [504], [0]])(
    'repeats a request that failed with %i, with its body',
    async (status) => {
      answers = [{ status }, { status }];
      await clientWith([1, 1]).putItem(put);
      expect(bodies).toEqual(Array.from({ length: 3 }, () => JSON.stringify(put.body)));
    },
  );

  it('gives up after the last pause, with the last answer', async () => {
    answers = [{ status: 503 }, { status: 503 }, { status: 503 }];
    await expect(clientWith([1, 1]).putItem(put)).rejects.toMatchObject({ status: 503, code: 'unavailable' });
    expect(bodies).toHaveLength(3);
  });

  // proves: errors/no-retry-4xx, analytics-errors/retry-2
  it.each([[400], [401], [403], [404], [413], [422]])('does not repeat %i', async (status) => {
    answers = [{ status }];
    await expect(clientWith([1, 1]).putItem(put)).rejects.toMatchObject({ status });
    expect(bodies).toHaveLength(1);
  });

  // proves: errors/retry-429, analytics-errors/retry-1
  it.each([[429], [503]])('waits as long as an answer of %i tells it to', async (status) => {
    answers = [{ status, retryAfter: '1' }];
    const started = performance.now();
    await clientWith([1]).putItem(put);
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  });

  // proves: analytics-errors/retry-1
  it('waits for one pause after another, and its default pauses grow', async () => {
    answers = [{ status: 503 }, { status: 0 }];
    await clientWith([1, 200]).putItem(put);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(190);
    expect(RETRY_PAUSES_MS.every((pause, index) => pause > (RETRY_PAUSES_MS[index - 1] ?? 0))).toBe(true);
  });

  it.each([['86400'], ['9999999']])('leaves a wait of %s s to the caller', async (retryAfter) => {
    answers = [{ status: 429, retryAfter }];
    await expect(clientWith([1, 1]).putItem(put)).rejects.toMatchObject({
      status: 429,
      retryAfter: Number(retryAfter),
    });
    expect(bodies).toHaveLength(1);
  });

  it('does not wait when it is aborted while it discards an answer', async () => {
    const abort = new AbortController();
    const discarded = new ReadableStream({ cancel: () => abort.abort(new Error('enough')) });
    const client = createContentClient({
      baseUrl: 'https://attune.example.com',
      key: 'ck_x',
      retryPausesMs: [60_000],
      signal: abort.signal,
      fetch: () => Promise.resolve(new Response(discarded, { status: 503 })),
    });
    await expect(client.putItem(put)).rejects.toThrow('enough');
  });

  describe.each([
    ['with AbortSignal.any', AbortSignal.any],
    ['without AbortSignal.any, which older browsers lack', undefined],
  ])('%s', (_name, any) => {
    const original = Object.getOwnPropertyDescriptor(AbortSignal, 'any') ?? {};
    beforeAll(() => {
      if (!any) Reflect.deleteProperty(AbortSignal, 'any');
    });
    afterAll(() => {
      Object.defineProperty(AbortSignal, 'any', original);
    });

    it.each([
      ['of the client', 'during the request'],
      ['of the call', 'during the request'],
      ['of the client', 'before it'],
    ] as const)(
      'ends a call by the signal %s, aborted %s, when both the client and the call have one',
      async (which, when) => {
        const abort = { 'of the client': new AbortController(), 'of the call': new AbortController() };
        if (when === 'before it') abort[which].abort(new Error('enough'));
        const client = createContentClient({
          baseUrl: 'https://attune.example.com',
          key: 'ck_x',
          retryPausesMs: [60_000],
          signal: abort['of the client'].signal,
          fetch: async (request) => {
            abort[which].abort(new Error('enough'));
            (request as Request).signal.throwIfAborted();
            return Response.json({});
          },
        });
        const call = client.putItem({ ...put, signal: abort['of the call'].signal });
        await expect(call).rejects.toThrow('enough');
      },
    );
  });

  it('ends its wait when it is aborted', async () => {
    answers = [{ status: 503 }];
    const abort = new AbortController();
    const client = clientWith([60_000], abort.signal);
    const answered = new Promise((resolve) => {
      server.once(
        'request',
        (_request, response: { once(event: 'finish', listener: (value: unknown) => void): void }) =>
          response.once('finish', resolve),
      );
    });
    const call = client.putItem(put);
    await answered;
    abort.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });
});
