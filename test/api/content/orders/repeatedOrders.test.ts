import { describe, expect, it } from '@jest/globals';
import { openRequests } from '../../../support/people/orders.ts';
import { daysAgo, stageOrders, user } from './ordersStage.ts';

const stage = stageOrders();

describe('POST /orders', () => {
  // proves: states/order-again, orders/order_id, orders/occurred_at
  it('replaces the lines of a known order, and keeps its time', async () => {
    const at = daysAgo(10);
    await stage.call('POST', '/orders', {
      order_id: 'A-1',
      user,
      occurred_at: at,
      items: [
        { item: 'a', title: 'A' },
        { item: 'b', title: 'B' },
      ],
    });
    await stage.events();
    await stage.call('POST', '/orders', {
      order_id: 'A-1',
      user,
      items: [
        { item: 'b', quantity: 5 },
        { item: 'c', title: 'C' },
      ],
    });
    expect(await stage.events()).toMatchObject([
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
    await stage.call('POST', '/orders', body);
    await stage.events();
    const before = await stage.orderRow('A-1');
    const again = await stage.call('POST', '/orders', {
      ...body,
      occurred_at: null,
      items: [{ item: 'b' }, { item: 'a', price: 0, properties: { y: [0], x: 1 } }],
    });
    expect(again.body).toEqual({ order_id: 'A-1', accepted: 2, rejected: [] });
    expect(await stage.orderRow('A-1')).toEqual(before);
    expect(await openRequests(stage.database.pool, stage.project.id)).toEqual([]);
  });

  // proves: states/order-statuses, states/order-cancelled, orders/status
  it('cancels an order, whose whole contribution is removed, and returns with new lines', async () => {
    await stage.call('POST', '/orders', { order_id: 'A-1', user, items: [{ item: 'a', title: 'A' }] });
    expect(await stage.events()).toHaveLength(1);
    expect(await stage.call('POST', '/orders', { order_id: 'A-1', user, status: 'cancelled' })).toMatchObject({
      status: 202,
      body: { accepted: 0, rejected: [] },
    });
    expect(await stage.events()).toEqual([]);
    expect(await stage.orderRow('A-1')).toMatchObject({ status: 'cancelled' });
    await stage.call('POST', '/orders', { order_id: 'A-1', user, status: 'created', items: [{ item: 'a' }] });
    expect(await stage.events()).toMatchObject([{ item_id: 'a' }]);
  });

  // proves: orders/items
  it('stores a cancelled order that was unknown, without looking at its lines', async () => {
    const answer = await stage.call('POST', '/orders', {
      order_id: 'A-1',
      user,
      status: 'cancelled',
      items: [{ item: 'a', title: 'A' }, { item: 'unknown' }],
    });
    expect(answer.body).toEqual({ order_id: 'A-1', accepted: 0, rejected: [] });
    expect(await stage.orderRow('A-1')).toMatchObject({ status: 'cancelled' });
    expect(await stage.events()).toEqual([]);
    expect(await stage.call('GET', '/items/a')).toMatchObject({ status: 404 });
  });

  it('moves the events to another user if a repeat names one', async () => {
    const items = [{ item: 'a', title: 'A' }];
    await stage.call('POST', '/orders', { order_id: 'A-1', user: { anonymous_id: 'device' }, items });
    const [before] = await stage.events();
    await stage.call('POST', '/orders', { order_id: 'A-1', user, items });
    const [after] = await stage.events();
    expect(after?.id).toBe(before?.id);
    expect(after?.identity_id).not.toBe(before?.identity_id);
  });
});
