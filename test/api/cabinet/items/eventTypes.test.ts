import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { addItems } from '../../../support/people/events.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Answer,
  type Client,
  type TestApi,
  type TestProject,
} from '../../support/testApi.ts';

let database: TestDatabase;
let api: TestApi;
let cabinet: Client;
let content: Client;
let project: TestProject;

const plain = { title: 'Подписка', mode: 'fact', weight: 5, value_kind: 'none' };
const put = (code: string, change: object = {}): Promise<Answer> =>
  cabinet('PUT', `/projects/${project.id}/event-types/${code}`, { ...plain, ...change });
const post = (type: string, change: object = {}): Promise<Answer> =>
  content('POST', '/events', {
    events: [{ id: `${type}-${Math.random()}`, type, item: 'a', user: { user_id: 'u' }, ...change }],
  });

async function faults(code: string, change: object): Promise<unknown> {
  const { status, body } = await put(code, change);
  return status === 422
    ? body.error.details.map((detail: { field: string; code: string }) => [detail.field, detail.code])
    : status;
}

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  cabinet = clientOf(api.cabinet, await createTestToken(database.pool));
});
beforeEach(async () => {
  project = await createTestProject(database.pool);
  content = clientOf(api.content, project.key);
  await addItems(database.pool, project.id, ['a']);
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});

describe('PUT /projects/{id}/event-types/{code}', () => {
  // proves: decisions-events/types-editable
  // proves: decisions-cabinet-calls/event-types, decisions-cabinet-calls/event-type
  it('creates a type, which takes effect at once', async () => {
    expect((await post('subscribe')).body.rejected[0].code).toBe('unknown_type');
    const answer = await put('subscribe', {
      value_kind: 'number',
      value_map: { '-1.5': 0.5, 100: 2 },
      dedup_window_sec: 60,
    });
    const stored = {
      code: 'subscribe',
      ...plain,
      value_kind: 'number',
      value_map: { '-1.5': 0.5, 100: 2 },
      dedup_window_sec: 60,
      suppress_similar_days: 0,
      is_impression: false,
      is_open: false,
      is_goal: false,
      is_purchase: false,
      hides_item: false,
      is_active: true,
    };
    expect([answer.status, answer.body]).toEqual([201, stored]);
    expect((await post('subscribe')).body.accepted).toBe(1);
    expect((await content('GET', '/event-types')).body).toContainEqual(stored);
    expect((await cabinet('GET', `/projects/${project.id}/event-types`)).body.items).toContainEqual(stored);
  });

  // proves: decisions-events/types-editable
  // proves: decisions-cabinet-calls/event-type
  it('replaces a whole type, which takes effect at once', async () => {
    await put('subscribe', { weight: 1, is_goal: true, suppress_similar_days: 3 });
    const { status, body } = await put('subscribe', { is_active: false });
    expect([status, body.is_goal, body.suppress_similar_days, body.weight]).toEqual([200, false, 0, 5]);
    expect((await post('subscribe')).body.rejected[0].code).toBe('inactive_type');
  });

  // proves: decisions-cabinet-calls/event-type, decisions-cabinet-calls/event-types
  it('accepts each type as it is listed, without its code', async () => {
    const { items } = (await cabinet('GET', `/projects/${project.id}/event-types`)).body;
    expect(items).toHaveLength(12);
    const codes = items.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(codes.toSorted());
    for (const { code, ...type } of items) {
      const { status, body } = await cabinet('PUT', `/projects/${project.id}/event-types/${code}`, type);
      expect([status, body]).toEqual([200, { code, ...type }]);
    }
    expect((await cabinet('GET', `/projects/${project.id}/event-types`)).body.items).toEqual(items);
  });

  it('keeps one purchase type per project', async () => {
    expect(await faults('sale', { is_purchase: true })).toEqual([['is_purchase', 'invalid_value']]);
    expect((await put('purchase', { is_purchase: false })).status).toBe(200);
    expect((await put('sale', { is_purchase: true })).status).toBe(201);
    expect((await put('sale', { is_purchase: true })).status).toBe(200);
    expect(await faults('purchase', { is_purchase: true })).toEqual([['is_purchase', 'invalid_value']]);
  });

  it('accepts one of two types that become the purchase type at the same time', async () => {
    await put('purchase', { is_purchase: false });
    const statuses = await Promise.all(
      ['one', 'two'].map(async (code) => (await put(code, { is_purchase: true })).status),
    );
    expect(statuses.sort()).toEqual([201, 422]);
  });

  it('keeps the mode of a type, and whether it is an impression, once the type has an event', async () => {
    expect((await put('open', { mode: 'state' })).status).toBe(200);
    expect((await put('open')).status).toBe(200);
    await post('open');
    expect(await faults('open', { mode: 'state' })).toEqual([['mode', 'invalid_value']]);
    expect(await faults('open', { is_impression: true })).toEqual([['is_impression', 'invalid_value']]);
    expect((await put('open', { weight: -3, value_kind: 'number' })).status).toBe(200);
  });

  it('allows the mode to change as long as every event of the type was rejected', async () => {
    expect((await post('share', { item: 'nobody' })).body.rejected).toMatchObject([{ code: 'unknown_item' }]);
    expect((await put('share', { mode: 'state' })).status).toBe(200);
  });

  it('keeps the mode of a type that has been the purchase type, since orders may have become its events', async () => {
    expect((await put('purchase', { is_purchase: false })).status).toBe(200);
    expect(await faults('purchase', { mode: 'state' })).toEqual([['mode', 'invalid_value']]);
  });

  it.each([
    ['an impression that is not a fact', { is_impression: true, mode: 'state' }, ['is_impression']],
    ['a purchase that is not a fact', { is_purchase: true, mode: 'state' }, ['is_purchase']],
    ['a maximum without a kind of value', { mode: 'max' }, ['value_kind']],
    ['a state with another value', { mode: 'state', value_kind: 'percent' }, ['value_kind']],
    ['a window of a state', { mode: 'state', dedup_window_sec: 5 }, ['dedup_window_sec']],
    ['a window of impressions', { is_impression: true, dedup_window_sec: 5 }, ['dedup_window_sec']],
    ['thresholds without a value', { value_map: { 1: 1 } }, ['value_map']],
    [
      'a threshold that is not a number',
      { value_kind: 'number', value_map: { many: 1, '1e3': 1, '': 1, 7: 1 } },
      ['value_map.many', 'value_map.1e3', 'value_map.'],
    ],
    ['a threshold out of range', { value_kind: 'percent', value_map: { 100: 1, 101: 1 } }, ['value_map.101']],
  ])('refuses %s', async (_name, change, fields) => {
    await put('purchase', { is_purchase: false });
    expect(await faults('new', change)).toEqual(fields.map((field) => [field, 'invalid_value']));
  });

  it.each([
    ['no mode', { mode: undefined }, ['mode', 'required']],
    ['an unknown mode', { mode: 'sum' }, ['mode', 'invalid_value']],
    ['an unknown field', { code: 'x' }, ['code', 'unknown_field']],
    [
      'too many thresholds',
      { value_kind: 'number', value_map: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, 1])) },
      ['value_map', 'invalid_value'],
    ],
    [
      'a multiplier that is not a number',
      { value_kind: 'number', value_map: { 1: '1' } },
      ['value_map.1', 'invalid_type'],
    ],
    ['half a second', { dedup_window_sec: 0.5 }, ['dedup_window_sec', 'invalid_type']],
    ['an endless window', { dedup_window_sec: 1e9 }, ['dedup_window_sec', 'invalid_value']],
  ])('refuses %s', async (_name, change, fault) => {
    expect(await faults('new', change)).toEqual([fault]);
  });

  it('accepts at most 100 types per project', async () => {
    for (let n = 0; n < 88; n += 1) expect((await put(`type-${n}`)).status).toBe(201);
    expect(await faults('more', {})).toEqual([['', 'invalid_value']]);
    expect((await put('type-5', { weight: 0 })).status).toBe(200);
  });

  it('answers 404 for an unknown project and 400 for a bad code', async () => {
    expect((await cabinet('PUT', '/projects/aaaaaaaaaaaa/event-types/x', plain)).status).toBe(404);
    expect((await cabinet('GET', '/projects/aaaaaaaaaaaa/event-types')).status).toBe(404);
    expect((await put('%D1%91')).status).toBe(400);
    expect((await put('x'.repeat(65))).status).toBe(400);
  });
});
