import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { withoutTriggers } from '../../../support/unstamped.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Client,
  type TestApi,
  type TestProject,
} from '../../support/testApi.ts';

let database: TestDatabase;
let api: TestApi;
let project: TestProject;
let call: Client;
let content: Client;
let base: string;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  call = clientOf(api.cabinet, await createTestToken(database.pool));
  project = await createTestProject(database.pool);
  content = clientOf(api.content, project.key);
  base = `/projects/${project.id}`;
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});

const find = async (query: string): Promise<string[]> =>
  (await call('GET', `${base}/items?${query}`)).body.items.map(({ id }: { id: string }) => id);

describe('items', () => {
  beforeAll(async () => {
    const titles: Record<string, string> = {
      'lesson-1': 'Глаголы движения',
      'lesson-2': 'Глаголы речи: 100% практики',
      'LESSON-3': 'Падежи',
      'урок/4': 'движения глаголы_все',
    };
    const operations = Object.entries(titles).map(([id, title]) => ({ op: 'put', id, data: { type: 'text', title } }));
    for (const operation of operations) await content('POST', '/items/batch', { operations: [operation] });
    await withoutTriggers(
      database.pool,
      `update items set status = 'partial', steps = jsonb_set(steps, '{summary}', steps -> 'summary' || '{"state": "failed", "error": {"code": "provider_refused", "message": "нет"}}') where id = 'lesson-2'`,
    );
    await withoutTriggers(
      database.pool,
      `update items set steps = jsonb_set(steps, '{speech,state}', '"waiting"') where id = 'LESSON-3'`,
    );
    await withoutTriggers(
      database.pool,
      `update items set status = 'deferred', steps = jsonb_set(steps, '{speech,state}', '"deferred"') where id = 'урок/4'`,
    );
  });

  // proves: decisions-cabinet-calls/items
  it('come newest first, page by page', async () => {
    expect(await find('')).toEqual(['урок/4', 'LESSON-3', 'lesson-2', 'lesson-1']);
    const first = (await call('GET', `${base}/items?limit=3`)).body;
    expect(await find(`limit=3&cursor=${first.next_cursor}`)).toEqual(['lesson-1']);
    expect((await call('GET', `${base}/items?q=lesson-2`)).body).toMatchObject({
      items: [
        {
          id: 'lesson-2',
          title: 'Глаголы речи: 100% практики',
          origin: 'api',
          processing: { summary: 'failed' },
          processing_errors: { summary: { code: 'provider_refused' } },
        },
      ],
      next_cursor: null,
    });
  });

  // proves: decisions-cabinet-calls/items
  it('are found by status, by the step at which they stopped, by id and by words', async () => {
    expect(await find('status=partial')).toEqual(['lesson-2']);
    expect(await find('step=summary')).toEqual(['lesson-2']);
    expect(await find('step=speech')).toEqual(['урок/4', 'LESSON-3']);
    expect(await find('step=speech&status=deferred')).toEqual(['урок/4']);
    expect(await find('q=lesson')).toEqual(['lesson-2', 'lesson-1']);
    expect(await find(`q=${encodeURIComponent('движения ГЛАГ')}`)).toEqual(['урок/4', 'lesson-1']);
    expect(await find(`q=${encodeURIComponent('100%')}`)).toEqual(['lesson-2']);
    expect(await find(`q=${encodeURIComponent('глаголы_')}`)).toEqual(['урок/4']);
    expect(await find(`q=${encodeURIComponent('урок/')}`)).toEqual(['урок/4']);
    expect(await find(`q=${encodeURIComponent('\\')}`)).toEqual([]);
    expect(await find('q=nothing')).toEqual([]);
  });

  it('are found by their type, origin, visibility and moderation', async () => {
    expect(await find('type=text&origin=api&available=true&deleted=false&q=lesson')).toEqual(['lesson-2', 'lesson-1']);
    expect(await find('type=video')).toEqual([]);
    expect(await find('moderation=unknown&q=lesson-1')).toEqual(['lesson-1']);
    expect(await find('moderation=high')).toEqual([]);
    expect((await call('GET', `${base}/items?q=lesson-1`)).body.items).toMatchObject([
      { thumb_url: null, age_rating: null, moderation_level: null },
    ]);
  });

  it('are found by their ids, all at once', async () => {
    const ids = ['lesson-1', 'урок/4', 'a,b', 'nobody'].map(encodeURIComponent).join(',');
    expect(await find(`ids=${ids}&unknown=1`)).toEqual(['урок/4', 'lesson-1']);
    for (const query of ['ids=', `ids=${ids}&status=ready`, `ids=${ids}&limit=1`, `ids=${'a,'.repeat(100)}a`])
      expect([query, (await call('GET', `${base}/items?${query}`)).status]).toEqual([query, 400]);
  });

  it('refuse a malformed query', async () => {
    for (const query of [
      'status=done',
      'step=ocr',
      'type=film',
      'moderation=bad',
      'available=yes',
      'q=',
      `q=${'x'.repeat(201)}`,
      'q=%00',
      'cursor=zz',
      'limit=0',
    ]) {
      expect(await call('GET', `${base}/items?${query}`)).toMatchObject({ status: 400 });
    }
    expect((await call('GET', '/projects/nobody000000/items')).status).toBe(404);
  });

  // proves: decisions-cabinet-calls/reprocess
  it('are analysed again on request, whatever their id', async () => {
    const again = (id: string, body?: unknown) =>
      call('POST', `${base}/items/${encodeURIComponent(id)}/reprocess`, body);
    expect(await again('урок/4', { steps: ['speech'] })).toMatchObject({
      status: 202,
      body: { id: 'урок/4', processing: { speech: 'queued', summary: 'queued' } },
    });
    expect(await again('lesson-1')).toMatchObject({ status: 202, body: { processing: { prepare: 'queued' } } });
    expect((await again('nobody')).status).toBe(404);
    expect((await again('a\0')).status).toBe(400);
    expect((await again('x'.repeat(192))).status).toBe(400);
    expect((await again('lesson-1', { steps: ['prepare'] })).status).toBe(422);
    await content('DELETE', '/items/lesson-1');
    expect((await again('lesson-1')).status).toBe(404);
    expect((await call('POST', '/projects/nobody000000/items/lesson-2/reprocess')).status).toBe(404);
  });
});

describe('properties', () => {
  const put = (name: string, body: unknown) => call('PUT', `${base}/properties/${encodeURIComponent(name)}`, body);

  // proves: decisions-cabinet-calls/properties, decisions-cabinet-calls/property
  it('are declared, changed and listed by name', async () => {
    expect(await put('level', { type: 'string' })).toMatchObject({
      status: 201,
      body: { name: 'level', type: 'string', filterable: false },
    });
    expect(await put('цена/руб', { type: 'number', filterable: true })).toMatchObject({ status: 201 });
    expect(await put('level', { type: 'string_array', filterable: true })).toMatchObject({
      status: 200,
      body: { type: 'string_array', filterable: true },
    });
    expect((await call('GET', `${base}/properties`)).body).toEqual({
      items: [
        { name: 'level', type: 'string_array', filterable: true },
        { name: 'цена/руб', type: 'number', filterable: true },
      ],
      next_cursor: null,
    });
  });

  // proves: decisions-cabinet-calls/property
  it.each(['string', 'number', 'boolean', 'datetime', 'string_array'])('may be of the type %s', async (type) => {
    const property = { name: `a ${type}`, type, filterable: true };
    expect(await put(property.name, { type, filterable: true })).toMatchObject({ status: 201, body: property });
    expect((await call('GET', `${base}/properties`)).body.items).toContainEqual(property);
  });

  it('refuse other types, fields and names', async () => {
    expect((await put('x', { type: 'date' })).body.error.details).toMatchObject([
      { field: 'type', code: 'invalid_value' },
    ]);
    expect((await put('x', { filterable: true })).body.error.details).toMatchObject([
      { field: 'type', code: 'required' },
    ]);
    expect((await put('x', { type: 'string', unique: true })).body.error.details).toMatchObject([
      { field: 'unique', code: 'unknown_field' },
    ]);
    expect((await put('x'.repeat(192), { type: 'string' })).status).toBe(400);
    expect((await call('PUT', '/projects/nobody000000/properties/x', { type: 'string' })).status).toBe(404);
    expect((await call('GET', '/projects/nobody000000/properties')).status).toBe(404);
  });

  it('are limited to 200, however many are created at once', async () => {
    await database.pool.query(
      `insert into item_properties (project_id, name, type) select $1, 'p' || n, 'string' from generate_series(1, 190) n`,
      [project.id],
    );
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => put(`more-${n}`, { type: 'string' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 422, 422, 422, 422, 422]);
    expect((await put('level', { type: 'string' })).status).toBe(200);
  });
});
