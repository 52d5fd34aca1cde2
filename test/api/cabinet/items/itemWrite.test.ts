/** Writes of an item through the cabinet follow the rules of the content API and are limited to owners. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestUser, tokenOf } from '../../support/people.ts';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, createTestProject, createTestToken, type Client, type TestProject } from '../../support/testApi.ts';

const stage = stageApi();
let project: TestProject;
let call: Client;
let content: Client;

beforeAll(async () => {
  const { database, api } = stage;
  project = await createTestProject(database.pool);
  call = clientOf(api.cabinet, await createTestToken(database.pool));
  content = clientOf(api.content, project.key);
});

const pathOf = (id: string, projectId = project.id): string => `/projects/${projectId}/items/${encodeURIComponent(id)}`;
const TEXT = { type: 'text', title: 'A', body: 'Text', properties: { level: 'B1' } };

describe('PUT /projects/{id}/items/{item}', () => {
  it('creates an item with any id as the content API does, then replaces it', async () => {
    const id = 'урок/4 "a"';
    const created = await call('PUT', pathOf(id), TEXT);
    const batch = await content('POST', '/items/batch', { operations: [{ op: 'put', id: 'same', data: TEXT }] });
    expect(created).toMatchObject({ status: 201, body: { id, status: 'queued', processing: { prepare: 'queued' } } });
    expect(batch.body.results).toMatchObject([{ ok: true, status: 'queued' }]);
    const [made, expected] = [(await call('GET', pathOf(id))).body, (await call('GET', pathOf('same'))).body];
    const { updated_at: _updated, published_at: _published, ...fields } = expected;
    expect(made).toMatchObject({ ...fields, id });
    expect(await call('PUT', pathOf(id), { type: 'text', body: 'Other' })).toMatchObject({ status: 200 });
    expect((await call('GET', pathOf(id))).body).toMatchObject({ title: null, properties: null });
  });

  it('restores a deleted item', async () => {
    await call('PUT', pathOf('back'), TEXT);
    await call('DELETE', pathOf('back'));
    expect(await call('PUT', pathOf('back'), TEXT)).toMatchObject({ status: 200, body: { deleted: false } });
  });

  it.each([
    ['a type without its medium', { type: 'video' }, 'media', 'required'],
    [
      'a text with media',
      { ...TEXT, media: [{ kind: 'image', url: 'https://a.example/1.jpg' }] },
      'media',
      'invalid_value',
    ],
    ['an unknown field', { ...TEXT, size: 1 }, 'size', 'unknown_field'],
    [
      'a malformed address',
      { type: 'image', media: [{ kind: 'image', url: 'file:///a' }] },
      'media[0].url',
      'invalid_url',
    ],
  ])('refuses %s at its field', async (_what, body, field, code) => {
    const answer = await call('PUT', pathOf('faulty'), body);
    expect(answer).toMatchObject({ status: 422, body: { error: { details: [{ field, code }] } } });
    expect((await call('GET', pathOf('faulty'))).status).toBe(404);
  });

  it('refuses a property whose type is not the declared one', async () => {
    await call('PUT', `/projects/${project.id}/properties/pages`, { type: 'number', filterable: true });
    const answer = await call('PUT', pathOf('declared'), { ...TEXT, properties: { pages: 'ten' } });
    expect(answer.body.error.details).toMatchObject([{ field: 'properties.pages', code: 'invalid_type' }]);
  });
});

describe('PATCH and DELETE /projects/{id}/items/{item}', () => {
  it('change the fields that were sent, and delete softly', async () => {
    await call('PUT', pathOf('plain'), TEXT);
    expect(await call('PATCH', pathOf('plain'), { available: false, title: null })).toMatchObject({
      status: 200,
      body: { id: 'plain', available: false },
    });
    expect((await call('GET', pathOf('plain'))).body).toMatchObject({ title: null, properties: { level: 'B1' } });
    expect(await call('DELETE', pathOf('plain'))).toMatchObject({ status: 200, body: { id: 'plain', deleted: true } });
    expect((await call('DELETE', pathOf('plain'))).status).toBe(200);
    expect((await content('GET', '/items/plain')).body).toMatchObject({ deleted: true });
  });

  it('answer 404 for an item that never existed, and refuse a change of the type', async () => {
    expect((await call('PATCH', pathOf('never'), { title: 'x' })).status).toBe(404);
    expect((await call('DELETE', pathOf('never'))).status).toBe(404);
    await call('PUT', pathOf('typed'), TEXT);
    expect((await call('PATCH', pathOf('typed'), { type: 'video' })).body.error.details).toMatchObject([
      { field: 'type', code: 'unknown_field' },
    ]);
  });
});

describe('a writer', () => {
  it('has to own the project', async () => {
    const { pool } = stage.database;
    await call('PUT', pathOf('guarded'), TEXT);
    const people = [
      await createTestUser(pool, 'viewer', { projects: [project.id] }),
      await createTestUser(pool, 'owner', { projects: [(await createTestProject(pool)).id] }),
      await createTestUser(pool, 'owner', { projects: [project.id] }),
    ];
    const answers = [];
    for (const person of people) {
      const theirs = clientOf(stage.api.cabinet, await tokenOf(pool, person));
      answers.push([
        (await theirs('PUT', pathOf('guarded'), TEXT)).status,
        (await theirs('PATCH', pathOf('guarded'), { title: 'B' })).status,
        (await theirs('DELETE', pathOf('guarded'))).status,
      ]);
    }
    expect(answers).toEqual([
      [403, 403, 403],
      [404, 404, 404],
      [200, 200, 200],
    ]);
  });

  it('gets 404 for a project that does not exist', async () => {
    for (const [method, body] of [
      ['PUT', TEXT],
      ['PATCH', {}],
      ['DELETE', undefined],
    ] as const)
      expect((await call(method, pathOf('a', 'nobody000000'), body)).status).toBe(404);
  });
});
