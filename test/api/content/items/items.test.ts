import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import {
  clientOf,
  createTestProject,
  startTestApi,
  type Client,
  type TestApi,
  type TestProject,
} from '../../support/testApi.ts';

let database: TestDatabase;
let api: TestApi;
let project: TestProject;
let call: Client;

const VIDEO = { type: 'video', media: [{ kind: 'video', url: 'https://cdn.example.com/a.mp4' }] };
const ALL_QUEUED = { prepare: 'queued', speech: 'queued', vision: 'queued', summary: 'queued', embedding: 'queued' };

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  project = await createTestProject(database.pool);
  call = clientOf(api.content, project.key);
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

describe('PUT /items/{id}', () => {
  // proves: states/201-or-200, write/available, write/unsent-fields, items/put
  it('creates with 201, then replaces with 200', async () => {
    const created = await call('PUT', '/items/put-1', { type: 'text', title: 'A', body: 'Text', properties: { a: 1 } });
    expect(created).toMatchObject({
      status: 201,
      body: { id: 'put-1', status: 'queued', available: true, deleted: false, processing: ALL_QUEUED },
    });
    const replaced = await call('PUT', '/items/put-1', { type: 'text', body: 'Other', available: false });
    expect(replaced).toMatchObject({ status: 200, body: { id: 'put-1', available: false } });
    const read = await call('GET', '/items/put-1');
    expect(read.body).toMatchObject({ title: null, properties: null, available: false });
  });

  // proves: items/put
  it('answers one 201 to many identical writes at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('PUT', '/items/put-race', { ...VIDEO, title: 'T' })),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(19);
  });

  // proves: items/put, decisions-items/identical-put
  it('changes nothing if it is identical', async () => {
    const body = {
      ...VIDEO,
      title: 'Same',
      published_at: '2026-01-02T03:04:05.678+03:00',
      properties: { b: 1, a: [2] },
    };
    await call('PUT', '/items/put-same', body);
    const before = await call('GET', '/items/put-same');
    const again = await call('PUT', '/items/put-same', { ...body, properties: { a: [2], b: 1 } });
    const after = await call('GET', '/items/put-same');
    expect(again.status).toBe(200);
    expect(after.body).toEqual(before.body);
    expect(after.body.published_at).toBe('2026-01-02T00:04:05.678Z');
  });

  it('keeps projects apart', async () => {
    const other = await createTestProject(database.pool);
    await call('PUT', '/items/tenant', { type: 'text', title: 'mine' });
    const callOther = clientOf(api.content, other.key);
    expect(await callOther('GET', '/items/tenant')).toMatchObject({ status: 404 });
    expect(await callOther('PUT', '/items/tenant', { type: 'text', title: 'theirs' })).toMatchObject({ status: 201 });
    expect((await call('GET', '/items/tenant')).body.title).toBe('mine');
  });

  // proves: read/free-objects
  it('accepts null for media and a harmless __proto__ in properties', async () => {
    const answer = await call(
      'PUT',
      '/items/put-null',
      '{"type":"text","media":null,"title":null,"properties":{"__proto__":{"polluted":true},"constructor":1}}',
    );
    expect(answer.status).toBe(201);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    const { body } = await call('GET', '/items/put-null');
    expect(Object.keys(body.properties).sort()).toEqual(['__proto__', 'constructor']);
  });
});

describe('GET /items/{id}', () => {
  // proves: service/2, read/id, read/type, read/text-fields, read/properties, read/available, read/updated_at
  // proves: read/media, read/summary, read/origin, read/processing, read/transcript, read/frames, read/search_chunks
  // proves: items/get
  it('has the documented keys, and the included parts only when asked for', async () => {
    await call('PUT', '/items/get-1', VIDEO);
    const plain = await call('GET', '/items/get-1');
    expect(Object.keys(plain.body).sort()).toEqual([
      'author',
      'available',
      'deleted',
      'description',
      'id',
      'media',
      'origin',
      'processing',
      'properties',
      'published_at',
      'status',
      'summary',
      'title',
      'type',
      'updated_at',
      'url',
    ]);
    expect(plain.body.media).toEqual([
      {
        position: 0,
        kind: 'video',
        url: 'https://cdn.example.com/a.mp4',
        duration_sec: null,
        width: null,
        height: null,
        status: 'new',
      },
    ]);
    const full = await call('GET', '/items/get-1?include=transcript,frames,search_chunks');
    expect(full.body).toMatchObject({ transcript: null, frames: null, search_chunks: null });
    const one = await call('GET', '/items/get-1?include=frames&utm_source=x');
    expect(Object.keys(one.body)).toContain('frames');
    expect(Object.keys(one.body)).not.toContain('transcript');
  });

  // proves: items/get, limits/path-id
  it('accepts every documented character in the path', async () => {
    const id = `aZ09._:-${'x'.repeat(183)}`;
    expect((await call('PUT', `/items/${id}`, { type: 'text' })).status).toBe(201);
    expect((await call('GET', `/items/${encodeURIComponent(id)}`)).body.id).toBe(id);
    expect((await call('PUT', `/items/${id}x`, { type: 'text' })).status).toBe(400);
  });
});

describe('PATCH /items/{id}', () => {
  // proves: write/patch, items/patch
  it('replaces the fields that are sent, clears those that are null, and leaves the rest', async () => {
    await call('PUT', '/items/patch-1', { ...VIDEO, title: 'T', author: 'me', url: 'https://example.com/1' });
    const answer = await call('PATCH', '/items/patch-1', { title: null, url: 'https://example.com/2' });
    expect(answer).toMatchObject({ status: 200, body: { id: 'patch-1' } });
    expect((await call('GET', '/items/patch-1')).body).toMatchObject({
      title: null,
      author: 'me',
      url: 'https://example.com/2',
    });
  });

  // proves: items/patch
  it('answers 404 for an unknown item, but first 422 for a fault', async () => {
    expect((await call('PATCH', '/items/nobody', { title: 'x' })).status).toBe(404);
    expect((await call('PATCH', '/items/nobody', { title: 1 })).status).toBe(422);
  });

  it('refuses media that do not match the stored type', async () => {
    await call('PUT', '/items/patch-2', VIDEO);
    const answer = await call('PATCH', '/items/patch-2', {
      media: [{ kind: 'image', url: 'https://cdn.example.com/a.jpg' }],
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { details: [{ field: 'media', code: 'invalid_value' }] } },
    });
    const emptied = await call('PATCH', '/items/patch-2', { media: [] });
    expect(emptied.body.error.details).toMatchObject([{ field: 'media', code: 'invalid_value' }]);
  });
});

describe('the fields of a write', () => {
  const FIELDS = {
    title: 'Заголовок',
    description: 'Описание',
    author: 'a-1',
    url: 'https://example.com/1',
    published_at: '2020-01-02T03:04:05.678Z',
    properties: { level: 'B1' },
  };
  const CLEARED = { title: null, description: null, author: null, url: null, properties: null };
  const NULLS = { ...CLEARED, body: null, published_at: null };

  // proves: write/title, write/description, write/body, write/author, write/url, write/published_at, write/properties
  // proves: write/patch, write/unsent-fields, read/text-fields, read/properties, read/available
  it.each([
    ['a PATCH with null', 'PATCH', NULLS, false],
    ['a PUT with null', 'PUT', { ...VIDEO, ...NULLS }, true],
    ['a PUT without them', 'PUT', VIDEO, true],
  ] as const)('are shown as they were sent, and cleared by %s', async (what, method, body, available) => {
    const path = `/items/${what.replaceAll(' ', '-')}`;
    const begun = Date.now();
    await call('PUT', path, { ...VIDEO, ...FIELDS, body: 'Текст', available: false });
    expect((await call('GET', path)).body).toMatchObject({ ...FIELDS, available: false });
    expect((await call(method, path, body)).status).toBe(200);
    const { body: read } = await call('GET', path);
    expect(read).toMatchObject({ ...CLEARED, available, media: VIDEO.media });
    expect(Date.parse(read.published_at)).toBeGreaterThanOrEqual(begun);
    const { rows } = await database.pool.query(
      `select body, date_trunc('ms', published_at) = date_trunc('ms', created_at) as "isOfCreation"
         from items where project_id = $1 and id = $2`,
      [project.id, read.id],
    );
    expect(rows).toEqual([{ body: null, isOfCreation: true }]);
  });
});

describe('DELETE /items/{id}', () => {
  // proves: service/7, states/delete, states/deleted-put, states/deleted-patch, items/get, items/delete
  it('deletes softly, even twice; PATCH leaves it deleted, and PUT restores it', async () => {
    await call('PUT', '/items/del-1', { type: 'text', title: 'T' });
    for (let round = 0; round < 2; round++)
      expect(await call('DELETE', '/items/del-1')).toMatchObject({ status: 200, body: { id: 'del-1', deleted: true } });
    expect((await call('PATCH', '/items/del-1', { title: 'U' })).body.deleted).toBe(true);
    expect((await call('GET', '/items/del-1')).body).toMatchObject({ deleted: true, title: 'U' });
    expect((await call('PUT', '/items/del-1', { type: 'text', title: 'U' })).body.deleted).toBe(false);
  });

  // proves: items/delete
  it('answers 404 to an unknown item', async () => {
    expect((await call('DELETE', '/items/nobody')).status).toBe(404);
  });
});

describe('POST /items/{id}/reprocess', () => {
  // proves: items/reprocess
  it('accepts steps, null, an empty object or no body at all', async () => {
    await call('PUT', '/items/re-1', VIDEO);
    for (const body of [{ steps: ['summary'] }, { steps: null }, {}, undefined]) {
      expect(await call('POST', '/items/re-1/reprocess', body)).toMatchObject({
        status: 202,
        body: { id: 're-1', processing: ALL_QUEUED },
      });
    }
  });

  // proves: items/reprocess
  it('refuses a step that cannot be requested', async () => {
    const answer = await call('POST', '/items/re-1/reprocess', { steps: ['summary', 'prepare'] });
    expect(answer.body.error.details).toMatchObject([{ field: 'steps[1]', code: 'invalid_value' }]);
  });

  // proves: items/reprocess, decisions-items/reprocess-deleted
  it('answers 404 to an unknown item and to a deleted one', async () => {
    expect((await call('POST', '/items/nobody/reprocess', {})).status).toBe(404);
    await call('PUT', '/items/re-2', { type: 'text' });
    await call('DELETE', '/items/re-2');
    expect((await call('POST', '/items/re-2/reprocess', {})).status).toBe(404);
  });
});
