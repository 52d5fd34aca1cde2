import { describe, expect, it } from '@jest/globals';
import { daysAgo, detailsOf, stageOrders, user } from './ordersStage.ts';

const stage = stageOrders();

describe('POST /orders/batch', () => {
  // proves: orders/OrdersBatchResult, intake/orders-batch, decisions-faults/elements
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
    const answer = await stage.call('POST', '/orders/batch', { orders });
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
    expect((await stage.events()).map(({ order_id: orderId, item_id: itemId }) => [orderId, itemId])).toEqual([
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
    const answer = await stage.call('POST', '/orders/batch', { orders });
    expect(answer.body.results.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, false]);
    expect(await stage.events()).toMatchObject([{ item_id: 'b', occurred_at: new Date(at) }]);
    expect(await stage.call('GET', '/items/a')).toMatchObject({ status: 200 });
  });

  it('knows a product from the order on that first gives it a title', async () => {
    const orders = [
      { order_id: 'B-1', user, items: [{ item: 'a' }] },
      { order_id: 'B-2', user, items: [{ item: 'a', title: 'A' }] },
      { order_id: 'B-3', user, items: [{ item: 'a' }] },
    ];
    const answer = await stage.call('POST', '/orders/batch', { orders });
    expect(answer.body.results.map(({ accepted }: { accepted: number }) => accepted)).toEqual([0, 1, 1]);
  });

  // proves: intake/orders-batch
  it.each([
    [{}, [['orders', 'required']]],
    // proves: decisions-faults/envelope-list
    [{ orders: {} }, [['orders', 'invalid_type']]],
    // proves: decisions-faults/envelope-list
    [{ orders: [], more: 1 }, [['more', 'unknown_field']]],
  ])('refuses the envelope %j', async (body, details) => {
    const answer = await stage.call('POST', '/orders/batch', body);
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
    expect((await stage.call('POST', '/orders/batch', many(501, 0))).status).toBe(413);
    const tooMany = many(25, 200);
    tooMany.orders.push({ order_id: 'B-x', user, items: [{ item: 'x' }] });
    expect(await stage.call('POST', '/orders/batch', tooMany)).toMatchObject({
      status: 413,
      body: { error: { code: 'payload_too_large' } },
    });
    expect((await stage.call('POST', '/orders/batch', many(25, 200))).status).toBe(202);
    expect((await stage.call('POST', '/orders/batch', many(500, 1))).status).toBe(202);
  });
});
