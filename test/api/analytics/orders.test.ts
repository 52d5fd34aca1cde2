import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { nextBatchId } from '../../../db/lake/batches.ts';
import { inTransaction } from '../../../db/pool.ts';
import { insertOrders } from '../../../db/siteFacts/insertFacts.ts';
import { stageFacts } from '../../../db/siteFacts/stageForLake.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import { addToInbox, addVisitor, addVisitorWithVisit, DAY, HOUR, stagedRows } from '../../support/people/siteFacts.ts';
import { stageApi } from '../support/stageApi.ts';
import { clientOf, type Client } from '../support/testApi.ts';
import { createTestSite, type TestSite } from '../support/testSite.ts';

const stage = stageApi();
let site: TestSite;
let call: Client;
/** The visitor has a visit that began an hour ago. */
let visitor: { visitorId: string; visitId: string };

beforeEach(async () => {
  site = await createTestSite(stage.database.pool);
  call = clientOf(stage.api.analytics, site.key);
  visitor = await addVisitorWithVisit(stage.database.pool, site.id);
});

async function send(...orders: object[]): Promise<{ accepted: number; duplicates: number; rejected: object[] }> {
  const { status, body } = await call('POST', '/orders', { orders });
  expect(status).toBe(202);
  expect(body.accepted + body.duplicates + body.rejected.length).toBe(orders.length);
  return body;
}

const order = (change: object = {}): Record<string, unknown> => ({
  transaction_id: 'A-1',
  visitor_id: visitor.visitorId,
  ...change,
});

async function stored(transactionId = 'A-1', status = 'purchased') {
  const { rows } = await stage.database.pool.query<Record<string, unknown>>(
    `select origin, visitor_id, user_id, occurred_at, received_at, currency, revenue::float8 as revenue, products, attribution, visit_id
       from site_orders where site_id = $1 and transaction_id = $2 and status = $3`,
    [site.id, transactionId, status],
  );
  return rows[0];
}

describe('POST /orders', () => {
  // proves: site-order/revenue, site-order/product-texts, site-order/product-numbers
  // proves: analytics-states/order-purchased
  it('stores an order with its products and the visit it belongs to', async () => {
    const products = [
      { id: 'p-1', name: 'Чай', category: 'Еда/Чай', brand: 'B', variant: 'зелёный', price: 10.5, qty: 0.5 },
      { name: 'Cup' },
    ];
    expect(
      await send(
        order({
          occurred_at: new Date(Date.now() - 1000).toISOString(),
          status: 'purchased',
          currency: 'eur',
          revenue: 21.05,
          products,
        }),
      ),
    ).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
    expect(await stored()).toMatchObject({
      origin: 'api',
      visitor_id: visitor.visitorId,
      currency: 'EUR',
      revenue: 21.05,
      attribution: 'visit',
      visit_id: visitor.visitId,
      products: [
        products[0],
        { id: null, name: 'Cup', category: null, brand: null, variant: null, price: null, qty: null },
      ],
    });
  });

  // proves: site-order/person, site-order/status
  it('needs only transaction_id and a visitor or a user', async () => {
    const { visitorId, visitId } = await addVisitorWithVisit(stage.database.pool, site.id, { userId: 'u-1' });
    expect(await send(order(), { transaction_id: 'A-2', user_id: 'u-1' })).toMatchObject({ accepted: 2 });
    expect(await stored()).toMatchObject({ currency: null, revenue: null, products: null });
    expect(await stored('A-2')).toMatchObject({ user_id: 'u-1', visitor_id: visitorId, visit_id: visitId });
  });

  // proves: decisions-facts/visitor-wins
  it('prefers visitor_id to user_id, known or not', async () => {
    await addVisitorWithVisit(stage.database.pool, site.id, { userId: 'u-1' });
    await send(order({ user_id: 'u-1' }), order({ transaction_id: 'A-2', user_id: 'nobody' }));
    for (const id of ['A-1', 'A-2'])
      expect(await stored(id)).toMatchObject({
        visitor_id: visitor.visitorId,
        visit_id: visitor.visitId,
        user_id: null,
      });
    expect((await send(order({ transaction_id: 'A-3', visitor_id: randomUUID(), user_id: 'u-1' }))).rejected).toEqual([
      { index: 0, code: 'unknown_visitor' },
    ]);
  });

  // proves: analytics-ids/user_id, site-order/currency
  it('accepts values at their limits', async () => {
    const userId = '😀'.repeat(191);
    const { visitId } = await addVisitorWithVisit(stage.database.pool, site.id, { userId });
    const transactionId = '№'.repeat(191);
    expect(
      await send(
        order({ transaction_id: transactionId, visitor_id: undefined, user_id: userId, revenue: 0, currency: 'usd' }),
      ),
    ).toMatchObject({ accepted: 1 });
    expect(await stored(transactionId)).toMatchObject({
      user_id: userId,
      visit_id: visitId,
      revenue: 0,
      currency: 'USD',
    });
  });

  // proves: site-order/occurred_at
  it('uses the time of receipt when no time is sent or it is in the future', async () => {
    const occurredAt = new Date(Date.now() - 1000);
    await send(
      order({ occurred_at: occurredAt.toISOString() }),
      order({ transaction_id: 'A-2' }),
      order({ transaction_id: 'A-3', occurred_at: '2999-01-01T00:00:00Z' }),
      order({ transaction_id: 'A-4', occurred_at: new Date(Date.now() + 60_000).toISOString() }),
    );
    expect(await stored()).toMatchObject({ occurred_at: occurredAt });
    for (const id of ['A-2', 'A-3', 'A-4']) {
      const row = await stored(id);
      expect(row?.['occurred_at']).toEqual(row?.['received_at']);
    }
  });

  // proves: batch-response/accepted, analytics-endpoints/orders, analytics-limits/orders
  it('accepts five hundred orders in one request', async () => {
    const products = Array.from({ length: 5 }, (_, index) => ({
      id: `p-${index}`,
      name: 'Product',
      price: 10,
      qty: 1,
    }));
    expect(
      await send(...Array.from({ length: 500 }, (_, index) => order({ transaction_id: `A-${index}`, products }))),
    ).toMatchObject({ accepted: 500 });
  });

  // proves: decisions-facts/order-under-way
  it('accepts the order of a visitor whose hits are being ingested', async () => {
    const visitorId = await addVisitor(stage.database.pool, site.id);
    await addToInbox(stage.database.pool, site.id, visitorId);
    expect(await send(order({ visitor_id: visitorId }))).toMatchObject({ accepted: 1 });
    expect(await stored()).toMatchObject({ attribution: 'pending' });
  });
});

describe('an order counts once', () => {
  // proves: analytics-errors/retry-3, site-order/transaction_id, batch-response/duplicates
  it('however often the server sends it, and its first version stays', async () => {
    await send(order({ revenue: 10 }));
    expect(
      await send(
        order({ revenue: 20 }),
        order({ transaction_id: 'A-2' }),
        order({ transaction_id: 'A-2', revenue: 5 }),
      ),
    ).toEqual({ accepted: 1, duplicates: 2, rejected: [] });
    expect([(await stored())?.['revenue'], (await stored('A-2'))?.['revenue']]).toEqual([10, null]);
  });

  // proves: site-order/transaction_id, analytics-states/order-purchased, analytics-decisions/tag-and-api
  it('when the tag and the API both send it, whichever comes first', async () => {
    const now = new Date();
    const fromTag = (transactionId: string) =>
      insertOrders(stage.database.pool, [
        {
          siteId: site.id,
          transactionId,
          status: 'purchased',
          origin: 'tag',
          visitorId: visitor.visitorId,
          userId: null,
          occurredAt: now,
          receivedAt: now,
          currency: null,
          revenue: 1,
          products: null,
          promoCode: null,
          weight: 1,
          attribution: { state: 'none' },
        },
      ]);
    expect(await fromTag('A-1')).toEqual(['new']);
    expect(await send(order({ revenue: 2 }), order({ transaction_id: 'A-2', revenue: 2 }))).toEqual({
      accepted: 1,
      duplicates: 1,
      rejected: [],
    });
    expect(await fromTag('A-2')).toEqual(['same']);
    expect([await stored('A-1'), await stored('A-2')]).toMatchObject([
      { origin: 'api', revenue: 2, visit_id: visitor.visitId },
      { origin: 'api', revenue: 2 },
    ]);
    expect(await send(order({ revenue: 3 }))).toMatchObject({ duplicates: 1 });
    expect(await stored('A-1')).toMatchObject({ revenue: 2 });
  });

  // proves: analytics-decisions/tag-and-api
  it('and takes its amount from a server that does not know the visitor, but stays in the visit of the tag', async () => {
    const at = new Date();
    await insertOrders(stage.database.pool, [
      {
        siteId: site.id,
        transactionId: 'A-1',
        status: 'purchased',
        origin: 'tag',
        visitorId: visitor.visitorId,
        userId: null,
        occurredAt: at,
        receivedAt: at,
        currency: null,
        revenue: null,
        products: null,
        promoCode: 'NEW',
        weight: 1,
        attribution: { state: 'visit', visitId: visitor.visitId, startedAt: at },
      },
    ]);
    expect(await send(order({ visitor_id: undefined, user_id: 'nobody', revenue: 9 }))).toMatchObject({
      duplicates: 1,
    });
    expect(await stored()).toMatchObject({ revenue: 9, visitor_id: visitor.visitorId, visit_id: visitor.visitId });
  });

  // proves: analytics-errors/retry-3
  it('in simultaneous requests', async () => {
    const orders = Array.from({ length: 200 }, (_, index) => order({ transaction_id: `A-${index}` }));
    const outcomes = await Promise.all(
      [orders, orders.toReversed(), orders, orders.toReversed()].map((batch) => send(...batch)),
    );
    expect(outcomes.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(200);
  });
});

describe('a refund', () => {
  const refund = (change: object = {}): Record<string, unknown> => order({ status: 'refunded', ...change });

  // proves: site-order/status, decisions-facts/refund-once
  it('counts once, in addition to its purchase', async () => {
    expect(await send(order({ revenue: 10 }), refund({ revenue: 4 }), refund({ revenue: 6 }))).toEqual({
      accepted: 2,
      duplicates: 1,
      rejected: [],
    });
    expect(await stored('A-1', 'refunded')).toMatchObject({ revenue: 4 });
    expect(await send(refund())).toMatchObject({ duplicates: 1 });
  });

  // proves: analytics-states/order-refunded
  it('counts when its request arrives, whatever time it names', async () => {
    const asked = Date.now();
    await send(
      order({ revenue: 10, occurred_at: new Date(asked - 30 * 60_000).toISOString() }),
      refund({ occurred_at: new Date(asked - 20 * 60_000).toISOString() }),
    );
    const staged = await inTransaction(stage.database.pool, async (client) => {
      const batchId = await nextBatchId(client);
      await stageFacts(client, shardOf(site.id), batchId, 1000);
      return batchId;
    });
    const rows = (await stagedRows(stage.database.pool, staged, 'orders')).filter(({ site_id: id }) => id === site.id);
    const at = (status: string): number => rows.find((row) => row.status === status)?.at ?? Number.NaN;
    expect(at('purchased')).toBe(asked - 30 * 60_000);
    expect(at('refunded')).toBeGreaterThanOrEqual(asked);
  });

  // proves: decisions-facts/refund-unknown
  it('of an unknown purchase is accepted', async () => {
    expect(await send(refund({ transaction_id: 'never', revenue: 4 }))).toMatchObject({ accepted: 1 });
  });

  it('of a known purchase is never too old, because it belongs to the visit of the purchase', async () => {
    const old = await addVisitorWithVisit(stage.database.pool, site.id, {
      startedAt: new Date(Date.now() - 100 * DAY),
    });
    const purchase = order({ visitor_id: old.visitorId, occurred_at: new Date(Date.now() - 99 * DAY).toISOString() });
    expect(await send(purchase, refund({ visitor_id: old.visitorId }))).toMatchObject({ accepted: 2 });
    expect((await send(refund({ transaction_id: 'A-2', visitor_id: old.visitorId }))).rejected).toEqual([
      { index: 0, code: 'too_old' },
    ]);
  });
});

describe('an order is rejected', () => {
  // proves: analytics-errors/records, batch-response/rejected, analytics-rules/2
  it('as unknown_visitor or too_old, without stopping the others', async () => {
    const without = await addVisitor(stage.database.pool, site.id);
    const late = { occurred_at: new Date(Date.now() - 2 * HOUR).toISOString() };
    expect(
      await send(
        order({ transaction_id: '1', visitor_id: randomUUID() }),
        order({ transaction_id: '2' }),
        order({ transaction_id: '3', visitor_id: without }),
        order({ transaction_id: '4', ...late }),
        order({ transaction_id: '5', visitor_id: undefined, user_id: 'nobody' }),
        order({ transaction_id: '6', status: 'refunded', visitor_id: randomUUID() }),
      ),
    ).toEqual({
      accepted: 1,
      duplicates: 0,
      rejected: [
        { index: 0, code: 'unknown_visitor' },
        { index: 2, code: 'too_old' },
        { index: 3, code: 'too_old' },
        { index: 4, code: 'unknown_visitor' },
        { index: 5, code: 'unknown_visitor' },
      ],
    });
  });

  // proves: analytics-rules/2
  // proves: decisions-analytics/invalid_products
  it.each<[string, unknown]>([
    // proves: site-order/products
    ['an object instead of a list', { id: 'p' }],
    ['a text instead of a list', 'p'],
    // proves: site-order/products
    ['201 products', Array.from({ length: 201 }, () => ({ id: 'p' }))],
    ['a product that is not an object', ['p']],
    ['a product that is a list', [[]]],
    ['a product that is null', [null]],
    // proves: site-order/product-texts
    ['a product with neither id nor name', [{ price: 1 }]],
    ['a product of empty texts', [{ id: '', name: '' }]],
    // proves: site-order/product-texts
    ['an id that is a number', [{ id: 5 }]],
    ['a name that is a number', [{ id: 'p', name: 5 }]],
    ['a brand that is a number', [{ id: 'p', brand: 5 }]],
    ['a variant that is a list', [{ id: 'p', variant: ['red'] }]],
    ['nulls instead of id and name', [{ id: null, name: null, price: 1 }]],
    // proves: site-order/product-texts
    ['a category that is a list', [{ id: 'p', category: ['a', 'b'] }]],
    // proves: site-order/product-numbers
    ['a price that is a string', [{ id: 'p', price: '10' }]],
    // proves: site-order/product-numbers
    ['a price below 0', [{ id: 'p', price: -0.01 }]],
    // proves: site-order/product-numbers
    ['a quantity of 0', [{ id: 'p', qty: 0 }]],
    ['a quantity below 0', [{ id: 'p', qty: -1 }]],
    // proves: site-order/product-numbers
    ['a quantity that is a string', [{ id: 'p', qty: '1' }]],
    ['a name of 1001 characters', [{ name: 'x'.repeat(1001) }]],
    // proves: site-order/products
    ['one bad product behind a good one', [{ id: 'p' }, {}]],
  ])('as invalid_products: %s', async (_what, products) => {
    expect(await send(order({ products }), order({ transaction_id: 'A-2' }))).toEqual({
      accepted: 1,
      duplicates: 0,
      rejected: [{ index: 0, code: 'invalid_products' }],
    });
    expect(await stored()).toBeUndefined();
  });

  // proves: site-order/products
  it.each<[string, unknown]>([
    ['no products', undefined],
    ['null', null],
    // proves: site-order/product-texts
    [
      'fields that are null',
      [{ id: 'p', name: null, category: null, brand: null, variant: null, price: null, qty: null }],
    ],
    // proves: site-order/product-texts
    ['the shop’s own fields', [{ id: 'p', sku: 'A-1', colour: { name: 'red' }, Brand: 5 }]],
    ['an empty list', []],
    ['200 products', Array.from({ length: 200 }, (_, index) => ({ id: String(index), price: 0, qty: 0.001 }))],
    ['long texts of many bytes', [{ id: '😀'.repeat(255), name: '😀'.repeat(1000) }]],
  ])('but not for valid products: %s', async (_what, products) => {
    expect(await send(order({ products }))).toMatchObject({ accepted: 1 });
  });
});

describe('a request with a malformed part', () => {
  // proves: decisions-facts/form
  it.each<[string, object, string, string]>([
    // proves: site-order/transaction_id, decisions-facts/order-required
    ['no transaction id', { transaction_id: undefined }, 'orders[1].transaction_id', 'required'],
    ['an empty transaction id', { transaction_id: '' }, 'orders[1].transaction_id', 'invalid_value'],
    ['a transaction id that is a number', { transaction_id: 1001 }, 'orders[1].transaction_id', 'invalid_type'],
    // proves: site-order/transaction_id
    ['a transaction id of 192 characters', { transaction_id: 'x'.repeat(192) }, 'orders[1].transaction_id', 'too_long'],
    // proves: site-order/person
    ['neither visitor nor user', { visitor_id: undefined }, 'orders[1].visitor_id', 'required'],
    // proves: analytics-ids/visitor_id
    ['a visitor id that is not a UUID', { visitor_id: 'x' }, 'orders[1].visitor_id', 'invalid_value'],
    ['a user id of 192 characters', { user_id: 'x'.repeat(192) }, 'orders[1].user_id', 'too_long'],
    // proves: site-order/status
    ['an unknown status', { status: 'cancelled' }, 'orders[1].status', 'invalid_value'],
    ['a status that is null', { status: null }, 'orders[1].status', 'invalid_type'],
    // proves: site-order/currency
    ['a currency of two letters', { currency: 'RU' }, 'orders[1].currency', 'invalid_value'],
    // proves: site-order/currency
    ['a currency with a digit', { currency: 'R1B' }, 'orders[1].currency', 'invalid_value'],
    // proves: site-order/currency
    ['a currency of four letters', { currency: 'RUBL' }, 'orders[1].currency', 'too_long'],
    // proves: site-order/revenue
    ['a revenue that is a string', { revenue: '10' }, 'orders[1].revenue', 'invalid_type'],
    // proves: site-order/revenue
    ['a revenue below 0', { revenue: -1 }, 'orders[1].revenue', 'invalid_value'],
    // proves: site-order/occurred_at
    ['a bad time', { occurred_at: 'yesterday' }, 'orders[1].occurred_at', 'invalid_value'],
    ['an unknown field', { promo: 'X' }, 'orders[1].promo', 'unknown_field'],
    ['NUL in a product', { products: [{ id: 'a\0' }] }, 'orders[1].products[0].id', 'invalid_value'],
    [
      'a lone surrogate in a key of a product',
      { products: [{ id: 'a', '\ud800': 1 }] },
      'orders[1].products[0].\ufffd',
      'invalid_value',
    ],
  ])('fails as a whole: %s', async (_what, change, field, code) => {
    const answer = await call('POST', '/orders', { orders: [order({ transaction_id: 'A-0' }), order(change)] });
    expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([
      422,
      'validation_failed',
      [{ field, code }],
    ]);
    expect(await stored('A-0')).toBeUndefined();
  });

  // proves: analytics-errors/too_many-batch, analytics-endpoints/orders, analytics-limits/orders
  it('that has more than 500 orders gets only the detail too_many', async () => {
    const { status, body } = await call('POST', '/orders', { orders: Array.from({ length: 501 }, () => ({})) });
    expect([status, body.error.details]).toEqual([422, [{ field: 'orders', code: 'too_many' }]]);
  });
});
