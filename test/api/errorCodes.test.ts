/** Each code of the document's two error tables, with a request that provokes it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateProject } from '../../db/accounts/projects.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  clientOf,
  createTestProject,
  startTestApi,
  type Answer,
  type Client,
  type TestApi,
} from './support/testApi.ts';

let database: TestDatabase;
let api: TestApi;
let call: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  call = clientOf(api.content, (await createTestProject(database.pool)).key);
  await call('PUT', '/items/a', { type: 'text', title: 'A' });
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

/**
 * Checks that the body is {error: {code, message, details?}} with a Russian message, and that the answer has an id.
 */
function expectError({ status, body, headers }: Answer, expected: { status: number; code: string }): void {
  expect([status, body.error.code]).toEqual([expected.status, expected.code]);
  expect(body.error.message).toMatch(/[а-я]/);
  expect(Object.keys(body)).toEqual(['error']);
  expect(headers.get('x-request-id')).toMatch(/./);
}

function retryAfterOf({ headers }: Answer): number {
  return Number(headers.get('retry-after'));
}

const PURCHASE = { order_id: 'A-1', user: { user_id: 'u' }, items: [{ item: 'a' }] };

describe('the code of an answer', () => {
  // proves: errors/400
  it('is invalid_request for a body that is not JSON, and for a wrong parameter of the query or the path', async () => {
    expectError(await call('PUT', '/items/a', '{"type":'), { status: 400, code: 'invalid_request' });
    expectError(await call('GET', '/items/a?include=everything'), { status: 400, code: 'invalid_request' });
    expectError(await call('GET', '/items/a%20b'), { status: 400, code: 'invalid_request' });
  });

  // proves: errors/401
  it('is unauthorized without a key and with a wrong one', async () => {
    expectError(await clientOf(api.content, null)('GET', '/items/a'), { status: 401, code: 'unauthorized' });
    expectError(await clientOf(api.content, `ck_${'A'.repeat(40)}`)('GET', '/items/a'), {
      status: 401,
      code: 'unauthorized',
    });
  });

  // proves: errors/403
  it.each(['suspended', 'archived'] as const)('is forbidden for a project that is %s', async (state) => {
    const project = await createTestProject(database.pool);
    await updateProject(database.pool, project.id, { state });
    expectError(await clientOf(api.content, project.key)('GET', '/items/a'), { status: 403, code: 'forbidden' });
  });

  // proves: errors/body, errors/404
  it('is not_found for an item that does not exist', async () => {
    expectError(await call('GET', '/items/none'), { status: 404, code: 'not_found' });
  });

  // proves: errors/413
  it('is payload_too_large for a body over 5 MB and for a batch over its limit', async () => {
    expectError(await call('PUT', '/items/a', JSON.stringify({ type: 'text', body: 'x'.repeat(5 * 1024 * 1024) })), {
      status: 413,
      code: 'payload_too_large',
    });
    expectError(await call('POST', '/events', { events: Array.from({ length: 1001 }, () => ({})) }), {
      status: 413,
      code: 'payload_too_large',
    });
  });

  // proves: errors/body, errors/422, decisions-order/languages, decisions-faults/one-body
  it('is validation_failed for wrong fields, with the fault of each', async () => {
    const answer = await call('PUT', '/items/a', { type: 'book' });
    expectError(answer, { status: 422, code: 'validation_failed' });
    expect(answer.body.error.details).toEqual([
      { field: 'type', code: 'invalid_value', message: expect.stringMatching(/[а-я]/) },
    ]);
  });

  // proves: errors/429
  it('is rate_limited over the limit, with Retry-After', async () => {
    const { key } = await createTestProject(database.pool, 1);
    const limited = clientOf(api.content, key);
    const answers = await Promise.all([1, 2, 3].map(() => limited('GET', '/items/none')));
    const refused = answers.find(({ status }) => status === 429);
    if (!refused) throw new Error('none of three requests at once was refused');
    expectError(refused, { status: 429, code: 'rate_limited' });
    expect(retryAfterOf(refused)).toBeGreaterThanOrEqual(1);
  });

  // proves: errors/500
  it('is internal for an error of the service itself, without its text', async () => {
    const own = await createTestDatabase();
    const broken = await startTestApi({ databaseUrl: own.url });
    try {
      const { key } = await createTestProject(own.pool);
      await own.pool.query('alter table items rename to elsewhere');
      const answer = await clientOf(broken.content, key)('GET', '/items/a');
      expectError(answer, { status: 500, code: 'internal' });
      expect(JSON.stringify(answer.body)).not.toContain('items');
    } finally {
      await broken.close();
      await own.drop();
    }
  });

  // proves: errors/503
  it('is unavailable without the database, with Retry-After', async () => {
    const away = await startTestApi({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' });
    try {
      const answer = await clientOf(away.content, `ck_${'A'.repeat(40)}`)('GET', '/items/a');
      expectError(answer, { status: 503, code: 'unavailable' });
      expect(retryAfterOf(answer)).toBeGreaterThanOrEqual(1);
    } finally {
      await away.close();
    }
  });
});

describe('the code of a detail', () => {
  const OLD = new Date(Date.now() - 731 * 24 * 3600 * 1000).toISOString();
  const item = (body: object) => ['PUT', '/items/a', { type: 'text', ...body }] as const;

  it.each([
    // proves: errors/field-codes
    ['required', 'type', ['PUT', '/items/a', {}]],
    // proves: errors/field-codes
    ['invalid_type', 'title', item({ title: 5 })],
    // proves: errors/field-codes
    ['invalid_value', 'type', item({ type: 'book' })],
    // proves: errors/field-codes
    ['too_long', 'title', item({ title: 'x'.repeat(1001) })],
    // proves: errors/field-codes
    ['unknown_field', 'colour', item({ colour: 'red' })],
    // proves: errors/invalid_url
    [
      'invalid_url',
      'media[0].url',
      item({ type: 'image', media: [{ kind: 'image', url: 'http://cdn.example.com/1.jpg' }] }),
    ],
    // proves: errors/invalid_datetime
    ['invalid_datetime', 'published_at', item({ published_at: '2026-11-20T09:00:00' })],
    // proves: errors/pii_not_allowed
    [
      'pii_not_allowed',
      'attributes.deep.email',
      ['POST', '/users/profile', { user: { user_id: 'u' }, attributes: { deep: { email: 'a@example.com' } } }],
    ],
    // proves: errors/too_old
    ['too_old', 'occurred_at', ['POST', '/orders', { ...PURCHASE, occurred_at: OLD }]],
  ] as const)('is %s for the field %s', async (code, field, [method, path, body]) => {
    const answer = await call(method, path, body);
    expectError(answer, { status: 422, code: 'validation_failed' });
    expect(answer.body.error.details).toEqual([{ field, code, message: expect.stringMatching(/[а-я]/) }]);
  });

  // proves: errors/no_purchase_type
  it('is no_purchase_type in a project without an event type of purchases', async () => {
    const project = await createTestProject(database.pool);
    await database.pool.query('update event_types set is_purchase = false where project_id = $1', [project.id]);
    const answer = await clientOf(api.content, project.key)('POST', '/orders', PURCHASE);
    expectError(answer, { status: 422, code: 'validation_failed' });
    expect(answer.body.error.details).toMatchObject([{ code: 'no_purchase_type' }]);
  });

  // proves: errors/too_old
  it('is too_old in the result of a batch as well', async () => {
    const { status, body } = await call('POST', '/orders/batch', {
      orders: [
        { ...PURCHASE, occurred_at: OLD },
        { ...PURCHASE, order_id: 'A-2' },
      ],
    });
    expect(status).toBe(202);
    expect(body.results[0]).toMatchObject({
      ok: false,
      error: { code: 'validation_failed', details: [{ field: 'occurred_at', code: 'too_old' }] },
    });
  });
});
