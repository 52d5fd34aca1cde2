/** Every error of the contract, and which of two is reported first. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { revokeProjectKey } from '../../../../db/accounts/projectKeys.ts';
import { updateProject } from '../../../../db/accounts/projects.ts';
import { newKey } from '../../../../domain/accounts/keyFormats.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import {
  clientOf,
  createTestProject,
  startTestApi,
  type Client,
  type TestApi,
  type TestProject,
} from '../../support/testApi.ts';
import { setClientState } from '../../../support/setClientState.ts';

let database: TestDatabase;
let api: TestApi;
let project: TestProject;
let call: Client;
let anonymous: Client;

const TOO_LARGE = new Uint8Array(5 * 1024 * 1024 + 1).fill(0x20);

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  anonymous = clientOf(api.content, null);
});

beforeEach(async () => {
  project = await createTestProject(database.pool);
  call = clientOf(api.content, project.key);
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

function expectError(answer: Awaited<ReturnType<Client>>, status: number, code: string): void {
  expect([answer.status, answer.body?.error?.code]).toEqual([status, code]);
  expect(answer.body.error.message).toMatch(/[а-я]/i);
  expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
}

describe('404', () => {
  it.each([
    // proves: decisions-order/404-first
    ['an unknown path', 'GET', '/nothing'],
    // proves: decisions-order/404-first, decisions-order/other-method
    ['a method that the path lacks', 'POST', '/items/a'],
    ['PUT on the health check', 'PUT', '/health'],
    ['OPTIONS', 'OPTIONS', '/items/a'],
    ['a trailing slash', 'GET', '/items/a/'],
    ['an empty id', 'GET', '/items/'],
    ['another case', 'GET', '/Items/a'],
    ['a path with too many parts', 'GET', '/items/a/b'],
  ])('is the answer to %s, even without a key', async (_what, method, path) => {
    expectError(await anonymous(method, path), 404, 'not_found');
  });

  it('is the answer to an unknown base', async () => {
    for (const base of ['/', '/content', '/content/api/v2/items/a', '/content/api/v1', '/api/v1/health']) {
      expectError(await clientOf(api.origin, project.key)('GET', base), 404, 'not_found');
    }
  });

  // proves: decisions-order/other-method
  it('is the answer to HEAD, without a body', async () => {
    const answer = await call('HEAD', '/items/a');
    expect([answer.status, answer.body]).toEqual([404, null]);
    expect(answer.headers.get('x-request-id')).not.toBeNull();
  });

  it('comes before 413', async () => {
    expectError(await call('PUT', '/nothing', TOO_LARGE), 404, 'not_found');
  });
});

describe('401', () => {
  // proves: auth/1
  it.each([
    ['a missing header', {}],
    ['an unknown key', { authorization: `Bearer ${newKey('project')}` }],
    // proves: decisions-keys/other-kinds
    ['a key of a site', { authorization: `Bearer ${newKey('site')}` }],
    ['a cabinet token', { authorization: `Bearer ${newKey('cabinet')}` }],
    ['a missing scheme', { authorization: newKey('project') }],
    ['another scheme', { authorization: `Basic ${newKey('project')}` }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['a very long token', { authorization: `Bearer ck_${'x'.repeat(8000)}` }],
  ])('is the answer to %s', async (_what, headers) => {
    const answer = await anonymous('GET', '/items/a', undefined, { headers });
    expectError(answer, 401, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  // proves: auth/2
  it('is the answer to a key in the query string, with and without a header', async () => {
    expectError(await anonymous('GET', `/items/a?key=${project.key}`), 401, 'unauthorized');
    expectError(await call('GET', `/items/a?access_token=${project.key}`), 401, 'unauthorized');
  });

  // proves: auth/3
  it('is the answer to a revoked key', async () => {
    await revokeProjectKey(database.pool, project.id, project.keyId);
    expectError(await call('GET', '/items/a'), 401, 'unauthorized');
  });

  it('comes before a body that is too large and before bad parameters', async () => {
    expectError(await anonymous('PUT', '/items/a', TOO_LARGE), 401, 'unauthorized');
    expectError(await anonymous('GET', '/items/a%20b?include=x'), 401, 'unauthorized');
  });

  // proves: auth/1
  it('is not the answer to a scheme in lower case', async () => {
    const answer = await anonymous('GET', '/items/a', undefined, {
      headers: { authorization: `bearer ${project.key}` },
    });
    expect(answer.status).toBe(404);
  });
});

describe('403', () => {
  // proves: auth/3
  it.each(['suspended', 'archived'] as const)('is the answer for a project that is %s', async (state) => {
    await updateProject(database.pool, project.id, { state });
    expectError(await call('GET', '/items/a'), 403, 'forbidden');
  });

  // proves: auth/3, decisions-keys/tenants
  it('is the answer for a blocked client', async () => {
    await setClientState(database.pool, project.clientId, 'blocked');
    expectError(await call('PUT', '/items/a', TOO_LARGE), 403, 'forbidden');
  });
});

describe('413', () => {
  // proves: limits/request-body, decisions-faults/sizes
  it('is the answer to one byte more than 5 MB, but not to exactly 5 MB', async () => {
    const exact = TOO_LARGE.subarray(1);
    expectError(await call('PUT', '/items/a', exact), 400, 'invalid_request');
    expectError(await call('PUT', '/items/a', TOO_LARGE), 413, 'payload_too_large');
  });

  // proves: decisions-order/413-before-400
  it('comes before a wrong content type, a wrong path and a wrong query', async () => {
    expectError(
      await call('PUT', '/items/a%20b?x=1', TOO_LARGE, { headers: { 'content-type': 'text/plain' } }),
      413,
      'payload_too_large',
    );
  });

  it('is the answer to a body without a length that grows too large', async () => {
    async function* stream(): AsyncGenerator<Uint8Array> {
      for (let sent = 0; sent < 6; sent++) yield new Uint8Array(1024 * 1024).fill(0x20);
    }
    const answer = await call('PUT', '/items/a', undefined, {
      body: stream(),
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    });
    expectError(answer, 413, 'payload_too_large');
  });
});

describe('400', () => {
  it.each([
    ['a body that is not JSON', '{"type":', {}],
    ['an empty body', '', {}],
    ['two values', '{} {}', {}],
    ['another content type', '{"type":"text"}', { 'content-type': 'text/plain' }],
    ['a form', 'type=text', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another charset', '{"type":"text"}', { 'content-type': 'application/json; charset=windows-1251' }],
    ['a compressed body', '{"type":"text"}', { 'content-encoding': 'gzip' }],
    ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}],
    ['an overlong encoding', new Uint8Array([0x22, 0xc0, 0x80, 0x22]), {}],
  ])('is the answer to %s', async (_what, body, headers) => {
    expectError(
      await call('PUT', '/items/a', body, { headers: headers as Record<string, string> }),
      400,
      'invalid_request',
    );
  });

  // proves: limits/path-id
  it.each([
    ['a space', 'a%20b'],
    ['a slash', 'a%2Fb'],
    ['a broken escape', '%zz'],
    ['Cyrillic', encodeURIComponent('урок')],
    ['NUL', 'a%00b'],
    ['192 characters', 'x'.repeat(192)],
    ['a line end', 'a%0A'],
  ])('is the answer to an id with %s', async (_what, id) => {
    expectError(await call('GET', `/items/${id}`), 400, 'invalid_request');
    expectError(await call('PUT', `/items/${id}`, { type: 'pdf' }), 400, 'invalid_request');
  });

  // proves: items/get
  it.each(['x', 'transcript,', 'transcript,x', 'transcript&include=frames', 'Transcript', '%00'])(
    'is the answer to include=%s',
    async (include) => {
      const answer = await call('GET', `/items/a?include=${include}`);
      expectError(answer, 400, 'invalid_request');
      expect(answer.body.error.details[0].field).toMatch(/^include/);
    },
  );

  it('is not the answer to a content type with a charset or a +json type', async () => {
    for (const type of [
      'application/json;charset=UTF-8',
      'application/json; charset="utf-8"',
      'Application/JSON',
      'application/merge-patch+json',
    ]) {
      expect([200, 201]).toContain(
        (await call('PUT', '/items/typed', { type: 'text' }, { headers: { 'content-type': type } })).status,
      );
    }
  });

  it('comes before 422 and 404', async () => {
    expectError(await call('PATCH', '/items/a%20b', { title: 5 }), 400, 'invalid_request');
  });
});

describe('413 for too many elements', () => {
  const MANY = JSON.stringify({ events: Array.from({ length: 1_001 }, () => 'bad'), more: 1 });

  // proves: decisions-order/400-before-413, decisions-order/413-before-422
  it('comes after 400 and before 422', async () => {
    expectError(await call('POST', '/events', MANY), 413, 'payload_too_large');
    const headers = { 'content-type': 'text/plain' };
    expectError(await call('POST', '/events', MANY, { headers }), 400, 'invalid_request');
  });
});

describe('404 of an object', () => {
  // proves: decisions-order/422-before-404
  it('comes after 422', async () => {
    expectError(await call('PATCH', '/items/nobody', { title: 5 }), 422, 'validation_failed');
    expectError(await call('PATCH', '/items/nobody', { title: 'T' }), 404, 'not_found');
  });
});

describe('429', () => {
  // proves: errors/retry-429
  // proves: decisions-order/429-before-413, decisions-order/retry-after
  it('comes after 401 and before 413, with whole seconds', async () => {
    // One request in a hundred seconds, so that a slow machine cannot earn a second one.
    const slow = await createTestProject(database.pool, 0.01);
    const callSlow = clientOf(api.content, slow.key);
    expect((await callSlow('GET', '/items/a')).status).toBe(404);
    const refused = await callSlow('PUT', '/items/a%20b', TOO_LARGE);
    expectError(refused, 429, 'rate_limited');
    expect(refused.headers.get('retry-after')).toMatch(/^(100|[5-9]\d)$/);
    expectError(await anonymous('GET', '/items/a'), 401, 'unauthorized');
    expectError(await callSlow('GET', '/nothing'), 404, 'not_found');
  });

  it('is reached by each key separately', async () => {
    const [one, other] = [await createTestProject(database.pool, 0.01), await createTestProject(database.pool, 0.01)];
    const statuses = [];
    for (const key of [one.key, one.key, other.key, other.key])
      statuses.push((await clientOf(api.content, key)('GET', '/items/a')).status);
    expect(statuses).toEqual([404, 429, 404, 429]);
  });
});
