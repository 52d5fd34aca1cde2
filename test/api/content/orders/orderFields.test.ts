import { describe, expect, it } from '@jest/globals';
import { daysAgo, detailsOf, stageOrders, user } from './ordersStage.ts';

const stage = stageOrders();

/** Returns a properties object of exactly `bytes` bytes of JSON. */
const properties = (bytes: number): object => ({ p: 'x'.repeat(bytes - '{"p":""}'.length) });

describe('POST /orders', () => {
  // proves: orders/occurred_at
  it('handles times: one far in the future becomes the time of receipt, and one over 730 days ago is too old', async () => {
    const items = [{ item: 'a', title: 'A' }];
    const start = Date.now();
    const at = async (occurredAt: string) => {
      await stage.call('POST', '/orders', { order_id: 'A-1', user, occurred_at: occurredAt, items });
      return (await stage.orderRow('A-1'))?.['occurred_at'] as Date;
    };
    const nearFuture = daysAgo(0, 4 * 60_000);
    expect(await at(nearFuture)).toEqual(new Date(nearFuture));
    const receipt = (await at(daysAgo(0, 6 * 60_000))).getTime();
    expect(receipt).toBeGreaterThanOrEqual(start);
    expect(receipt).toBeLessThanOrEqual(Date.now());
    const oldest = daysAgo(730, 60_000);
    expect(await at(oldest)).toEqual(new Date(oldest));
    const refused = await stage.call('POST', '/orders', {
      order_id: 'A-1',
      user,
      occurred_at: daysAgo(730, -1),
      items,
    });
    expect([refused.status, detailsOf(refused.body)]).toEqual([422, [['occurred_at', 'too_old']]]);
    expect(await stage.orderRow('A-1')).toMatchObject({ occurred_at: new Date(oldest) });
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
    // proves: orders/items, decisions-faults/long-array
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
    // proves: orders/OrderLineIn, limits/properties, decisions-faults/large-object
    [
      'large properties',
      { order_id: 'A', user, items: [{ item: 'a', properties: properties(16 * 1024 + 1) }] },
      [['items[0].properties', 'too_long']],
    ],
    [
      'an unknown field of a line',
      { order_id: 'A', user, items: [{ item: 'a', sku: '1' }] },
      [['items[0].sku', 'unknown_field']],
    ],
    ['a NUL', { order_id: 'A', user, items: [{ item: 'a\u0000' }] }, [['items[0].item', 'invalid_value']]],
  ])('refuses %s', async (_what, body, details) => {
    const answer = await stage.call('POST', '/orders', body);
    expect([answer.status, answer.body.error.code, detailsOf(answer.body)]).toEqual([
      422,
      'validation_failed',
      details,
    ]);
    expect(
      (await stage.database.pool.query('select from orders where project_id = $1', [stage.project.id])).rows,
    ).toHaveLength(0);
  });

  // proves: orders/user, orders/occurred_at, orders/status, orders/OrderLineIn
  it('accepts null for every field that may be left out, and takes a quantity that is left out as one', async () => {
    const start = Date.now();
    const body = {
      order_id: 'A-1',
      user: { ...user, anonymous_id: null, fingerprint_uuid: null },
      occurred_at: null,
      status: null,
      items: [
        { item: 'a', title: 'A', quantity: null, price: null, properties: null },
        { item: 'a', title: null },
      ],
    };
    expect((await stage.call('POST', '/orders', body)).body).toEqual({ order_id: 'A-1', accepted: 2, rejected: [] });
    const order = await stage.orderRow('A-1');
    expect(order).toMatchObject({ status: 'created' });
    const occurredAt = order?.['occurred_at'] as Date;
    expect(occurredAt.getTime()).toBeGreaterThanOrEqual(start);
    expect(occurredAt.getTime()).toBeLessThanOrEqual(Date.now());
    expect(await stage.events()).toMatchObject([{ item_id: 'a', quantity: 2, price: null }]);
  });

  // proves: orders/items, limits/orders
  it('accepts 200 lines', async () => {
    const items = Array.from({ length: 200 }, (_, index) => ({ item: `i${index}`, title: 'T' }));
    expect((await stage.call('POST', '/orders', { order_id: 'A-1', user, items })).body).toEqual({
      order_id: 'A-1',
      accepted: 200,
      rejected: [],
    });
    expect(await stage.events()).toHaveLength(200);
  });

  // proves: orders/order_id, orders/OrderLineIn, limits/order_id, limits/properties
  it('accepts an order_id and a line of the maximum size', async () => {
    const orderId = '~'.repeat(64);
    const line = { item: '😀'.repeat(191), title: '😀'.repeat(1000), properties: properties(16 * 1024) };
    expect((await stage.call('POST', '/orders', { order_id: orderId, user, items: [line] })).body).toEqual({
      order_id: orderId,
      accepted: 1,
      rejected: [],
    });
  });
});
