import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { expandedEvents, expectedEventId, openRequests, readOrder } from '../../../support/people/orders.ts';
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

const DAY_MS = 86_400_000;
const user = { user_id: 'u1' };
const daysAgo = (days: number, plusMs = 0) => new Date(Date.now() - days * DAY_MS + plusMs).toISOString();
const detailsOf = (body: { error: { details: { field: string; code: string }[] } }) =>
  body.error.details.map(({ field, code }) => [field, code]);

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
});
beforeEach(async () => {
  project = await createTestProject(database.pool);
  call = clientOf(api.content, project.key);
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});

const events = (orderId: string | null = null) => expandedEvents(database.pool, project.id, orderId);
const orderRow = (orderId: string) => readOrder(database.pool, project.id, orderId);

describe('POST /orders', () => {
  // proves: service/3, intake/orders, intake/rule-5
  it('accepts an order, which becomes an event for each line', async () => {
    await call('PUT', '/items/known', { type: 'text', title: 'Known' });
    const at = daysAgo(3);
    const items = [
      { item: 'known', quantity: 2, price: 50 },
      { item: 'новый товар', title: 'Новый' },
    ];
    const answer = await call('POST', '/orders', { order_id: 'A-1', user, occurred_at: at, items });
    expect(answer).toMatchObject({ status: 202, body: { order_id: 'A-1', accepted: 2, rejected: [] } });
    const common = { type: 'purchase', order_id: 'A-1', occurred_at: new Date(at) };
    expect(await events()).toEqual([
      {
        ...common,
        id: expectedEventId('A-1', 'known'),
        item_id: 'known',
        quantity: 2,
        price: 50,
        value: 100,
        identity_id: expect.any(String),
      },
      {
        ...common,
        id: expectedEventId('A-1', 'новый товар'),
        item_id: 'новый товар',
        quantity: 1,
        price: null,
        value: null,
        identity_id: expect.any(String),
      },
    ]);
  });

  // proves: read/origin, orders/OrderLineIn, intake/rule-6
  it('creates an unavailable item for a product outside the catalogue, before it answers, and never analyses it', async () => {
    await call('POST', '/orders', {
      order_id: 'A-1',
      user,
      items: [{ item: 'p-1', title: 'Товар', properties: { colour: 'red' } }],
    });
    const SKIPPED = {
      prepare: 'skipped',
      speech: 'skipped',
      vision: 'skipped',
      summary: 'skipped',
      embedding: 'skipped',
    };
    expect(await call('GET', '/items/p-1')).toMatchObject({
      status: 200,
      body: {
        type: 'text',
        title: 'Товар',
        properties: { colour: 'red' },
        origin: 'order',
        available: false,
        deleted: false,
        status: 'ready',
        processing: SKIPPED,
        media: [],
      },
    });
    const { rows } = await database.pool.query(`select from outbox where project_id = $1 and kind = 'item'`, [
      project.id,
    ]);
    expect(rows).toHaveLength(0);
  });

  it('drops from the item the properties that a filter could not use, and keeps them with the line', async () => {
    await database.pool.query(
      `insert into item_properties (project_id, name, type, filterable) values ($1, 'size', 'number', true), ($1, 'colour', 'string', true), ($1, 'kind', 'string', false)`,
      [project.id],
    );
    const properties = { size: 'XL', colour: 'red', kind: 7 };
    await call('POST', '/orders', { order_id: 'A-1', user, items: [{ item: 'p-1', title: 'Товар', properties }] });
    expect((await call('GET', '/items/p-1')).body.properties).toEqual({ colour: 'red', kind: 7 });
    expect(
      (await database.pool.query('select properties from order_lines where project_id = $1', [project.id])).rows,
    ).toEqual([{ properties }]);
  });

  it('does not change a known item, whatever title the line has', async () => {
    await call('PUT', '/items/known', { type: 'text', title: 'Known' });
    await call('DELETE', '/items/known');
    const answer = await call('POST', '/orders', { order_id: 'A-1', user, items: [{ item: 'known', title: 'Other' }] });
    expect(answer.body).toEqual({ order_id: 'A-1', accepted: 1, rejected: [] });
    expect((await call('GET', '/items/known')).body).toMatchObject({ title: 'Known', deleted: true, origin: 'api' });
  });

  // proves: orders/OrderLineRejection, orders/OrderResponse, intake/rule-6
  it('rejects single lines and accepts the others', async () => {
    const items = [
      { item: 'unknown' },
      { item: 'a', title: 'A', quantity: -1 },
      { item: 'a', title: 'A', price: -0.01 },
      { item: 'a', title: 'A', quantity: 0 },
      { item: 'b', title: 'B', quantity: 1e300, price: 1e300 },
      { item: 'c', title: ' ' },
      { item: 'd' },
      { item: 'd', title: 'D' },
    ];
    const answer = await call('POST', '/orders', { order_id: 'A-1', user, items });
    expect(answer).toMatchObject({ status: 202, body: { accepted: 3 } });
    expect(answer.body.rejected).toEqual([
      { index: 0, item: 'unknown', code: 'unknown_item' },
      { index: 1, item: 'a', code: 'invalid_value' },
      { index: 2, item: 'a', code: 'invalid_value' },
      { index: 4, item: 'b', code: 'invalid_value' },
      { index: 5, item: 'c', code: 'unknown_item' },
    ]);
    expect((await events()).map(({ item_id, quantity }) => [item_id, quantity])).toEqual([
      ['a', 0],
      ['d', 2],
    ]);
    expect(await call('GET', '/items/b')).toMatchObject({ status: 404 });
  });

  // proves: intake/rule-5
  it('adds up lines of one item and stores them as sent', async () => {
    const items = [
      { item: 'a', title: 'A', quantity: 1, price: 100 },
      { item: 'b', title: 'B' },
      { item: 'a', quantity: 3, price: 200 },
    ];
    const answer = await call('POST', '/orders', { order_id: 'A-1', user, items });
    expect(answer.body).toEqual({ order_id: 'A-1', accepted: 3, rejected: [] });
    expect(await events()).toMatchObject([
      { item_id: 'a', quantity: 4, price: 175, value: 700 },
      { item_id: 'b', quantity: 1, price: null, value: null },
    ]);
  });

  // proves: states/order-again, orders/order_id, orders/occurred_at
  it('replaces the lines, and keeps the time of the order', async () => {
    const at = daysAgo(10);
    await call('POST', '/orders', {
      order_id: 'A-1',
      user,
      occurred_at: at,
      items: [
        { item: 'a', title: 'A' },
        { item: 'b', title: 'B' },
      ],
    });
    await events();
    await call('POST', '/orders', {
      order_id: 'A-1',
      user,
      items: [
        { item: 'b', quantity: 5 },
        { item: 'c', title: 'C' },
      ],
    });
    expect(await events()).toMatchObject([
      { item_id: 'b', quantity: 5, occurred_at: new Date(at) },
      { item_id: 'c', quantity: 1, occurred_at: new Date(at) },
    ]);
  });

  it('does nothing if a repeat contains nothing new', async () => {
    const body = {
      order_id: 'A-1',
      user,
      occurred_at: daysAgo(1),
      items: [
        { item: 'a', title: 'A', price: -0, properties: { x: 1, y: [-0] } },
        { item: 'b', title: 'B' },
      ],
    };
    await call('POST', '/orders', body);
    await events();
    const before = await orderRow('A-1');
    const again = await call('POST', '/orders', {
      ...body,
      occurred_at: null,
      items: [{ item: 'b' }, { item: 'a', price: 0, properties: { y: [0], x: 1 } }],
    });
    expect(again.body).toEqual({ order_id: 'A-1', accepted: 2, rejected: [] });
    expect(await orderRow('A-1')).toEqual(before);
    expect(await openRequests(database.pool, project.id)).toEqual([]);
  });

  // proves: states/order-statuses, states/order-cancelled, orders/status
  it('cancels: the whole contribution is removed, and returns with new lines', async () => {
    await call('POST', '/orders', { order_id: 'A-1', user, items: [{ item: 'a', title: 'A' }] });
    expect(await events()).toHaveLength(1);
    expect(await call('POST', '/orders', { order_id: 'A-1', user, status: 'cancelled' })).toMatchObject({
      status: 202,
      body: { accepted: 0, rejected: [] },
    });
    expect(await events()).toEqual([]);
    expect(await orderRow('A-1')).toMatchObject({ status: 'cancelled' });
    await call('POST', '/orders', { order_id: 'A-1', user, status: 'created', items: [{ item: 'a' }] });
    expect(await events()).toMatchObject([{ item_id: 'a' }]);
  });

  // proves: orders/items
  it('stores a cancelled order that was unknown, without looking at its lines', async () => {
    const answer = await call('POST', '/orders', {
      order_id: 'A-1',
      user,
      status: 'cancelled',
      items: [{ item: 'a', title: 'A' }, { item: 'unknown' }],
    });
    expect(answer.body).toEqual({ order_id: 'A-1', accepted: 0, rejected: [] });
    expect(await orderRow('A-1')).toMatchObject({ status: 'cancelled' });
    expect(await events()).toEqual([]);
    expect(await call('GET', '/items/a')).toMatchObject({ status: 404 });
  });

  it('moves the events to another user if a repeat names one', async () => {
    const items = [{ item: 'a', title: 'A' }];
    await call('POST', '/orders', { order_id: 'A-1', user: { anonymous_id: 'device' }, items });
    const [before] = await events();
    await call('POST', '/orders', { order_id: 'A-1', user, items });
    const [after] = await events();
    expect(after?.id).toBe(before?.id);
    expect(after?.identity_id).not.toBe(before?.identity_id);
  });

  // proves: orders/occurred_at
  it('handles times: one far in the future becomes the time of receipt, and one over 730 days ago is too old', async () => {
    const items = [{ item: 'a', title: 'A' }];
    const start = Date.now();
    const at = async (occurredAt: string) => {
      await call('POST', '/orders', { order_id: 'A-1', user, occurred_at: occurredAt, items });
      return (await orderRow('A-1'))?.['occurred_at'] as Date;
    };
    const nearFuture = daysAgo(0, 4 * 60_000);
    expect(await at(nearFuture)).toEqual(new Date(nearFuture));
    const receipt = (await at(daysAgo(0, 6 * 60_000))).getTime();
    expect(receipt).toBeGreaterThanOrEqual(start);
    expect(receipt).toBeLessThanOrEqual(Date.now());
    const oldest = daysAgo(730, 60_000);
    expect(await at(oldest)).toEqual(new Date(oldest));
    const refused = await call('POST', '/orders', { order_id: 'A-1', user, occurred_at: daysAgo(730, -1), items });
    expect([refused.status, detailsOf(refused.body)]).toEqual([422, [['occurred_at', 'too_old']]]);
    expect(await orderRow('A-1')).toMatchObject({ occurred_at: new Date(oldest) });
  });

  it.each([
    // proves: orders/order_id
    ['no order_id', { user, items: [] }, [['order_id', 'required']]],
    // proves: orders/order_id, limits/order_id
    ['a long order_id', { order_id: 'x'.repeat(65), user, items: [] }, [['order_id', 'too_long']]],
    // proves: orders/order_id, limits/order_id
    ['an order_id beyond ASCII', { order_id: 'ё', user, items: [] }, [['order_id', 'invalid_value']]],
    ['an empty order_id', { order_id: '', user, items: [] }, [['order_id', 'invalid_value']]],
    ['an order_id that is a number', { order_id: 1, user, items: [] }, [['order_id', 'invalid_type']]],
    // proves: orders/user
    ['no user', { order_id: 'A', items: [] }, [['user', 'required']]],
    // proves: orders/user
    ['an empty user', { order_id: 'A', user: {}, items: [] }, [['user', 'invalid_value']]],
    [
      'a fingerprint that does not count',
      { order_id: 'A', user: { fingerprint_uuid: '6f1c1c9e-0d6b-4b39-9d4e-3f5b8f3c9c11' }, items: [] },
      [['user', 'invalid_value']],
    ],
    [
      'a long user_id',
      { order_id: 'A', user: { user_id: 'u'.repeat(192) }, items: [] },
      [['user.user_id', 'too_long']],
    ],
    // proves: orders/items
    ['no items', { order_id: 'A', user }, [['items', 'required']]],
    ['items null', { order_id: 'A', user, items: null }, [['items', 'required']]],
    ['items null with status null', { order_id: 'A', user, status: null, items: null }, [['items', 'required']]],
    ['items that are not a list', { order_id: 'A', user, items: {} }, [['items', 'invalid_type']]],
    // proves: orders/status
    ['an unknown status', { order_id: 'A', user, items: [], status: 'paid' }, [['status', 'invalid_value']]],
    [
      'a time without zone',
      { order_id: 'A', user, items: [], occurred_at: '2026-01-01T00:00:00' },
      [['occurred_at', 'invalid_datetime']],
    ],
    // proves: intake/orders
    ['an unknown field', { order_id: 'A', user, items: [], total: 1 }, [['total', 'unknown_field']]],
    // proves: orders/items
    [
      '201 lines',
      { order_id: 'A', user, items: Array.from({ length: 201 }, () => ({ item: 'a' })) },
      [['items', 'too_long']],
    ],
    // proves: orders/OrderLineIn
    ['a line without item', { order_id: 'A', user, items: [{ quantity: 1 }] }, [['items[0].item', 'required']]],
    ['a line with an empty item', { order_id: 'A', user, items: [{ item: '' }] }, [['items[0].item', 'invalid_value']]],
    // proves: orders/OrderLineIn
    [
      'a line with a long item',
      { order_id: 'A', user, items: [{ item: 'я'.repeat(192) }] },
      [['items[0].item', 'too_long']],
    ],
    [
      'a quantity that is a string',
      { order_id: 'A', user, items: [{ item: 'a', quantity: '1' }] },
      [['items[0].quantity', 'invalid_type']],
    ],
    [
      'a price that is a string',
      { order_id: 'A', user, items: [{ item: 'a', price: '1' }] },
      [['items[0].price', 'invalid_type']],
    ],
    // proves: orders/OrderLineIn
    [
      'a long title',
      { order_id: 'A', user, items: [{ item: 'a', title: 't'.repeat(1001) }] },
      [['items[0].title', 'too_long']],
    ],
    // proves: orders/OrderLineIn
    [
      'large properties',
      { order_id: 'A', user, items: [{ item: 'a', properties: { p: 'x'.repeat(16 * 1024) } }] },
      [['items[0].properties', 'too_long']],
    ],
    [
      'an unknown field of a line',
      { order_id: 'A', user, items: [{ item: 'a', sku: '1' }] },
      [['items[0].sku', 'unknown_field']],
    ],
    ['a NUL', { order_id: 'A', user, items: [{ item: 'a\u0000' }] }, [['items[0].item', 'invalid_value']]],
  ])('refuses %s', async (_what, body, details) => {
    const answer = await call('POST', '/orders', body);
    expect([answer.status, answer.body.error.code, detailsOf(answer.body)]).toEqual([
      422,
      'validation_failed',
      details,
    ]);
    expect((await database.pool.query('select from orders where project_id = $1', [project.id])).rows).toHaveLength(0);
  });

  // proves: orders/items, limits/orders
  it('accepts 200 lines', async () => {
    const items = Array.from({ length: 200 }, (_, index) => ({ item: `i${index}`, title: 'T' }));
    expect((await call('POST', '/orders', { order_id: 'A-1', user, items })).body).toEqual({
      order_id: 'A-1',
      accepted: 200,
      rejected: [],
    });
    expect(await events()).toHaveLength(200);
  });

  // proves: intake/rule-7
  it.each([['is_purchase'], ['is_active']])('answers no_purchase_type if no type has %s', async (flag) => {
    await database.pool.query(`update event_types set ${flag} = false where project_id = $1 and code = 'purchase'`, [
      project.id,
    ]);
    const single = await call('POST', '/orders', { order_id: 'A-1', user, items: [{ item: 'a', title: 'A' }] });
    const batch = await call('POST', '/orders/batch', { orders: [] });
    for (const { status, body } of [single, batch])
      expect([status, detailsOf(body)]).toEqual([422, [['', 'no_purchase_type']]]);
    expect(await call('GET', '/items/a')).toMatchObject({ status: 404 });
  });

  it('uses the purchase type of the project, whatever its code, even after it changes', async () => {
    const setType = (code: string) =>
      database.pool.query(`update event_types set is_purchase = (code = $2) where project_id = $1`, [project.id, code]);
    await setType('none');
    await setType('cart');
    await call('POST', '/orders', { order_id: 'A-1', user, items: [{ item: 'a', title: 'A' }] });
    expect(await events()).toMatchObject([{ type: 'cart' }]);
  });

  it('records a login on a device if the project uses fingerprints', async () => {
    const fingerprint = '6F1C1C9E-0D6B-4B39-9D4E-3F5B8F3C9C11';
    const body = (orderId: string) => ({
      order_id: orderId,
      user: { user_id: 'u1', fingerprint_uuid: fingerprint },
      items: [],
    });
    const logins = async () =>
      (await database.pool.query('select fingerprint from device_logins where project_id = $1', [project.id])).rows;
    await call('POST', '/orders', body('A-1'));
    expect(await logins()).toEqual([]);
    await database.pool.query('update projects set fingerprints = true where id = $1', [project.id]);
    const other = await createTestProject(database.pool);
    await database.pool.query('update projects set fingerprints = true where id = $1', [other.id]);
    await clientOf(api.content, other.key)('POST', '/orders', body('A-2'));
    const { rows } = await database.pool.query('select fingerprint from device_logins where project_id = $1', [
      other.id,
    ]);
    expect(rows).toEqual([{ fingerprint: fingerprint.toLowerCase() }]);
  });
});

describe('POST /orders/batch', () => {
  // proves: orders/OrdersBatchResult, intake/orders-batch
  it('handles orders independently', async () => {
    const orders = [
      { order_id: 'B-1', user, items: [{ item: 'a', title: 'A' }, { item: 'unknown' }] },
      { order_id: 'B-2', user: {}, items: [{ item: 'b', title: 'B' }] },
      { order_id: 'B-3', user, occurred_at: daysAgo(731), items: [{ item: 'c', title: 'C' }] },
      { order_id: 'B-4', user, items: [{ item: 'd', title: 'D', extra: 1 }] },
      { order_id: 'ё', user, items: [] },
      null,
      { user, items: Array.from({ length: 201 }, () => ({ item: 'a' })) },
      { order_id: 'B-5', user, occurred_at: daysAgo(729), items: [{ item: 'a' }] },
      { order_id: 'B-6', user },
    ];
    const answer = await call('POST', '/orders/batch', { orders });
    expect(answer.status).toBe(202);
    const results = answer.body.results as {
      index: number;
      order_id: string | null;
      ok: boolean;
      error: { code: string; message: string; details: { field: string; code: string }[] } | null;
    }[];
    expect(results.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(results.map(({ order_id: orderId }) => orderId)).toEqual([
      'B-1',
      'B-2',
      'B-3',
      'B-4',
      null,
      null,
      null,
      'B-5',
      'B-6',
    ]);
    expect(results[0]).toEqual({
      index: 0,
      order_id: 'B-1',
      ok: true,
      accepted: 1,
      rejected: [{ index: 1, item: 'unknown', code: 'unknown_item' }],
      error: null,
    });
    expect(results[7]).toEqual({ index: 7, order_id: 'B-5', ok: true, accepted: 1, rejected: [], error: null });
    const faults = results.map(
      ({ error }) => error && [error.code, ...error.details.map(({ field, code }) => `${field} ${code}`)],
    );
    expect(faults).toEqual([
      null,
      ['validation_failed', 'user invalid_value'],
      ['validation_failed', 'occurred_at too_old'],
      ['validation_failed', 'items[0].extra unknown_field'],
      ['validation_failed', 'order_id invalid_value'],
      ['validation_failed', ' invalid_type'],
      ['validation_failed', 'order_id required', 'items too_long'],
      null,
      ['validation_failed', 'items required'],
    ]);
    expect(results[1]).toMatchObject({
      ok: false,
      accepted: null,
      rejected: null,
      error: { message: 'Поля запроса не прошли проверку' },
    });
    expect((await events()).map(({ order_id: orderId, item_id: itemId }) => [orderId, itemId])).toEqual([
      ['B-1', 'a'],
      ['B-5', 'a'],
    ]);
  });

  it('applies two versions of one order in sequence: the last lines stay, with the time that was sent last', async () => {
    const at = daysAgo(5);
    const orders = [
      { order_id: 'B-1', user, occurred_at: at, items: [{ item: 'a', title: 'A' }] },
      { order_id: 'B-1', user, items: [{ item: 'b', title: 'B' }] },
      { order_id: 'B-1', user: {}, items: [{ item: 'c', title: 'C' }] },
    ];
    const answer = await call('POST', '/orders/batch', { orders });
    expect(answer.body.results.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, false]);
    expect(await events()).toMatchObject([{ item_id: 'b', occurred_at: new Date(at) }]);
    expect(await call('GET', '/items/a')).toMatchObject({ status: 200 });
  });

  it('knows a product from the order that first gives it a title', async () => {
    const orders = [
      { order_id: 'B-1', user, items: [{ item: 'a' }] },
      { order_id: 'B-2', user, items: [{ item: 'a', title: 'A' }] },
      { order_id: 'B-3', user, items: [{ item: 'a' }] },
    ];
    const answer = await call('POST', '/orders/batch', { orders });
    expect(answer.body.results.map(({ accepted }: { accepted: number }) => accepted)).toEqual([0, 1, 1]);
  });

  // proves: intake/orders-batch
  it.each([
    [{}, [['orders', 'required']]],
    [{ orders: {} }, [['orders', 'invalid_type']]],
    [{ orders: [], more: 1 }, [['more', 'unknown_field']]],
  ])('refuses the envelope %j', async (body, details) => {
    const answer = await call('POST', '/orders/batch', body);
    expect([answer.status, detailsOf(answer.body)]).toEqual([422, details]);
  });

  // proves: intake/orders-batch, limits/orders-batch
  it('refuses more than 500 orders or 5,000 lines with 413', async () => {
    const many = (orders: number, lines: number) => ({
      orders: Array.from({ length: orders }, (_, n) => ({
        order_id: `B-${n}`,
        user,
        items: Array.from({ length: lines }, () => ({ item: 'x' })),
      })),
    });
    expect((await call('POST', '/orders/batch', many(501, 0))).status).toBe(413);
    const tooMany = many(25, 200);
    tooMany.orders.push({ order_id: 'B-x', user, items: [{ item: 'x' }] });
    expect(await call('POST', '/orders/batch', tooMany)).toMatchObject({
      status: 413,
      body: { error: { code: 'payload_too_large' } },
    });
    expect((await call('POST', '/orders/batch', many(25, 200))).status).toBe(202);
    expect((await call('POST', '/orders/batch', many(500, 1))).status).toBe(202);
  });
});
