import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REQUESTS_PER_SECOND } from '../../../api/cabinet/requestRate.ts';
import { cabinetOperations, cabinetPublicOperations } from '../../../api/cabinetApi.ts';
import { findTokenOwner } from '../../../db/accounts/cabinetTokens.ts';
import { keyHash } from '../../../domain/accounts/keyFormats.ts';
import { DEFAULT_PROJECT_LIMITS } from '../../../domain/accounts/projectLimits.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Answer,
  type Client,
  type TestApi,
} from '../support/testApi.ts';

let database: TestDatabase;
let api: TestApi;
let token: string;
let call: Client;

const UNKNOWN_PROJECT = 'zzzzzzzzzzzz';
const UNKNOWN_UUID = '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11';

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url, cabinetRequestsPerSecond: null });
  token = await createTestToken(database.pool);
  call = clientOf(api.cabinet, token);
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

async function newProject(): Promise<string> {
  return (await call('POST', '/projects', { title: 'P' })).body.id;
}

describe('the token', () => {
  it('is identified by its name and role', async () => {
    expect(await call('GET', '/me')).toMatchObject({ status: 200, body: { name: 'test', role: 'admin' } });
  });

  // proves: decisions-cabinet/bearer
  it('is required, must be of its own kind, and must be in the header', async () => {
    expect((await clientOf(api.cabinet, null)('GET', '/me')).status).toBe(401);
    const project = await createTestProject(database.pool);
    expect((await clientOf(api.cabinet, project.key)('GET', '/me')).status).toBe(401);
    expect((await clientOf(api.cabinet, null)('GET', `/me?token=${token}`)).status).toBe(401);
    expect((await clientOf(api.content, token)('GET', '/items/a')).status).toBe(401);
  });

  it('is stored as a hash, and is not found after it was revoked', async () => {
    const { rows } = await database.pool.query('select * from cabinet_tokens');
    expect(JSON.stringify(rows)).not.toContain(token);
    const other = await createTestToken(database.pool);
    await database.pool.query('update cabinet_tokens set revoked_at = now() where hash = $1', [keyHash(other)]);
    expect(await findTokenOwner(database.pool, keyHash(other))).toBeNull();
  });
});

describe('the description', () => {
  // proves: decisions-cabinet/description
  it('needs no token, and has every operation', async () => {
    const { status, headers, body } = await clientOf(api.cabinet, null)('GET', '/openapi.json');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/cabinet/api' }] });
    const described = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    const known = [...cabinetOperations, ...cabinetPublicOperations].map(({ method, path }) => `${method} ${path}`);
    expect(described.toSorted()).toEqual(known.toSorted());
  });
});

describe('an error', () => {
  const russian = expect.stringMatching(/[а-я]/);

  // proves: decisions-cabinet/errors
  it('has the body of the content API', async () => {
    expect((await call('POST', '/projects', {})).body).toEqual({
      error: {
        code: 'validation_failed',
        message: russian,
        details: [{ field: 'title', code: 'required', message: russian }],
      },
    });
    for (const path of [`/projects/${UNKNOWN_PROJECT}`, '/nothing'])
      expect((await call('GET', path)).body).toEqual({ error: { code: 'not_found', message: russian } });
    expect((await clientOf(api.cabinet, null)('GET', '/me')).body).toEqual({
      error: { code: 'unauthorized', message: russian },
    });
  });
});

describe('the rate limit', () => {
  it('applies to each token separately', async () => {
    const [one, other] = [
      clientOf(api.cabinet, await createTestToken(database.pool)),
      clientOf(api.cabinet, await createTestToken(database.pool)),
    ];
    const started = performance.now();
    const own: Answer[] = [];
    // Rounds of ten, because an address may have 50 requests at once.
    for (let round = 0; round < 12; round++)
      own.push(...(await Promise.all(Array.from({ length: 10 }, () => one('GET', '/me')))));
    const earned = Math.ceil(((performance.now() - started) * REQUESTS_PER_SECOND) / 1000);
    const through = own.filter(({ status }) => status === 200).length;
    expect(through).toBeGreaterThanOrEqual(REQUESTS_PER_SECOND);
    expect(through).toBeLessThanOrEqual(REQUESTS_PER_SECOND + earned);
    for (const { status, headers } of own.filter((answer) => answer.status !== 200))
      expect([status, headers.get('retry-after')]).toEqual([429, '1']);
    expect((await other('GET', '/me')).status).toBe(200);
  });
});

describe('projects', () => {
  // proves: output-limits/output_per_second
  // proves: decisions-cabinet/project-limits, decisions-cabinet-calls/project-new
  // proves: decisions-cabinet-calls/project-changed
  it('are created with the documented limits, read and changed', async () => {
    const created = await call('POST', '/projects', { title: 'Школа' });
    expect(created).toMatchObject({
      status: 201,
      body: {
        title: 'Школа',
        state: 'active',
        monthly_volume: null,
        fingerprints: false,
      },
    });
    expect(created.body.limits).toEqual({ requests_per_second: 20, output_per_second: 100 });
    const { id } = created.body;
    expect(id).toMatch(/^[a-z0-9]{12}$/);
    const changed = await call('PATCH', `/projects/${id}`, {
      monthly_volume: 5,
      limits: { requests_per_second: 7 },
      fingerprints: true,
    });
    expect(changed.body).toMatchObject({
      title: 'Школа',
      monthly_volume: 5,
      fingerprints: true,
      limits: { ...DEFAULT_PROJECT_LIMITS, requests_per_second: 7 },
    });
    const reset = await call('PATCH', `/projects/${id}`, {
      monthly_volume: null,
      limits: { requests_per_second: null },
    });
    expect(reset.body).toMatchObject({ monthly_volume: null, limits: DEFAULT_PROJECT_LIMITS });
    expect((await call('GET', `/projects/${id}`)).body).toEqual(reset.body);
  });

  // proves: decisions-cabinet-calls/project-changed
  it.each([
    { title: 'Другая' },
    { state: 'suspended' },
    { state: 'archived' },
    { monthly_volume: 0 },
    { fingerprints: true },
    { limits: { requests_per_second: 7, output_per_second: 8 } },
  ])('change one field at a time: %j', async (change) => {
    const { body: before } = await call('POST', '/projects', { title: 'Школа' });
    const changed = await call('PATCH', `/projects/${before.id}`, change);
    expect([changed.status, changed.body]).toEqual([200, { ...before, ...change }]);
    expect((await call('GET', `/projects/${before.id}`)).body).toEqual(changed.body);
  });

  // proves: decisions-results/language
  it('have a language and topics for their analysis', async () => {
    const { body: created } = await call('POST', '/projects', { title: 'School' });
    expect(created).toMatchObject({ language: 'auto', topics: [] });
    const path = `/projects/${created.id}`;
    const changed = await call('PATCH', path, { language: 'en', topics: ['Health', 'Science'] });
    expect(changed.body).toMatchObject({ language: 'en', topics: ['Health', 'Science'] });
    const faulty: [object, string][] = [
      [{ language: 'xx' }, 'language'],
      [{ language: 'english' }, 'language'],
      [{ topics: ['Health', 'Health'] }, 'topics'],
      [{ topics: [''] }, 'topics[0]'],
      [{ topics: [' '] }, 'topics[0]'],
      [{ topics: ['Health', ' Science'] }, 'topics[1]'],
      [{ topics: ['Science\n'] }, 'topics[0]'],
      [{ topics: ['Health', 'Science', 'health'] }, 'topics[2]'],
      [{ topics: Array.from({ length: 201 }, (_, index) => `topic ${index}`) }, 'topics'],
    ];
    for (const [change, field] of faulty) {
      const { status, body } = await call('PATCH', path, change);
      expect([status, body.error?.details?.[0]?.field]).toEqual([422, field]);
    }
    expect((await call('GET', path)).body).toEqual(changed.body);
  });

  // proves: decisions-cabinet-calls/projects
  it('are each on exactly one page', async () => {
    await Promise.all(Array.from({ length: 5 }, newProject));
    const { rows } = await database.pool.query<{ id: string }>('select id from projects order by id');
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await call('GET', `/projects?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(page.body.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.body.items.map((project: { id: string }) => project.id));
      cursor = page.body.next_cursor;
    }
    expect(seen).toEqual(rows.map((row) => row.id));
  });

  it.each([
    ['a malformed cursor', '?cursor=abc', 'cursor'],
    ['a limit of 0', '?limit=0', 'limit'],
    ['a limit of 501', '?limit=501', 'limit'],
    ['a limit in words', '?limit=ten', 'limit'],
  ])('refuse %s', async (_what, query, field) => {
    const answer = await call('GET', `/projects${query}`);
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ field }] } } });
  });

  it.each<[object, string, string]>([
    [{ title: '' }, 'title', 'invalid_value'],
    [{ title: 'x'.repeat(201) }, 'title', 'too_long'],
    [{ state: 'gone' }, 'state', 'invalid_value'],
    [{ monthly_volume: -1 }, 'monthly_volume', 'invalid_value'],
    [{ monthly_volume: 1.5 }, 'monthly_volume', 'invalid_type'],
    [{ limits: { requests_per_second: 0 } }, 'limits.requests_per_second', 'invalid_value'],
    [{ limits: { per_day: 1 } }, 'limits.per_day', 'unknown_field'],
    [{ id: 'x' }, 'id', 'unknown_field'],
  ])('refuse %j', async (body, field, code) => {
    const answer = await call('PATCH', `/projects/${UNKNOWN_PROJECT}`, body);
    expect(answer).toMatchObject({ status: 422, body: { error: { details: [{ field, code }] } } });
  });

  // proves: decisions-cabinet-calls/project
  it('answer 404 if unknown and 400 if the id is malformed', async () => {
    expect((await call('GET', `/projects/${UNKNOWN_PROJECT}`)).status).toBe(404);
    expect((await call('PATCH', `/projects/${UNKNOWN_PROJECT}`, { title: 'x' })).status).toBe(404);
    expect((await call('GET', '/projects/ABC')).status).toBe(400);
  });
});

describe('keys', () => {
  // proves: auth/6, decisions-cabinet-calls/keys, decisions-cabinet-calls/key-new
  // proves: decisions-cabinet-calls/key-revoked, decisions-keys/stored-fields, decisions-keys/shown-once
  it('are shown once, work, and stop working when revoked', async () => {
    const id = await newProject();
    const created = await call('POST', `/projects/${id}/keys`, { name: 'Server' });
    expect(created.status).toBe(201);
    expect(created.body.key).toMatch(/^ck_[A-Za-z0-9]{40}$/);
    expect(created.body).toMatchObject({
      name: 'Server',
      prefix: created.body.key.slice(0, 8),
      last_used_at: null,
      revoked_at: null,
    });
    expect(created.headers.get('cache-control')).toBe('no-store');
    const { key, ...shown } = created.body;
    expect(Math.abs(Date.now() - Date.parse(shown.created_at))).toBeLessThan(60_000);
    expect((await call('GET', `/projects/${id}/keys`)).body).toEqual({ items: [shown], next_cursor: null });

    expect((await clientOf(api.content, key)('GET', '/items/a')).status).toBe(404);
    expect((await call('DELETE', `/projects/${id}/keys/${shown.id}`)).body).toEqual({ id: shown.id, revoked: true });
    const [revoked] = (await call('GET', `/projects/${id}/keys`)).body.items;
    expect(revoked.revoked_at).toMatch(/Z$/);
    expect((await call('DELETE', `/projects/${id}/keys/${shown.id}`)).status).toBe(200);
    expect((await call('GET', `/projects/${id}/keys`)).body.items[0].revoked_at).toBe(revoked.revoked_at);
    // Another process (with an empty cache) refuses the key at once; this one does so when its cache entry
    // expires.
    const second = await startTestApi({ databaseUrl: database.url });
    expect((await clientOf(second.content, key)('GET', '/items/a')).status).toBe(401);
    await second.close();
  });

  it.each<[object, string]>([
    // proves: decisions-keys/names
    [{}, 'required'],
    [{ name: '' }, 'invalid_value'],
  ])('have a name: %j is refused', async (body, code) => {
    expect(await call('POST', `/projects/${await newProject()}/keys`, body)).toMatchObject({
      status: 422,
      body: { error: { details: [{ field: 'name', code }] } },
    });
  });

  // proves: decisions-cabinet-calls/keys
  it('record their last use', async () => {
    const id = await newProject();
    const { key } = (await call('POST', `/projects/${id}/keys`, { name: 'k' })).body;
    await clientOf(api.content, key)('GET', '/items/a');
    let lastUsed: string | null = null;
    while (lastUsed === null) lastUsed = (await call('GET', `/projects/${id}/keys`)).body.items[0].last_used_at;
    expect(Math.abs(Date.now() - Date.parse(lastUsed))).toBeLessThan(60_000);
  });

  it('answer 404 for an unknown project or key, and belong to one project only', async () => {
    const [id, other] = [await newProject(), await newProject()];
    const { id: keyId } = (await call('POST', `/projects/${id}/keys`, { name: 'k' })).body;
    expect((await call('POST', `/projects/${UNKNOWN_PROJECT}/keys`, { name: 'k' })).status).toBe(404);
    expect((await call('GET', `/projects/${UNKNOWN_PROJECT}/keys`)).status).toBe(404);
    expect((await call('DELETE', `/projects/${other}/keys/${keyId}`)).status).toBe(404);
    expect((await call('DELETE', `/projects/${id}/keys/${UNKNOWN_UUID}`)).status).toBe(404);
    expect((await call('DELETE', `/projects/${id}/keys/1`)).status).toBe(400);
  });
});
