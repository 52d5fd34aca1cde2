/**
 * Each code of the document's error table that any method may answer, the headers of every answer, and which of two
 * faults is reported first.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { fetch } from 'undici';
import { analyticsOperations } from '../../../api/analyticsApi.ts';
import { limitOf } from '../../../api/analytics/keyLimits.ts';
import { insertSiteKey, revokeSiteKey } from '../../../db/sites/siteKeys.ts';
import { updateSite } from '../../../db/sites/sites.ts';
import { newKey, storedKey } from '../../../domain/accounts/keyFormats.ts';
import { DEFAULT_SITE_LIMITS } from '../../../domain/sites/siteLimits.ts';
import { createTestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { withStoppedClock } from '../../support/jest/fakeTime.ts';
import { createTestUser } from '../support/people.ts';
import { stageApi } from '../support/stageApi.ts';
import { clientOf, createTestProject, startTestApi, type Answer, type Client } from '../support/testApi.ts';
import { createTestSite, type TestSite } from '../support/testSite.ts';
import { setClientState } from '../../support/setClientState.ts';

const stage = stageApi();
let site: TestSite;
let call: Client;

const ONE_MB = 1024 * 1024;
const EMPTY = { conversions: [] };

beforeAll(async () => {
  site = await createTestSite(stage.database.pool);
  call = clientOf(stage.api.analytics, site.key);
});

/**
 * Checks that the body is {error: {code, message, details?}} with an English message, and that the common headers
 * are set.
 */
function expectError(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.body?.error?.code]).toEqual([status, code]);
  expect(answer.body.error.message).toMatch(/^[ -~]+$/);
  expect(Object.keys(answer.body)).toEqual(['error']);
  expectHeaders(answer);
}

function expectHeaders({ headers }: Pick<Answer, 'headers'>): void {
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
  expect(headers.get('content-type')).toMatch(/^application\/json; charset=utf-8$/);
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
}

/** Repeats the request until the answer is not 202: processes are notified of a change of access asynchronously. */
async function afterwards(request: () => Promise<Answer>): Promise<Answer> {
  return eventually(async () => {
    const answer = await request();
    return answer.status === 202 ? null : answer;
  }, 'an answer other than 202');
}

const retryAfterOf = ({ headers }: Answer): number => Number(headers.get('retry-after'));

describe('the codes of answers', () => {
  it.each([
    // proves: analytics-errors/400
    ['not JSON', '{"conversions":'],
    // proves: analytics-errors/400
    ['no body', ''],
    // proves: analytics/7, analytics-errors/400
    ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
  ])('invalid_request: %s', async (_what, body) => {
    expectError(await call('POST', '/conversions', body), 400, 'invalid_request');
  });

  // proves: analytics/7, analytics-errors/400
  it('invalid_request: another content type', async () => {
    expectError(
      await call('POST', '/orders', 'orders=', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
      400,
      'invalid_request',
    );
  });

  // proves: analytics-auth/1, analytics-auth/7, analytics-auth/8, analytics-errors/401, decisions-keys/other-kinds
  it('unauthorized: no key, an unknown key, keys of other kinds, a key in the address', async () => {
    const project = await createTestProject(stage.database.pool);
    for (const key of [null, newKey('site'), project.key, site.tagKey, newKey('cabinet')]) {
      expectError(await clientOf(stage.api.analytics, key)('POST', '/conversions', EMPTY), 401, 'unauthorized');
    }
    expectError(
      await clientOf(stage.api.analytics, null)('POST', `/conversions?key=${site.key}`, EMPTY),
      401,
      'unauthorized',
    );
    for (const query of [`key=${site.key}`, site.key, `${project.key}=1`, `key=Bearer%20${site.key}`])
      expectError(await call('POST', `/conversions?${query}`, EMPTY), 401, 'unauthorized');
  });

  // proves: decisions-keys/other-kinds
  it('unauthorized: a key of this API does not work for the content API', async () => {
    expect((await clientOf(stage.api.content, site.key)('GET', '/event-types')).status).toBe(401);
  });

  // proves: analytics-auth/4, analytics-auth/8, analytics-errors/401, analytics-states/key-revoked
  it('unauthorized: a revoked key, immediately', async () => {
    const own = await createTestSite(stage.database.pool);
    const client = clientOf(stage.api.analytics, own.key);
    expect((await client('POST', '/conversions', EMPTY)).status).toBe(202);
    await revokeSiteKey(stage.database.pool, own.id, own.keyId);
    expectError(await afterwards(() => client('POST', '/conversions', EMPTY)), 401, 'unauthorized');
  });

  it.each<[string, (own: TestSite) => Promise<unknown>]>([
    // proves: analytics-auth/8, analytics-errors/403
    ['a blocked site', ({ id }) => updateSite(stage.database.pool, id, { state: 'blocked' })],
    // proves: analytics-auth/8, analytics-errors/403
    ['a deleted site', ({ id }) => updateSite(stage.database.pool, id, { state: 'deleted' })],
    // proves: analytics-auth/8, analytics-errors/403
    ['an owner whose state is blocked', ({ id }) => updateSite(stage.database.pool, id, { ownerState: 'blocked' })],
    // proves: analytics-auth/8
    ['a blocked client', ({ clientId }) => setClientState(stage.database.pool, clientId, 'blocked')],
    // proves: analytics-auth/8
    [
      'an owner who is blocked as a user',
      async ({ id }) => {
        const owner = await createTestUser(stage.database.pool, 'owner', { sites: [id] });
        await stage.database.pool.query(`update users set state = 'blocked' where id = $1`, [owner.id]);
      },
    ],
  ])('forbidden: %s, immediately', async (_what, block) => {
    const own = await createTestSite(stage.database.pool);
    const client = clientOf(stage.api.analytics, own.key);
    expect((await client('POST', '/orders', { orders: [] })).status).toBe(202);
    await block(own);
    expectError(await afterwards(() => client('POST', '/orders', { orders: [] })), 403, 'forbidden');
  });

  // proves: analytics/base-address
  it('forbidden: http where https is required', async () => {
    const strict = await startTestApi({ databaseUrl: stage.database.url, env: { REQUIRE_HTTPS: 'true' } });
    try {
      expectError(await clientOf(strict.analytics, site.key)('POST', '/conversions', EMPTY), 403, 'forbidden');
    } finally {
      await strict.close();
    }
  });

  // proves: analytics/3, analytics/6, analytics-errors/body, analytics-errors/404
  it.each([
    ['GET', '/conversions'],
    ['PUT', '/orders'],
    ['DELETE', '/conversions/c-1'],
    ['POST', '/nothing'],
    ['GET', '/'],
    ['POST', '/conversions/'],
    ['HEAD', '/health'],
    ['OPTIONS', '/conversions'],
  ])('not_found: no such method: %s %s, with and without a key', async (method, path) => {
    for (const key of [site.key, null]) {
      const response = await fetch(stage.api.analytics + path, {
        method,
        headers: { ...(key !== null && { authorization: `Bearer ${key}` }), origin: 'https://shop.test' },
      });
      const text = await response.text();
      expect(response.status).toBe(404);
      expectHeaders(response);
      if (method !== 'HEAD')
        expect(JSON.parse(text)).toEqual({ error: { code: 'not_found', message: expect.stringMatching(/^[ -~]+$/) } });
    }
  });

  // proves: analytics/7, analytics-errors/413, analytics-limits/any-request, decisions-faults/sizes
  it('payload_too_large: over 1 MB, whatever the body contains; exactly 1 MB is accepted', async () => {
    const body = (bytes: number): string => JSON.stringify(EMPTY).padEnd(bytes, ' ');
    expectError(await call('POST', '/conversions', body(ONE_MB + 1)), 413, 'payload_too_large');
    expectError(await call('POST', '/orders', '{'.padEnd(ONE_MB + 1, ' ')), 413, 'payload_too_large');
    expect((await call('POST', '/conversions', body(ONE_MB))).status).toBe(202);
  });

  // proves: analytics-errors/body, analytics-errors/422, decisions-order/languages, decisions-faults/one-body
  it('validation_failed: names the fields and their faults, without messages', async () => {
    const answer = await call('POST', '/conversions', { conversions: [{}] });
    expectError(answer, 422, 'validation_failed');
    expect(answer.body.error.details).toEqual(
      expect.arrayContaining([
        { field: 'conversions[0].id', code: 'required' },
        { field: 'conversions[0].goal', code: 'required' },
      ]),
    );
  });

  // proves: analytics-errors/500
  it('internal: an error of the service itself, without its text', async () => {
    const own = await createTestDatabase();
    const broken = await startTestApi({ databaseUrl: own.url });
    try {
      const { key } = await createTestSite(own.pool);
      await own.pool.query('alter table site_conversions rename to elsewhere');
      const answer = await clientOf(broken.analytics, key)('POST', '/conversions', EMPTY);
      expectError(answer, 500, 'internal');
      expect(JSON.stringify(answer.body)).not.toContain('site_conversions');
    } finally {
      await broken.close();
      await own.drop();
    }
  });

  // proves: analytics-errors/503
  it('unavailable: the database is unavailable; with Retry-After', async () => {
    const away = await startTestApi({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' });
    try {
      const answer = await clientOf(away.analytics, site.key)('POST', '/conversions', EMPTY);
      expectError(answer, 503, 'unavailable');
      expect(retryAfterOf(answer)).toBeGreaterThanOrEqual(1);
    } finally {
      await away.close();
    }
  });
});

describe('limits', () => {
  /** Returns the answers of `count` concurrent requests. */
  const burst = (count: number, request: () => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: count }, request));
  const statusesOf = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);

  // proves: analytics-errors/429, analytics-limits/writes-rate, analytics-limits/over-a-limit
  // proves: decisions-order/retry-after
  it('answer rate_limited with Retry-After at once above 20 a second, shared by conversions, orders and users of a key', async () => {
    const own = await createTestSite(stage.database.pool, {});
    const limited = clientOf(stage.api.analytics, own.key);
    const bodies = [
      ['/conversions', EMPTY],
      ['/orders', { orders: [] }],
      ['/users', { users: [] }],
    ] as const;
    const answers: Answer[] = [];
    const started = performance.now();
    // A slow machine may answer the first sixty no faster than tokens refill, so each round sends more.
    for (let each = 20; each <= 320 && !statusesOf(answers).includes(429); each *= 2)
      answers.push(
        ...(await Promise.all(bodies.map(([path, body]) => burst(each, () => limited('POST', path, body))))).flat(),
      );
    const seconds = (performance.now() - started) / 1000;
    const refused = answers.filter(({ status }) => status === 429);
    expect(new Set(statusesOf(answers))).toEqual(new Set([202, 429]));
    // At least the burst of 20, and at most the refill of 20 a second on top: separate limits would admit three
    // times that.
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(20);
    expect(answers.length - refused.length).toBeLessThanOrEqual(21 + 20 * seconds);
    for (const answer of refused) {
      expectError(answer, 429, 'rate_limited');
      expect(retryAfterOf(answer)).toBe(1);
    }
  });

  // proves: analytics-limits/reads-rate
  it('answer rate_limited above the rate that attributes, visitors and network share, separately from writes', async () => {
    const own = await createTestSite(stage.database.pool, { output_per_second: 5 });
    const limited = clientOf(stage.api.analytics, own.key);
    const reads = [
      () => limited('POST', '/visitors/attributes', { visitors: [] }),
      () => limited('GET', `/visitors/${randomUUID()}`),
      () => limited('GET', '/network'),
    ];
    const answers = (await Promise.all(reads.map((read) => burst(5, read)))).flat();
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(5);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) expectError(answer, 429, 'rate_limited');
    expect((await limited('POST', '/conversions', EMPTY)).status).toBe(202);
  });

  // proves: analytics-limits/writes-rate, analytics-limits/reads-rate, decisions-order/buckets
  it('are 20 and 50 a second by default', () => {
    const caller = { keyId: 'k', limits: DEFAULT_SITE_LIMITS };
    const of = (path: string) => limitOf(caller, { path });
    expect(['/users', '/conversions', '/orders'].map((path) => of(path)?.limit)).toEqual(
      Array.from({ length: 3 }, () => ({ capacity: 20, perSecond: 20 })),
    );
    expect(['/visitors/attributes', '/visitors/{visitor_id}', '/network'].map((path) => of(path)?.limit)).toEqual(
      Array.from({ length: 3 }, () => ({ capacity: 50, perSecond: 50 })),
    );
    const sharing = (...paths: string[]) => new Set(paths.map((path) => of(path)?.key));
    expect(sharing('/users', '/conversions', '/orders').size).toBe(1);
    expect(sharing('/visitors/attributes', '/visitors/{visitor_id}', '/network').size).toBe(1);
    expect(sharing('/users', '/network', '/reports').size).toBe(3);
    // Every operation with a key belongs to one of the limits; a new operation must be added here.
    expect(
      analyticsOperations.filter((operation) => limitOf(caller, operation) === null).map(({ path }) => path),
    ).toEqual([]);
  });

  // proves: analytics-limits/writes-rate
  it('are those of the site of the key, and apply to each key', async () => {
    // One request in a thousand seconds, so that a slow machine earns none.
    const own = await createTestSite(stage.database.pool, { requests_per_second: 0.001 });
    const another = newKey('site');
    await insertSiteKey(stage.database.pool, own.id, {
      kind: 'api',
      name: 'another',
      publicKey: null,
      ...storedKey(another),
    });
    for (const key of [own.key, another]) {
      const answers = await burst(5, () => clientOf(stage.api.analytics, key)('POST', '/conversions', EMPTY));
      expect(statusesOf(answers).toSorted()).toEqual([202, 429, 429, 429, 429]);
    }
    expect((await call('POST', '/conversions', EMPTY)).status).toBe(202);
  });

  // proves: analytics-limits/one-address, decisions-order/address-bucket
  it('for an address are shared with the other APIs', async () => {
    const narrow = await startTestApi({ databaseUrl: stage.database.url, env: { IP_REQUESTS_PER_MINUTE: '3' } });
    try {
      const refused = await withStoppedClock(async () => {
        for (const base of [narrow.content, narrow.analytics, narrow.cabinet])
          await clientOf(base, null)('GET', '/openapi.json');
        return clientOf(narrow.analytics, site.key)('POST', '/conversions', EMPTY);
      });
      expectError(refused, 429, 'rate_limited');
    } finally {
      await narrow.close();
    }
  });
});

describe('the first of two faults is reported:', () => {
  const TOO_LARGE = ' '.repeat(ONE_MB + 1);

  // proves: analytics-errors/two-faults, decisions-order/404-first
  it('404 before 401 before 413', async () => {
    const stranger = clientOf(stage.api.analytics, null);
    expectError(await stranger('POST', '/nothing', TOO_LARGE), 404, 'not_found');
    expectError(await stranger('POST', '/conversions', TOO_LARGE), 401, 'unauthorized');
  });

  // proves: analytics-errors/two-faults, decisions-order/403-before-429, decisions-order/429-before-413
  it('403 before 429, 429 before 413', async () => {
    // One request in a thousand seconds, so that a slow machine earns none.
    const own = await createTestSite(stage.database.pool, { requests_per_second: 0.001 });
    const limited = clientOf(stage.api.analytics, own.key);
    const answers = await Promise.all([1, 2, 3, 4].map(() => limited('POST', '/conversions', TOO_LARGE)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([413, 429]));
    await updateSite(stage.database.pool, own.id, { state: 'blocked' });
    const blocked = await eventually(async () => {
      const all = await Promise.all([1, 2, 3, 4].map(() => limited('POST', '/conversions', EMPTY)));
      return all.every(({ status }) => status === 403) ? all : null;
    }, 'four refusals at once');
    for (const answer of blocked) expectError(answer, 403, 'forbidden');
  });

  // proves: analytics-errors/two-faults, decisions-order/413-before-400
  it('413 before 400, 400 before 422', async () => {
    expectError(
      await call('POST', '/conversions', TOO_LARGE, { headers: { 'content-type': 'text/plain' } }),
      413,
      'payload_too_large',
    );
    expectError(
      await call('POST', '/conversions', JSON.stringify({ conversions: 5 }), {
        headers: { 'content-type': 'text/plain' },
      }),
      400,
      'invalid_request',
    );
  });
});

describe('every answer', () => {
  // proves: analytics/3, analytics/6
  it('has the documented headers, and no CORS headers for any caller', async () => {
    for (const path of ['/health', '/openapi.json'])
      expectHeaders(
        await clientOf(stage.api.analytics, null)('GET', path, undefined, { headers: { origin: 'https://shop.test' } }),
      );
    expectHeaders(await call('POST', '/conversions', EMPTY, { headers: { origin: 'https://shop.test' } }));
  });

  // proves: analytics/6
  it('echoes the X-Request-ID of the client', async () => {
    const { headers } = await call('POST', '/conversions', EMPTY, { headers: { 'x-request-id': 'own-1' } });
    expect(headers.get('x-request-id')).toBe('own-1');
  });

  it('is logged with its site', async () => {
    const requestId = randomUUID();
    await call('POST', '/conversions', EMPTY, { headers: { 'x-request-id': requestId } });
    const line = await eventually(
      () => stage.api.log.find((entry) => entry['requestId'] === requestId),
      'the line of the log',
    );
    expect(line).toMatchObject({ siteId: site.id, route: '/analytics/api/v1/conversions', status: 202 });
  });
});

describe('hostile bodies', () => {
  it.each<[string, () => string]>([
    ['deep nesting', () => `{"conversions":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    [
      'deep products',
      () =>
        `{"orders":[{"transaction_id":"a","user_id":"u","products":${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}}]}`,
    ],
    [
      '10,000 different keys',
      () =>
        JSON.stringify({
          conversions: [Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 1]))],
        }),
    ],
    ['a huge text', () => JSON.stringify({ conversions: [{ id: 'x'.repeat(1_000_000), goal: 'lead', user_id: 'u' }] })],
    ['half a million elements', () => JSON.stringify({ conversions: Array.from({ length: 500_000 }, () => 1) })],
    [
      'a number beyond the range of a double',
      () => '{"conversions":[{"id":"a","goal":"lead","user_id":"u","value":1e999}]}',
    ],
  ])('are refused with few details: %s', async (_what, body) => {
    for (const path of ['/conversions', '/orders']) {
      const answer = await call('POST', path, body());
      expectError(answer, 422, 'validation_failed');
      expect(answer.body.error.details.length).toBeLessThanOrEqual(100);
    }
  });
});
