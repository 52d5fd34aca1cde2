import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PRIORITY } from '../../../../domain/jobs/queues.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
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
let cabinet: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  cabinet = clientOf(api.cabinet, await createTestToken(database.pool));
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});
beforeEach(async () => {
  project = await createTestProject(database.pool);
  call = clientOf(api.content, project.key);
});

const TEXT = { type: 'text', title: 'T' };
const VIDEO = { type: 'video', media: [{ kind: 'video', url: 'https://cdn.example.com/a.mp4' }] };
const batch = (operations: unknown) => call('POST', '/items/batch', { operations });
const put = (id: string, data: unknown = TEXT) => ({ op: 'put', id, data });

interface Result {
  id: string;
  ok: boolean;
  status: string | null;
  error: { code: string; message: string; details?: { field: string; code: string; message: string }[] } | null;
}
const resultsOf = async (operations: unknown): Promise<Result[]> => {
  const { status, body } = await batch(operations);
  expect(status).toBe(200);
  return body.results;
};
/** Returns `ok STATUS`, or the error and its faults: `CODE: FIELD CODE, …`. */
const describeResult = ({ ok, status, error }: Result): string =>
  ok
    ? `ok ${status}`
    : `${error?.code}: ${(error?.details ?? [])
        .map(({ field, code }) => `${field} ${code}`)
        .sort()
        .join(', ')}`;
const faultsOf = async (body: unknown): Promise<string[]> => {
  const answer = await call('POST', '/items/batch', body);
  expect(answer.body.error.code).toBe('validation_failed');
  expect(answer.status).toBe(422);
  return answer.body.error.details.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`).sort();
};

describe('POST /items/batch', () => {
  // proves: item-batch/BatchResult, items/batch
  it('performs its operations in order, each independently', async () => {
    const results = await resultsOf([
      put('a'),
      { op: 'patch', id: 'a', data: { available: false } },
      { op: 'patch', id: 'nobody', data: { title: 'x' } },
      { op: 'delete', id: 'a' },
      { op: 'delete', id: 'nobody', data: null },
      put('b', VIDEO),
      { op: 'delete', id: 'b', data: { anything: '\0' } },
      put('b', VIDEO),
    ]);
    expect(results.map(describeResult)).toEqual([
      'ok queued',
      'ok queued',
      'not_found: ',
      'ok queued',
      'not_found: ',
      'ok queued',
      'ok queued',
      'ok queued',
    ]);
    expect(results.map(({ id }) => id)).toEqual(['a', 'a', 'nobody', 'a', 'nobody', 'b', 'b', 'b']);
    expect(results[2]?.error?.message).toMatch(/[а-я]/);
    expect((await call('GET', '/items/a')).body).toMatchObject({ deleted: true, available: false, origin: 'api' });
    expect((await call('GET', '/items/b')).body).toMatchObject({ deleted: false });
  });

  // proves: item-batch/BatchError, errors/batches, decisions-faults/elements
  it('reports faults of the data by element, with their own paths', async () => {
    const results = await resultsOf([
      put('1', { type: 'text', titel: 'x' }),
      put('2', { type: 'video' }),
      put('3', { type: 'video', media: [{ kind: 'video', url: 'http://cdn.example.com/a.mp4' }] }),
      put('4', { ...TEXT, title: 'x'.repeat(1001), url: 5 }),
      put('5', { ...TEXT, published_at: '2026-01-01T00:00:00' }),
      put('6', { ...TEXT, title: 'a\0' }),
      put('7', { ...TEXT, properties: { '\uD800': 1 } }),
      put('8', null),
      { op: 'put', id: '9' },
      put('10', 'text'),
      put('11', [TEXT]),
      { op: 'patch', id: '12', data: { type: 'text' } },
      { op: 'patch', id: '13', data: { media: null, available: null } },
      { op: 'patch', id: '14' },
      put('15', { ...TEXT, properties: { a: 'я'.repeat(9000) } }),
      put('16', { ...TEXT, type: 'song' }),
      put('17', VIDEO),
      { op: 'patch', id: '17', data: { title: 'x', media: [] } },
    ]);
    expect(results.map(describeResult)).toEqual([
      'validation_failed: titel unknown_field',
      'validation_failed: media required',
      'validation_failed: media[0].url invalid_url',
      'validation_failed: title too_long, url invalid_type',
      'validation_failed: published_at invalid_datetime',
      'validation_failed: title invalid_value',
      'validation_failed: properties.\uFFFD invalid_value',
      'validation_failed: data required',
      'validation_failed: data required',
      'validation_failed: data invalid_type',
      'validation_failed: data invalid_type',
      'validation_failed: type unknown_field',
      'validation_failed: available invalid_type, media invalid_type',
      'validation_failed: data required',
      'validation_failed: properties too_long',
      'validation_failed: type invalid_value',
      'ok queued',
      'validation_failed: media invalid_value',
    ]);
    for (const { error } of results) for (const detail of error?.details ?? []) expect(detail.message).toMatch(/[а-я]/);
    expect((await call('GET', '/items/17')).body).toMatchObject({ title: null, media: [{}] });
    expect((await call('GET', '/items/1')).status).toBe(404);
  });

  // proves: item-batch/BatchOperation, decisions-results/batch-reprocess
  it('reprocesses items with any id, with all steps or the named ones', async () => {
    await batch([put('статья/7'), put('b'), put('gone')]);
    await batch([{ op: 'delete', id: 'gone' }]);
    await database.pool.query(
      `update items set status = 'ready', steps = (select jsonb_object_agg(key, value || '{"state": "done"}') from jsonb_each(steps)) where project_id = $1`,
      [project.id],
    );
    const results = await resultsOf([
      { op: 'reprocess', id: 'статья/7', data: { steps: ['embedding'] } },
      { op: 'reprocess', id: 'b' },
      { op: 'reprocess', id: 'b', data: null },
      { op: 'reprocess', id: 'b', data: { steps: null } },
      { op: 'reprocess', id: 'gone' },
      { op: 'reprocess', id: 'nobody' },
      { op: 'reprocess', id: 'b', data: { steps: ['prepare'] } },
      { op: 'reprocess', id: 'b', data: { step: [] } },
      { op: 'reprocess', id: 'b', data: [] },
    ]);
    expect(results.map(describeResult)).toEqual([
      'ok processing',
      'ok queued',
      'ok queued',
      'ok queued',
      'not_found: ',
      'not_found: ',
      'validation_failed: steps[0] invalid_value',
      'validation_failed: step unknown_field',
      'validation_failed: data invalid_type',
    ]);
    const { rows } = await database.pool.query(
      `select id, steps -> 'summary' ->> 'state' as summary, steps -> 'embedding' ->> 'state' as embedding
         from items where project_id = $1 and not deleted order by id collate "C"`,
      [project.id],
    );
    expect(rows).toEqual([
      { id: 'b', summary: 'queued', embedding: 'queued' },
      { id: 'статья/7', summary: 'done', embedding: 'queued' },
    ]);
  });

  // proves: item-batch/BatchOperation, decisions-results/no-read-op, decisions-faults/paths
  // proves: decisions-faults/envelope-list, decisions-faults/envelope-operation
  it('refuses the whole request for faults of the envelope, and does nothing', async () => {
    expect(
      await faultsOf({
        operations: [
          put('kept out'),
          { op: 'merge', id: 'x', data: {} },
          { id: 'y' },
          { op: 'put', id: '', data: TEXT },
          { op: 'delete' },
          { op: 'delete', id: 7 },
          { op: 'delete', id: 'a', more: 1 },
          null,
          { op: 'read', id: 'a' },
        ],
      }),
    ).toEqual([
      'operations[1].op invalid_value',
      'operations[2].op required',
      'operations[3].id invalid_value',
      'operations[4].id required',
      'operations[5].id invalid_type',
      'operations[6].more unknown_field',
      'operations[7] invalid_type',
      'operations[8].op invalid_value',
    ]);
    expect(
      await faultsOf({
        operations: [
          { op: 'delete', id: 'x'.repeat(192) },
          { op: 'delete', id: 'a\0' },
          { op: 'delete', id: '\uDC00' },
        ],
      }),
    ).toEqual(['operations[0].id too_long', 'operations[1].id invalid_value', 'operations[2].id invalid_value']);
    expect(await faultsOf({})).toEqual(['operations required']);
    expect(await faultsOf({ operations: {} })).toEqual(['operations invalid_type']);
    expect(await faultsOf({ operations: [], dry_run: true })).toEqual(['dry_run unknown_field']);
    expect(await faultsOf([])).toEqual([' invalid_type']);
    expect((await call('GET', '/items')).body.items).toEqual([]);
  });

  // proves: items/batch, limits/items-batch
  it('accepts at most 500 operations of any kind', async () => {
    const operations = Array.from({ length: 501 }, (_, n) => put(`n${n}`));
    expect(await batch(operations)).toMatchObject({ status: 413, body: { error: { code: 'payload_too_large' } } });
    expect(await batch(Array.from({ length: 501 }, () => 'bad'))).toMatchObject({ status: 413 });
    const results = await resultsOf(operations.slice(1));
    expect(results.filter(({ ok }) => ok)).toHaveLength(500);
    expect(await resultsOf([])).toEqual([]);
    const { rows } = await database.pool.query(
      'select count(*)::int as count, min(priority) as first, max(priority) as last from outbox where project_id = $1',
      [project.id],
    );
    expect(rows).toEqual([{ count: 500, first: PRIORITY.bulk, last: PRIORITY.bulk }]);
  });

  // proves: item-batch/BatchOperation, limits/user_id
  it('accepts any id of up to 191 characters', async () => {
    const ids = ['🙂'.repeat(191), 'a/b?c#d%2F', '.', '..', ' ', '"\\\'{}', 'И\u0306', 'Й', '\u0001'];
    expect((await resultsOf(ids.map((id) => put(id)))).map(({ id, ok }) => ({ id, ok }))).toEqual(
      ids.map((id) => ({ id, ok: true })),
    );
    const { items } = (await call('GET', '/items')).body;
    expect(items.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
  });

  it('changes, lists and deletes items with the ids . and .., which clients remove from a path', async () => {
    const ids = ['.', '..'];
    await resultsOf(ids.map((id) => put(id)));
    const title = (value: string) => ids.map((id) => ({ op: 'patch', id, data: { title: value } }));
    expect((await resultsOf(title('new'))).map(({ ok }) => ok)).toEqual([true, true]);
    const named = async () => (await call('GET', '/items?ids=.,..')).body.items as { id: string }[];
    expect((await named()).map(({ id }) => id).sort()).toEqual(ids);
    // The client turns such an id into another path: that of the list, or of the API.
    for (const id of [...ids, '%2E', '%2e%2E']) expect((await call('DELETE', `/items/${id}`)).status).toBe(404);
    await resultsOf(ids.map((id) => ({ op: 'delete', id })));
    expect(await named()).toMatchObject([{ deleted: true }, { deleted: true }]);
  });

  it('takes effect once if the same operations are sent several times at once', async () => {
    const operations = Array.from({ length: 50 }, (_, n) => put(`i${n}`, { ...TEXT, title: `t${n}` }));
    const answers = await Promise.all([batch(operations), batch(operations.toReversed()), batch(operations)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { rows } = await database.pool.query(
      'select max(revision)::int as revision, count(*)::int as items, (select count(*)::int from outbox where project_id = $1) as outbox from items where project_id = $1',
      [project.id],
    );
    expect(rows).toEqual([{ revision: 1, items: 50, outbox: 50 }]);
  });

  it('requires a key and JSON', async () => {
    expect((await clientOf(api.content, null)('POST', '/items/batch', { operations: [] })).status).toBe(401);
    expect(await call('POST', '/items/batch', '{"operations": [')).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request' } },
    });
  });
});

describe('filterable properties', () => {
  const declare = (name: string, type: string, filterable = true) =>
    cabinet('PUT', `/projects/${project.id}/properties/${encodeURIComponent(name)}`, { type, filterable });

  // proves: write/properties
  it('are checked against their type in every write', async () => {
    await declare('level', 'string');
    await declare('цена/руб', 'number');
    await declare('until', 'datetime');
    await declare('free', 'number', false);
    const good = {
      ...TEXT,
      properties: { level: 'B1', 'цена/руб': 10, until: '2026-01-01T00:00:00Z', free: 'x', other: {} },
    };
    const bad = { level: 1, 'цена/руб': '10', until: 'tomorrow' };
    const details = [
      { field: 'level', code: 'invalid_type' },
      { field: 'until', code: 'invalid_datetime' },
      { field: 'цена/руб', code: 'invalid_type' },
    ].map(({ field, code }) => ({ field: `properties.${field}`, code, message: expect.stringMatching(/[а-я]/) }));
    expect((await call('PUT', '/items/a', good)).status).toBe(201);
    const refused = { status: 422, body: { error: { code: 'validation_failed', details } } };
    expect(await call('PUT', '/items/a', { ...TEXT, properties: bad })).toMatchObject(refused);
    expect(await call('PATCH', '/items/a', { properties: bad })).toMatchObject(refused);
    expect(await call('PATCH', '/items/nobody', { properties: bad })).toMatchObject(refused);
    expect(
      (
        await resultsOf([
          put('b', { ...TEXT, properties: bad }),
          { op: 'patch', id: 'a', data: { properties: { level: null } } },
        ])
      ).map(describeResult),
    ).toEqual([
      'validation_failed: properties.level invalid_type, properties.until invalid_datetime, properties.цена/руб invalid_type',
      'ok queued',
    ]);
    expect((await call('GET', '/items/a')).body.properties).toEqual({ level: null });
  });

  it('are checked when they are sent, not when something else is', async () => {
    await call('PUT', '/items/a', { ...TEXT, properties: { level: 5 } });
    await declare('level', 'string');
    expect((await call('PATCH', '/items/a', { title: 'U' })).status).toBe(200);
    expect((await call('PUT', '/items/a', { ...TEXT, properties: { level: 5 } })).status).toBe(422);
  });
});
