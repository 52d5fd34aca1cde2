import { describe, expect, it } from '@jest/globals';
import { expectedEventId } from '../../../support/people/orders.ts';
import { clientOf, createTestProject } from '../../support/testApi.ts';
import { daysAgo, detailsOf, stageOrders, user } from './ordersStage.ts';

const stage = stageOrders();

describe('POST /orders', () => {
  // proves: service/3, intake/orders, intake/rule-5
  it('accepts an order, which becomes an event for each line', async () => {
    await stage.call('PUT', '/items/known', { type: 'text', title: 'Known' });
    const at = daysAgo(3);
    const items = [
      { item: 'known', quantity: 2, price: 50 },
      { item: 'новый товар', title: 'Новый' },
    ];
    const answer = await stage.call('POST', '/orders', { order_id: 'A-1', user, occurred_at: at, items });
    expect(answer).toMatchObject({ status: 202, body: { order_id: 'A-1', accepted: 2, rejected: [] } });
    const common = { type: 'purchase', order_id: 'A-1', occurred_at: new Date(at) };
    expect(await stage.events()).toEqual([
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
    const answer = await stage.call('POST', '/orders', { order_id: 'A-1', user, items });
    expect(answer).toMatchObject({ status: 202, body: { accepted: 3 } });
    expect(answer.body.rejected).toEqual([
      { index: 0, item: 'unknown', code: 'unknown_item' },
      { index: 1, item: 'a', code: 'invalid_value' },
      { index: 2, item: 'a', code: 'invalid_value' },
      { index: 4, item: 'b', code: 'invalid_value' },
      { index: 5, item: 'c', code: 'unknown_item' },
    ]);
    expect((await stage.events()).map(({ item_id, quantity }) => [item_id, quantity])).toEqual([
      ['a', 0],
      ['d', 2],
    ]);
    expect(await stage.call('GET', '/items/b')).toMatchObject({ status: 404 });
  });

  // proves: intake/rule-5, decisions-orders/accepted, decisions-orders/weighted-price
  it('adds up the lines of one item, whose price becomes their weighted average', async () => {
    const items = [
      { item: 'a', title: 'A', quantity: 1, price: 100 },
      { item: 'b', title: 'B' },
      { item: 'a', quantity: 3, price: 200 },
    ];
    const answer = await stage.call('POST', '/orders', { order_id: 'A-1', user, items });
    expect(answer.body).toEqual({ order_id: 'A-1', accepted: 3, rejected: [] });
    expect(await stage.events()).toMatchObject([
      { item_id: 'a', quantity: 4, price: 175, value: 700 },
      { item_id: 'b', quantity: 1, price: null, value: null },
    ]);
  });

  // proves: intake/rule-7, decisions-faults/envelope-purchase
  it.each([['is_purchase'], ['is_active']])('answers no_purchase_type if the purchase type lacks %s', async (flag) => {
    await stage.database.pool.query(
      `update event_types set ${flag} = false where project_id = $1 and code = 'purchase'`,
      [stage.project.id],
    );
    const single = await stage.call('POST', '/orders', { order_id: 'A-1', user, items: [{ item: 'a', title: 'A' }] });
    const batch = await stage.call('POST', '/orders/batch', { orders: [] });
    for (const { status, body } of [single, batch])
      expect([status, detailsOf(body)]).toEqual([422, [['', 'no_purchase_type']]]);
    expect(await stage.call('GET', '/items/a')).toMatchObject({ status: 404 });
  });

  // proves: decisions-people/precedence
  it('assigns an order to the account rather than to the device', async () => {
    await stage.call('POST', '/orders', { order_id: 'A-1', user: { ...user, anonymous_id: 'd' }, items: [] });
    const { rows } = await stage.database.pool.query(
      `select i.kind, i.external_id from orders o join identities i on i.project_id = o.project_id and i.id = o.identity_id where o.project_id = $1`,
      [stage.project.id],
    );
    expect(rows).toEqual([{ kind: 'user', external_id: 'u1' }]);
  });

  it('uses the purchase type of the project, whatever its code, even after it changes', async () => {
    const setType = (code: string) =>
      stage.database.pool.query(`update event_types set is_purchase = (code = $2) where project_id = $1`, [
        stage.project.id,
        code,
      ]);
    await setType('none');
    await setType('cart');
    await stage.call('POST', '/orders', { order_id: 'A-1', user, items: [{ item: 'a', title: 'A' }] });
    expect(await stage.events()).toMatchObject([{ type: 'cart' }]);
  });

  it('records a login on a device if the project uses fingerprints', async () => {
    const fingerprint = '6F1C1C9E-0D6B-4B39-9D4E-3F5B8F3C9C11';
    const body = (orderId: string) => ({
      order_id: orderId,
      user: { user_id: 'u1', fingerprint_uuid: fingerprint },
      items: [],
    });
    const logins = async () =>
      (
        await stage.database.pool.query('select fingerprint from device_logins where project_id = $1', [
          stage.project.id,
        ])
      ).rows;
    await stage.call('POST', '/orders', body('A-1'));
    expect(await logins()).toEqual([]);
    await stage.database.pool.query('update projects set fingerprints = true where id = $1', [stage.project.id]);
    const other = await createTestProject(stage.database.pool);
    await stage.database.pool.query('update projects set fingerprints = true where id = $1', [other.id]);
    await clientOf(stage.api.content, other.key)('POST', '/orders', body('A-2'));
    const { rows } = await stage.database.pool.query('select fingerprint from device_logins where project_id = $1', [
      other.id,
    ]);
    expect(rows).toEqual([{ fingerprint: fingerprint.toLowerCase() }]);
  });
});
