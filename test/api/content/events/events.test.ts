import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { addItems, changeType, readFacts, readImpressions, readStates } from '../../../support/people/events.ts';
import {
  clientOf,
  createTestProject,
  startTestApi,
  type Answer,
  type Client,
  type TestApi,
  type TestProject,
} from '../../support/testApi.ts';

let database: TestDatabase;
let api: TestApi;
let project: TestProject;
let call: Client;
let count = 0;

const DAY_MS = 86_400_000;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const event = (change: object = {}): Record<string, unknown> => ({
  id: `e-${++count}`,
  type: 'open',
  item: 'a',
  user: { user_id: 'u' },
  ...change,
});
const post = (...events: unknown[]): Promise<Answer> => call('POST', '/events', { events });
const detailsOf = ({ body }: Answer) =>
  body.error.details.map(({ field, code }: { field: string; code: string }) => [field, code]);

async function rejection(change: object): Promise<string | null> {
  const { status, body } = await post(event(change));
  expect(status).toBe(202);
  expect(body.accepted + body.duplicates + body.rejected.length).toBe(1);
  return body.rejected[0]?.code ?? null;
}

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
});
beforeEach(async () => {
  project = await createTestProject(database.pool);
  call = clientOf(api.content, project.key);
  await addItems(database.pool, project.id, ['a', 'b']);
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});

describe('POST /events', () => {
  // proves: service/3, events/recommendation_id, events/surface, events/order_id
  it('accepts an event with all its details', async () => {
    const at = ago(3 * DAY_MS);
    const full = event({
      type: 'purchase',
      value: 300,
      occurred_at: at,
      recommendation_id: 'r-1',
      surface: 'next',
      position: 65_535,
      order_id: 'o-1',
      quantity: 2,
      price: 150,
    });
    expect(await post(full)).toMatchObject({ status: 202, body: { accepted: 1, duplicates: 0, rejected: [] } });
    expect(await readFacts(database.pool, project.id)).toMatchObject([
      {
        item_id: 'a',
        type: 'purchase',
        value: 300,
        occurred_at: new Date(at),
        recommendation_id: 'r-1',
        surface: 'next',
        position: 65_535,
        order_id: 'o-1',
        quantity: 2,
        price: 150,
      },
    ]);
  });

  // proves: intake/events, limits/events
  it('accepts zero and a thousand events, and answers 413 to one more', async () => {
    expect(await post()).toMatchObject({ status: 202, body: { accepted: 0, duplicates: 0, rejected: [] } });
    expect((await post(...Array.from({ length: 1_000 }, () => event()))).body.accepted).toBe(1_000);
    expect((await post(...Array.from({ length: 1_001 }, () => event()))).status).toBe(413);
  });

  // proves: events/EventRejection, events/EventsResponse, intake/rule-4, errors/rejected-events
  it('names rejected events by their position, and accepts the rest', async () => {
    const { body } = await post(
      event(),
      event({ id: 'bad', item: 'nothing' }),
      event({ type: 'like' }),
      event({ id: 'worse', type: 'nothing' }),
    );
    expect(body).toEqual({
      accepted: 2,
      duplicates: 0,
      rejected: [
        { index: 1, id: 'bad', code: 'unknown_item' },
        { index: 3, id: 'worse', code: 'unknown_type' },
      ],
    });
  });

  // proves: service/7, intake/rule-3
  it('accepts events of deleted and unavailable items', async () => {
    await addItems(database.pool, project.id, ['gone'], true);
    expect(await rejection({ item: 'gone' })).toBe(null);
  });
});

describe('a rejected event', () => {
  // proves: events/type
  it('has a type that is unknown or switched off, effective immediately', async () => {
    expect(await rejection({ type: 'nothing' })).toBe('unknown_type');
    expect(await rejection({ type: '' })).toBe('unknown_type');
    expect(await rejection({ type: 'open' })).toBe(null);
    await changeType(database.pool, project.id, 'open', { is_active: false });
    expect(await rejection({ type: 'open' })).toBe('inactive_type');
  });

  // proves: events/item
  it('names an item that is not in the catalogue', async () => {
    expect(await rejection({ item: '' })).toBe('unknown_item');
    expect(await rejection({ item: 'A' })).toBe('unknown_item');
  });

  // proves: person/at-least-one, events/user
  it('names no identifier that counts', async () => {
    const fingerprint = { fingerprint_uuid: '0F8FAD5B-D9CB-469F-A165-70867728950E' };
    expect(await rejection({ user: {} })).toBe('no_user');
    expect(await rejection({ user: { user_id: null, anonymous_id: null, fingerprint_uuid: null } })).toBe('no_user');
    expect(await rejection({ user: fingerprint })).toBe('no_user');
    const other = await createTestProject(database.pool);
    await database.pool.query('update projects set fingerprints = true where id = $1', [other.id]);
    await addItems(database.pool, other.id, ['a']);
    expect(
      (await clientOf(api.content, other.key)('POST', '/events', { events: [event({ user: fingerprint })] })).body
        .accepted,
    ).toBe(1);
  });

  // proves: events/user
  it('has a malformed user', async () => {
    const astral = '𐀀'.repeat(191);
    const bad = [
      { user_id: '' },
      { user_id: `${astral}x` },
      { user_id: 'x'.repeat(192) },
      { anonymous_id: 'ё' },
      { anonymous_id: '' },
      { anonymous_id: 'x'.repeat(192) },
      { fingerprint_uuid: 'not-a-uuid' },
      { user_id: 'u', anonymous_id: '\t' },
    ];
    for (const user of bad) expect([user, await rejection({ user })]).toEqual([user, 'invalid_user']);
    expect(await rejection({ user: { user_id: astral } })).toBe(null);
    expect(await rejection({ user: { anonymous_id: ' ~'.repeat(95) } })).toBe(null);
  });

  // proves: events/value
  it('has a value outside the range of its kind', async () => {
    const values: [string, unknown, string | null][] = [
      ['view', 0, null],
      ['view', 100, null],
      ['view', 100.1, 'invalid_value'],
      ['view', -1, 'invalid_value'],
      ['view', null, 'invalid_value'],
      ['watch', 0, null],
      ['watch', 1e9, null],
      ['watch', -0.1, 'invalid_value'],
      ['purchase', -5.5, null],
      ['purchase', null, null],
      ['like', 1, null],
      ['like', 0, null],
      ['like', null, null],
      ['like', 2, 'invalid_value'],
      ['like', 0.5, 'invalid_value'],
      ['open', -1e300, null],
      ['impression', 5, null],
    ];
    for (const [type, value, expected] of values)
      expect([type, value, await rejection({ type, value })]).toEqual([type, value, expected]);
  });

  // proves: events/position, events/quantity, events/price
  it('has a position, quantity or price that is out of range', async () => {
    for (const change of [
      { position: -1 },
      { position: 65_536 },
      { position: 1e15 },
      { quantity: -1 },
      { price: -0.01 },
    ]) {
      expect([change, await rejection(change)]).toEqual([change, 'invalid_value']);
    }
    expect(await rejection({ position: 0, quantity: 0, price: 0 })).toBe(null);
  });

  it.each<[string, object, string]>([
    // proves: events/id, limits/order_id
    ['a long id', { id: 'x'.repeat(65) }, 'invalid_value'],
    // proves: events/id
    ['an empty id', { id: '' }, 'invalid_value'],
    // proves: events/id, limits/order_id
    ['an id outside ASCII', { id: 'ё' }, 'invalid_value'],
    ['an id with a NUL', { id: 'a\0' }, 'invalid_value'],
    // proves: events/item
    ['a long item', { item: 'ё'.repeat(192) }, 'unknown_item'],
    // proves: intake/rule-4
    ['an item with a NUL', { item: 'a\0' }, 'unknown_item'],
    ['an item of half a character', { item: '\ud800' }, 'unknown_item'],
    ['a type with a NUL', { type: 'open\0' }, 'unknown_type'],
    ['a user_id with a NUL', { user: { user_id: 'a\0b' } }, 'invalid_user'],
    // proves: events/surface, intake/rule-4
    ['a long surface', { surface: 'x'.repeat(17) }, 'invalid_value'],
    ['a surface with a NUL', { surface: '\0' }, 'invalid_value'],
    // proves: events/order_id
    ['a long order_id', { order_id: 'x'.repeat(65) }, 'invalid_value'],
    // proves: events/order_id, limits/order_id
    ['an empty order_id', { order_id: '' }, 'invalid_value'],
    // proves: events/order_id, limits/order_id
    ['an order_id outside ASCII', { order_id: 'заказ' }, 'invalid_value'],
    ['a very long recommendation_id', { recommendation_id: 'x'.repeat(1_001) }, 'invalid_value'],
    ['a recommendation_id of half a character', { recommendation_id: '\udfff' }, 'invalid_value'],
    // proves: events/occurred_at
    ['a time without a zone', { occurred_at: '2026-11-20T10:00:00' }, 'invalid_value'],
    ['a day that does not exist', { occurred_at: '2026-02-29T10:00:00Z' }, 'invalid_value'],
    ['an empty time', { occurred_at: '' }, 'invalid_value'],
  ])('has %s, and the others are accepted', async (_name, change, code) => {
    const bad = event(change);
    const { status, body } = await post(event(), bad, event({ type: 'purchase', order_id: 'o-1' }));
    expect([status, body]).toEqual([
      202,
      { accepted: 2, duplicates: 0, rejected: [{ index: 1, id: bad['id'], code }] },
    ]);
  });

  it.each(['value', 'quantity', 'price', 'position'])('has a %s that is too large for a number', async (field) => {
    const text = JSON.stringify({ events: [event({ type: 'purchase', [field]: 12_345 }), event()] });
    const answer = await call('POST', '/events', text.replace('12345', '1e999'));
    expect([answer.status, answer.body.accepted, answer.body.rejected[0]?.code]).toEqual([202, 1, 'invalid_value']);
  });

  // proves: events/recommendation_id
  it('is not rejected for a long recommendation_id, for which the API has no limit', async () => {
    expect(await rejection({ recommendation_id: 'ё'.repeat(1_000) })).toBe(null);
  });

  // proves: events/occurred_at, limits/age
  it('is older than 730 days', async () => {
    expect(await rejection({ occurred_at: ago(730 * DAY_MS + 60_000) })).toBe('too_old');
    expect(await rejection({ occurred_at: ago(730 * DAY_MS - 60_000) })).toBe(null);
  });

  // proves: events/EventRejection
  it('belongs to an order, which only POST /orders may change', async () => {
    await call('POST', '/orders', { order_id: 'kept', user: { user_id: 'u' }, items: [{ item: 'a' }] });
    expect(await rejection({ id: `o:${'0123456789abcdef'.repeat(2)}` })).toBe('order_managed');
    expect(await rejection({ id: `o:${'0123456789ABCDEF'.repeat(2)}` })).toBe(null);
    expect(await rejection({ type: 'purchase', order_id: 'kept' })).toBe('order_managed');
    expect(await rejection({ type: 'purchase', order_id: 'other' })).toBe(null);
    expect(await rejection({ type: 'cart', order_id: 'kept' })).toBe(null);
  });

  it('leaves nothing behind, not even its id', async () => {
    await post(event({ id: 'again', item: 'late', user: { user_id: 'nobody' } }));
    const { rows } = await database.pool.query('select from identities where project_id = $1', [project.id]);
    expect(rows).toHaveLength(0);
    await addItems(database.pool, project.id, ['late']);
    expect((await post(event({ id: 'again', item: 'late' }))).body.accepted).toBe(1);
  });
});

describe('the whole request gets 422 for', () => {
  it.each([
    // proves: events/id
    ['a missing field', { id: undefined }, 'events[1].id', 'required'],
    // proves: events/type
    ['a missing type', { type: undefined }, 'events[1].type', 'required'],
    // proves: events/item
    ['a missing item', { item: undefined }, 'events[1].item', 'required'],
    // proves: events/user
    ['a missing user', { user: undefined }, 'events[1].user', 'required'],
    ['an unknown field', { colour: 1 }, 'events[1].colour', 'unknown_field'],
    ['an unknown field of the user', { user: { email: 'x' } }, 'events[1].user.email', 'unknown_field'],
    ['a value of the wrong type', { value: '5' }, 'events[1].value', 'invalid_type'],
    ['a user of the wrong type', { user: 'u' }, 'events[1].user', 'invalid_type'],
    ['an identifier of the wrong type', { user: { user_id: 5 } }, 'events[1].user.user_id', 'invalid_type'],
    ['half a position', { position: 1.5 }, 'events[1].position', 'invalid_type'],
  ])('%s', async (_name, change, field, code) => {
    const answer = await post(event(), event(change));
    expect(answer.status).toBe(422);
    expect(detailsOf(answer)).toEqual([[field, code]]);
    expect(await readFacts(database.pool, project.id)).toEqual([]);
  });

  // proves: intake/events
  it('a body without events, and malformed events', async () => {
    expect(detailsOf(await call('POST', '/events', {}))).toEqual([['events', 'required']]);
    expect(detailsOf(await call('POST', '/events', { events: {} }))).toEqual([['events', 'invalid_type']]);
    expect(detailsOf(await post(null))).toEqual([['events[0]', 'invalid_type']]);
  });
});

describe('the time of an event', () => {
  // proves: events/occurred_at
  it('is the time of receipt if it is absent or more than 5 minutes ahead', async () => {
    const before = Date.now();
    const near = new Date(before + 4 * 60_000);
    await post(
      event({ id: '1' }),
      event({ id: '2', occurred_at: new Date(before + 6 * 60_000).toISOString() }),
      event({ id: '3', occurred_at: near.toISOString() }),
    );
    const byId = new Map(
      (await readFacts(database.pool, project.id)).map((row) => [row.id, row.occurred_at.getTime()]),
    );
    expect(byId.get('3')).toBe(near.getTime());
    for (const id of ['1', '2']) {
      expect(byId.get(id)).toBeGreaterThanOrEqual(before);
      expect(byId.get(id)).toBeLessThanOrEqual(Date.now());
    }
  });
});

describe('a repeat', () => {
  // proves: events/id, intake/rule-1
  it('of an id is a duplicate, within a request and across requests, whatever else it contains', async () => {
    expect((await post(event({ id: 'x' }), event({ id: 'x', item: 'b' }), event({ id: 'y' }))).body).toEqual({
      accepted: 2,
      duplicates: 1,
      rejected: [],
    });
    expect((await post(event({ id: 'x', user: { user_id: 'other' } }), event({ id: 'z' }))).body).toEqual({
      accepted: 1,
      duplicates: 1,
      rejected: [],
    });
    expect((await readFacts(database.pool, project.id)).map(({ id, item_id: item }) => [id, item]).sort()).toEqual([
      ['x', 'a'],
      ['y', 'a'],
      ['z', 'a'],
    ]);
  });

  it('of an id is a duplicate across modes', async () => {
    const types = ['open', 'like', 'view', 'impression'];
    for (const first of types) {
      for (const second of types) {
        const id = `${first}-${second}`;
        expect((await post(event({ id, type: first, value: 1 }))).body.accepted).toBe(1);
        expect([id, (await post(event({ id, type: second, value: 1, item: 'b' }))).body.duplicates]).toEqual([id, 1]);
      }
    }
    const left = [
      ...(await readFacts(database.pool, project.id)),
      ...(await readStates(database.pool, project.id)),
      ...(await readImpressions(database.pool, project.id)),
    ];
    expect(left.filter(({ item_id: item }) => item === 'b')).toEqual([]);
  });

  it('of an id in another project is not a duplicate', async () => {
    const other = await createTestProject(database.pool);
    await addItems(database.pool, other.id, ['a']);
    const one = { events: [event({ type: 'like' }), event()] };
    expect((await call('POST', '/events', one)).body.accepted).toBe(2);
    expect((await clientOf(api.content, other.key)('POST', '/events', one)).body.accepted).toBe(2);
  });
});

describe('impressions', () => {
  // proves: intake/rule-2
  it('are counted by day, item, surface and position bucket, without any person', async () => {
    const day = ago(3 * DAY_MS).slice(0, 10);
    const shown = (change: object) =>
      event({ type: 'impression', occurred_at: `${day}T23:59:59.999Z`, surface: 'feed', position: 0, ...change });
    const answer = await post(
      shown({}),
      shown({ user: { user_id: 'other' } }),
      shown({ position: 7 }),
      shown({ position: 9 }),
      shown({ position: 65_535 }),
      shown({ surface: null }),
      shown({ position: null }),
      shown({ item: 'b', occurred_at: `${day}T23:59:59.999-02:00` }),
      shown({ id: 'same' }),
      shown({ id: 'same' }),
    );
    expect(answer.body).toEqual({ accepted: 9, duplicates: 1, rejected: [] });
    await post(shown({}), shown({ id: 'same' }));
    const next = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
    expect(await readImpressions(database.pool, project.id)).toEqual([
      { day, item_id: 'a', surface: '', position_bucket: 0, count: 1 },
      { day, item_id: 'a', surface: 'feed', position_bucket: -1, count: 1 },
      { day, item_id: 'a', surface: 'feed', position_bucket: 0, count: 4 },
      { day, item_id: 'a', surface: 'feed', position_bucket: 5, count: 2 },
      { day, item_id: 'a', surface: 'feed', position_bucket: 100, count: 1 },
      { day: next, item_id: 'b', surface: 'feed', position_bucket: 0, count: 1 },
    ]);
    expect((await database.pool.query('select from identities where project_id = $1', [project.id])).rows).toHaveLength(
      0,
    );
  });
});

describe('GET /event-types', () => {
  // proves: events/EventTypeOut, intake/event-types
  it('lists the types of a new project by code, and no internal fields', async () => {
    const { status, body } = await call('GET', '/event-types');
    expect([status, body.map(({ code }: { code: string }) => code)]).toEqual([
      200,
      [
        'cart',
        'comment',
        'dislike',
        'favourite',
        'hide',
        'impression',
        'like',
        'open',
        'purchase',
        'share',
        'view',
        'watch',
      ],
    ]);
    expect(body[10]).toEqual({
      code: 'view',
      title: 'Просмотр',
      mode: 'max',
      weight: 1,
      value_kind: 'percent',
      value_map: { 0: 0.1, 25: 0.5, 50: 1, 75: 1.5, 95: 2 },
      dedup_window_sec: 0,
      suppress_similar_days: 0,
      is_impression: false,
      is_open: false,
      is_goal: false,
      is_purchase: false,
      hides_item: false,
      is_active: true,
    });
  });
});
