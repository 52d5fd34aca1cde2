import { describe, expect, it } from '@jest/globals';
import { inTransaction } from '../../../db/pool.ts';
import { insertConversions, insertOrders, type OrderInsert } from '../../../db/siteFacts/insertFacts.ts';
import { visitorBucket } from '../../../domain/reports/visitorSample.ts';
import { addVisitor, addVisitorWithVisit, HOUR, stagedRows } from '../../support/people/siteFacts.ts';
import { createTestSite } from '../../api/support/testSite.ts';
import { before, createFactsWorld } from './support/world.ts';

const world = createFactsWorld({ state: 'none' });
const { conversion, order, stage } = world;

/** Returns the rows staged for the lake from this test's orders, by transaction and status. */
async function stagedOrders(batchId: string) {
  const rows = await stagedRows(world.database.pool, batchId, 'orders');
  return new Map(rows.map((row) => [`${row.transaction_id} ${row.status}`, row]));
}

async function attributionOf(id: string): Promise<object | undefined> {
  const { rows } = await world.database.pool.query<object>(
    `select attribution, visit_id, visitor_id, user_id from site_conversions where site_id = $1 and id = $2
     union all select attribution, visit_id, visitor_id, user_id from site_orders where site_id = $1 and transaction_id = $2`,
    [world.site.id, id],
  );
  return rows[0];
}

describe('conversions', () => {
  it('count once by id and source; among equal ids in one call the first counts', async () => {
    const rows = [
      conversion({ id: 'a' }),
      conversion({ id: 'b' }),
      conversion({ id: 'a', goal: 'other' }),
      conversion({ id: 'a', origin: 'tag' }),
    ];
    expect(await insertConversions(world.database.pool, rows)).toEqual([true, true, false, true]);
    expect(await insertConversions(world.database.pool, [conversion({ id: 'b' }), conversion({ id: 'c' })])).toEqual([
      false,
      true,
    ]);
    const { rows: stored } = await world.database.pool.query<{ goal: string }>(
      `select goal from site_conversions where site_id = $1 and id = 'a' and origin = 'api'`,
      [world.site.id],
    );
    expect(stored).toEqual([{ goal: 'lead' }]);
  });

  it('of two sites are separate', async () => {
    const other = await createTestSite(world.database.pool);
    expect(
      await insertConversions(world.database.pool, [
        conversion({ id: 'a' }),
        conversion({ id: 'a', siteId: other.id }),
      ]),
    ).toEqual([true, true]);
  });

  it('are written to the lake once, with everything that reports need', async () => {
    const { visitorId, visitId } = await addVisitorWithVisit(world.database.pool, world.site.id, {
      startedAt: before(HOUR),
    });
    await insertConversions(world.database.pool, [
      conversion({
        id: 'a',
        visitorId,
        userId: 'u-1',
        value: 12.34,
        weight: 1,
        occurredAt: before(1000),
        attribution: { state: 'visit', visitId, startedAt: before(HOUR) },
      }),
    ]);
    const { staged, batchId } = await stage();
    expect(staged).toBe(1);
    expect(await stagedRows(world.database.pool, batchId, 'conversions')).toEqual([
      {
        site_id: world.site.id,
        visitor_id: visitorId,
        visitor_bucket: visitorBucket(visitorId),
        user_id: 'u-1',
        visit_id: visitId,
        visit_started_at: before(HOUR).getTime(),
        at: before(1000).getTime(),
        weight: 1,
        origin: 'api',
        conversion_id: 'a',
        goal: 'lead',
        goal_source: 'api',
        value: 12.34,
      },
    ]);
    expect((await stage()).staged).toBe(0);
  });

  it('of a user without a visitor have the bucket of the user', async () => {
    await insertConversions(world.database.pool, [conversion({ id: 'a', userId: 'u-1' })]);
    const [row] = await stagedRows(world.database.pool, (await stage()).batchId, 'conversions');
    expect(row).toMatchObject({ visitor_id: null, visitor_bucket: visitorBucket('u-1') });
  });

  it('have the user that their visitor is linked to, unless they name one', async () => {
    const { visitorId } = await addVisitorWithVisit(world.database.pool, world.site.id, { userId: 'u-1' });
    await insertConversions(world.database.pool, [
      conversion({ id: 'a', origin: 'tag', visitorId }),
      conversion({ id: 'b', origin: 'tag', visitorId, userId: 'u-2' }),
    ]);
    expect([await attributionOf('a'), await attributionOf('b')]).toMatchObject([
      { user_id: 'u-1' },
      { user_id: 'u-2' },
    ]);
  });

  it('have no value if no decimal of the lake can hold it', async () => {
    await insertConversions(world.database.pool, [conversion({ id: 'a', value: 1e300 })]);
    expect((await stagedRows(world.database.pool, (await stage()).batchId, 'conversions'))[0]?.value).toBeNull();
  });
});

const PRODUCTS = [{ id: 'p1', name: 'Tea', category: null, brand: null, variant: null, price: 50, qty: 2 }];

describe('orders', () => {
  // proves: analytics-decisions/tag-and-api
  it("count once whichever way they come: the server's data replaces that of the tag", async () => {
    const store = (change: Partial<OrderInsert>) =>
      insertOrders(world.database.pool, [order({ transactionId: 'a', revenue: null, ...change })]);
    const now = async () => (await stagedOrders((await stage()).batchId)).get('a purchased');
    expect(await store({ origin: 'tag', revenue: 10, currency: 'USD', promoCode: 'NEW' })).toEqual(['new']);
    await now();
    expect(await store({ revenue: 20, products: PRODUCTS })).toEqual(['completed']);
    expect(await now()).toMatchObject({ origin: 'api', revenue: 20, currency: 'RUB', promo_code: 'NEW' });
    expect(await store({ revenue: 30 })).toEqual(['same']);
    expect(await store({ origin: 'tag', revenue: 40, promoCode: 'OTHER' })).toEqual(['same']);
    expect(await now()).toBeUndefined();
    expect(
      await insertOrders(world.database.pool, [order({ transactionId: 'a', status: 'refunded' }), order({})]),
    ).toEqual(['new', 'new']);
  });

  // proves: analytics-decisions/tag-and-api
  it('get what only the tag knows, even if the server was first', async () => {
    const store = (change: Partial<OrderInsert>) =>
      insertOrders(world.database.pool, [order({ transactionId: 'a', revenue: null, ...change })]);
    await store({ revenue: 20 });
    expect(await store({ origin: 'tag', revenue: 5, currency: 'USD', promoCode: 'NEW' })).toEqual(['completed']);
    expect((await stagedOrders((await stage()).batchId)).get('a purchased')).toMatchObject({
      origin: 'api',
      revenue: 20,
      currency: 'RUB',
      promo_code: 'NEW',
    });
    expect(await store({ origin: 'tag', revenue: 6, promoCode: 'X' })).toEqual(['same']);
  });

  it.each([
    ['that of the tag', 'before', null, 'USD'],
    ['that of the tag', 'after', null, 'USD'],
    ["the site's if the server sent prices", 'before', PRODUCTS, 'RUB'],
    ["the site's if the server sent prices", 'after', PRODUCTS, 'RUB'],
  ])(
    'have one currency, %s, if the server sent none and the tag reports %s the order is staged',
    async (_which, when, products, currency) => {
      const store = (change: Partial<OrderInsert>) =>
        insertOrders(world.database.pool, [order({ transactionId: 'a', revenue: null, ...change })]);
      await store({ products });
      if (when === 'after') await stage();
      const told = { origin: 'tag', currency: 'USD', products: PRODUCTS, promoCode: 'NEW' } as const;
      expect(await store(told)).toEqual(['completed']);
      const { batchId } = await stage();
      const lines = await stagedRows(world.database.pool, batchId, 'order_lines');
      expect(lines.map((line) => [line.price, line.currency])).toEqual([[50, currency]]);
    },
  );

  // proves: analytics-decisions/tag-and-api
  it('of both sides have the same amounts in the same currency, whichever was first', async () => {
    const sidesOf = (currency: string, price: number) =>
      [null, currency].flatMap((named) =>
        [null, price].flatMap((revenue) =>
          [null, PRODUCTS.map((product) => ({ ...product, price }))].map((products) => ({
            currency: named,
            revenue,
            products,
          })),
        ),
      );
    const pairs = sidesOf('EUR', 1).flatMap((tag) => sidesOf('USD', 2).map((api) => ({ tag, api })));
    const storedOf = async (transactionId: string) => {
      const { rows } = await world.database.pool.query(
        'select revenue::float8 as revenue, currency, products from site_orders where site_id = $1 and transaction_id = $2',
        [world.site.id, transactionId],
      );
      return rows[0];
    };
    for (const [index, { tag, api }] of pairs.entries()) {
      const ids = ['tag', 'api'].map((first) => `${first} ${index}`);
      for (const transactionId of ids) {
        const reports = [
          order({ transactionId, origin: 'tag', ...tag }),
          order({ transactionId, origin: 'api', ...api }),
        ];
        for (const report of transactionId.startsWith('tag') ? reports : reports.toReversed())
          await insertOrders(world.database.pool, [report]);
      }
      const [tagFirst, apiFirst] = await Promise.all(ids.map(storedOf));
      const first = [
        api.revenue !== null && api,
        tag.revenue !== null && tag,
        api.products !== null && api,
        tag.products !== null && tag,
      ].find((one) => one !== false);
      const amounts = { revenue: api.revenue ?? tag.revenue, products: api.products ?? tag.products };
      const expected = { ...amounts, ...(first && { currency: first.currency }) };
      expect({ tag, api, tagFirst }).toMatchObject({ tagFirst: expected });
      expect({ tag, api, apiFirst }).toMatchObject({ apiFirst: expected });
    }
  });

  // proves: site-order/currency
  it('have lines, with a default quantity of one, and the currency of the site unless they name another', async () => {
    const products = [
      { id: 'p1', name: 'Tea', category: 'food/tea', brand: 'B', variant: 'green', price: 10.5, qty: 2 },
      { id: null, name: 'Cup', category: null, brand: null, variant: null, price: null, qty: null },
    ];
    await insertOrders(world.database.pool, [
      order({ transactionId: 'a', revenue: 21, products, promoCode: 'SPRING' }),
      order({ transactionId: 'b', currency: 'eur' }),
    ]);
    const { batchId } = await stage();
    const staged = await stagedOrders(batchId);
    expect(staged.get('a purchased')).toMatchObject({
      currency: 'RUB',
      revenue: 21,
      promo_code: 'SPRING',
      is_full_refund: null,
    });
    expect(staged.get('b purchased')).toMatchObject({ currency: 'EUR' });
    const lines = await stagedRows(world.database.pool, batchId, 'order_lines');
    expect(
      lines.map(({ line, product_id, product_name, product_category, price, quantity }) => [
        line,
        product_id,
        product_name,
        product_category,
        price,
        quantity,
      ]),
    ).toEqual([
      [0, 'p1', 'Tea', 'food/tea', 10.5, 2],
      [1, null, 'Cup', null, null, 1],
    ]);
  });

  // proves: site-order/currency
  it('keep the currency that the site had, also for their refunds, when it gets another one', async () => {
    const { pool } = world.database;
    await insertOrders(pool, [order({ transactionId: 'a' }), order({ transactionId: 'b', revenue: null })]);
    await stage();
    await pool.query(`update sites set currency = 'USD', rates = '{"RUB": 0.01}' where id = $1`, [world.site.id]);
    await insertOrders(pool, [
      order({ transactionId: 'a', status: 'refunded', revenue: null }),
      order({ transactionId: 'a', origin: 'tag', promoCode: 'NEW' }),
      order({ transactionId: 'b', origin: 'tag', revenue: 5 }),
      order({ transactionId: 'c', revenue: 5 }),
    ]);
    const staged = await stagedOrders((await stage()).batchId);
    expect(staged.get('a purchased')).toMatchObject({ revenue: 100, currency: 'RUB', promo_code: 'NEW' });
    expect(staged.get('a refunded')).toMatchObject({ revenue: 100, currency: 'RUB', is_full_refund: true });
    expect(staged.get('b purchased')).toMatchObject({ revenue: 5, currency: 'USD' });
    expect(staged.get('c purchased')).toMatchObject({ revenue: 5, currency: 'USD' });
  });

  it('of a person include one first order, even if an earlier one comes later', async () => {
    const { visitorId } = await addVisitorWithVisit(world.database.pool, world.site.id);
    await insertOrders(world.database.pool, [
      order({ transactionId: 'b', visitorId, occurredAt: before(2000) }),
      order({ transactionId: 'c', visitorId, occurredAt: before(1000) }),
    ]);
    const first = await stagedOrders((await stage()).batchId);
    expect([first.get('b purchased')?.is_first, first.get('c purchased')?.is_first]).toEqual([true, false]);
    await insertOrders(world.database.pool, [order({ transactionId: 'a', visitorId, occurredAt: before(3000) })]);
    const { staged, batchId } = await stage();
    const second = await stagedOrders(batchId);
    expect([staged, second.get('a purchased')?.is_first, second.get('b purchased')?.is_first]).toEqual([
      2,
      true,
      false,
    ]);
  });

  it('of a person include one first order, even if the server sends a later time than the tag', async () => {
    const { visitorId, visitId } = await addVisitorWithVisit(world.database.pool, world.site.id);
    const attribution = { state: 'visit' as const, visitId, startedAt: before(HOUR) };
    await insertOrders(world.database.pool, [
      order({ transactionId: 'a', origin: 'tag', visitorId, attribution, occurredAt: before(3000) }),
      order({ transactionId: 'b', visitorId, attribution, occurredAt: before(2000) }),
    ]);
    await stage();
    await insertOrders(world.database.pool, [
      order({ transactionId: 'a', visitorId, attribution, occurredAt: before(1000) }),
    ]);
    const staged = await stagedOrders((await stage()).batchId);
    expect(staged.get('a purchased')).toMatchObject({
      is_first: false,
      at: before(1000).getTime(),
      former_at: before(3000).getTime(),
    });
    expect(staged.get('b purchased')).toMatchObject({ is_first: true });
  });

  it('of two devices of one user belong to one person', async () => {
    const [a, b] = [
      await addVisitor(world.database.pool, world.site.id, { userId: 'u' }),
      await addVisitor(world.database.pool, world.site.id, { userId: 'u' }),
    ];
    await insertOrders(world.database.pool, [
      order({ transactionId: 'a', visitorId: a, userId: 'u', occurredAt: before(2000) }),
      order({ transactionId: 'b', visitorId: b, userId: 'u', occurredAt: before(1000) }),
    ]);
    const staged = await stagedOrders((await stage()).batchId);
    expect([staged.get('a purchased')?.is_first, staged.get('b purchased')?.is_first]).toEqual([true, false]);
  });

  // proves: analytics-errors/retry-3
  it('count once if several requests report them at the same time', async () => {
    const rows = Array.from({ length: 50 }, (_, index) => order({ transactionId: String(index) }));
    const outcomes = await Promise.all(
      [rows, rows.toReversed(), rows].map((batch) =>
        inTransaction(world.database.pool, (client) => insertOrders(client, batch)),
      ),
    );
    expect(outcomes.flat().filter((outcome) => outcome === 'new')).toHaveLength(50);
  });
});

describe('a refund', () => {
  async function refundOf(refund: Partial<OrderInsert>, purchase: Partial<OrderInsert> | null = {}) {
    if (purchase)
      await insertOrders(world.database.pool, [
        order({ transactionId: 'a', revenue: 100, currency: 'RUB', products: PRODUCTS, ...purchase }),
      ]);
    await insertOrders(world.database.pool, [
      order({ transactionId: 'a', status: 'refunded', revenue: null, ...refund }),
    ]);
    const { batchId } = await stage();
    const lines = await stagedRows(world.database.pool, batchId, 'order_lines');
    return {
      row: (await stagedOrders(batchId)).get('a refunded'),
      lines: lines.filter((line) => line.status === 'refunded'),
    };
  }

  // proves: analytics-states/order-refunded, decisions-analytics/refund-full, decisions-facts/refund-revenue
  it('without an amount refunds the whole purchase, including products', async () => {
    const { row, lines } = await refundOf({});
    expect(row).toMatchObject({ revenue: 100, currency: 'RUB', is_full_refund: true });
    expect(lines).toMatchObject([{ product_id: 'p1', quantity: 2, price: 50 }]);
  });

  it('in another currency has its own amounts in that currency, and reduces the purchase in the currency of the purchase', async () => {
    const unsaid = await refundOf({ currency: 'EUR' }, { currency: 'USD' });
    expect(unsaid.row).toMatchObject({ revenue: 100, currency: 'USD', is_full_refund: true });
    expect(unsaid.lines).toMatchObject([{ price: 50, currency: 'USD' }]);
    await insertOrders(world.database.pool, [
      order({ transactionId: 'b', revenue: 100, currency: 'RUB', products: PRODUCTS }),
      order({ transactionId: 'b', status: 'refunded', revenue: 300, currency: 'XTS' }),
    ]);
    const { batchId } = await stage();
    expect((await stagedOrders(batchId)).get('b refunded')).toMatchObject({
      revenue: 300,
      currency: 'XTS',
      is_full_refund: true,
    });
    expect(
      (await stagedRows(world.database.pool, batchId, 'order_lines')).filter(({ status }) => status === 'refunded'),
    ).toMatchObject([{ price: 50, currency: 'RUB' }]);
  });

  // proves: analytics-states/order-refunded
  it.each([
    // proves: decisions-analytics/refund-partial
    ['less than the purchase', { revenue: 99.99 }, false],
    // proves: decisions-analytics/refund-full
    ['the same amount', { revenue: 100 }, true],
    ['more than the purchase', { revenue: 101 }, true],
    ['less in another currency, by the rates', { revenue: 1, currency: 'EUR' }, false],
    ['more in another currency, by the rates', { revenue: 2, currency: 'EUR' }, true],
    ['any amount in a currency without a rate', { revenue: 1, currency: 'XTS' }, true],
  ])('of %s (%j) is full: %s', async (_what, refund, isFull) => {
    await world.database.pool.query(`update sites set rates = '{"EUR": 60}' where id = $1`, [world.site.id]);
    expect((await refundOf(refund)).row?.is_full_refund).toBe(isFull);
  });

  // proves: analytics-states/order-refunded
  // proves: decisions-analytics/refund-unknown
  it('of an unknown purchase only lowers the revenue', async () => {
    const { row, lines } = await refundOf({ revenue: 30 }, null);
    expect(row).toMatchObject({ revenue: 30, is_full_refund: false, currency: 'RUB' });
    expect(lines).toEqual([]);
  });

  // proves: analytics-states/order-refunded
  it('counts at the time at which its request arrived, with the visit of its purchase', async () => {
    const { visitorId, visitId } = await addVisitorWithVisit(world.database.pool, world.site.id, {
      startedAt: before(HOUR),
    });
    const { row } = await refundOf(
      { occurredAt: before(5000), receivedAt: before(2000) },
      { visitorId, occurredAt: before(9000), attribution: { state: 'visit', visitId, startedAt: before(HOUR) } },
    );
    expect(row).toMatchObject({ at: before(2000).getTime(), visit_id: visitId, visitor_id: visitorId });
  });

  it('is recalculated when its purchase comes after it', async () => {
    const { row } = await refundOf({}, null);
    expect(row).toMatchObject({ revenue: null, is_full_refund: false });
    await insertOrders(world.database.pool, [order({ transactionId: 'a', revenue: 100, products: PRODUCTS })]);
    const { staged, batchId } = await stage();
    expect(staged).toBe(2);
    expect((await stagedOrders(batchId)).get('a refunded')).toMatchObject({ revenue: 100, is_full_refund: true });
  });
});
