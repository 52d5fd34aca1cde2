import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inTransaction } from '../../../db/pool.ts';
import { insertOrders } from '../../../db/siteFacts/insertFacts.ts';
import { takeOrders } from '../../../db/siteFacts/takeServerFacts.ts';
import { applyUserData } from '../../../db/sitePeople/applyTagAndServerData.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { untilWaiting } from '../../support/lockWaits.ts';
import { addVisit } from '../../support/people/siteFacts.ts';
import { addSite, addVisitor } from '../../support/people/sitePeople.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('the first login of a visitor', () => {
  it('does not deadlock with a server that reports their purchase', async () => {
    const { pool } = database;
    const siteId = await addSite(pool);
    const visitorId = await addVisitor(pool, siteId);
    const owned = [siteId, visitorId];
    await pool.query(
      `insert into site_goals (site_id, code, title, type, enabled) values ($1, 'buy', 'Buy', 'purchase', true)`,
      [siteId],
    );
    await pool.query(
      `insert into site_orders (site_id, visitor_id, shard, transaction_id, status, origin, occurred_at, attribution)
       values ($1, $2, 1, 't-1', 'purchased', 'tag', now(), 'none')`,
      owned,
    );
    await pool.query(
      `insert into site_conversions (site_id, visitor_id, shard, origin, id, goal, goal_source, occurred_at, attribution)
       values ($1, $2, 1, 'tag', 'order:t-1:buy', 'buy', 'tag', now(), 'none')`,
      owned,
    );
    const other = await pool.connect();
    await other.query('begin');
    await other.query('select from site_orders where site_id = $1 for update', [siteId]);
    const at = new Date();
    const purchase = { visitorId, userId: null, occurredAt: at, currency: null, revenue: 7, products: null };
    const reported = takeOrders(pool, { siteId, receivedAt: at }, [
      { transactionId: 't-1', status: 'purchased', ...purchase },
    ]);
    await untilWaiting(pool, 1);
    const login = { visitorId, userId: 'u', fingerprint: null, data: {}, source: 'user' as const, at };
    const linked = inTransaction(pool, (client) => applyUserData(client, siteId, [login]));
    await untilWaiting(pool, 2);
    await other.query('commit');
    other.release();
    expect(await Promise.all([reported, linked])).toMatchObject([{ duplicates: 1, rejected: [] }, undefined]);
    const { rows } = await pool.query(
      `select user_id as user, revenue::int as amount from site_orders
       union all select user_id, value::int from site_conversions`,
    );
    expect(rows).toEqual([
      { user: 'u', amount: 7 },
      { user: 'u', amount: 7 },
    ]);
  });

  it.each([
    ['new', 't-2'],
    ['known', 't-3'],
  ])('does not deadlock if its batch has another purchase that is %s', async (_what, transactionId) => {
    const { pool } = database;
    const siteId = await addSite(pool);
    const visitorId = await addVisitor(pool, siteId);
    await pool.query(
      `insert into site_orders (site_id, visitor_id, shard, transaction_id, status, origin, occurred_at, attribution)
       values ($1, $2, 1, 't-1', 'purchased', 'tag', now(), 'none'), ($1, $3, 1, 't-3', 'purchased', 'tag', now(), 'none')`,
      [siteId, visitorId, await addVisitor(pool, siteId)],
    );
    // Without a visit, the server's report of a new purchase would be refused.
    if (transactionId === 't-2') await addVisit(pool, siteId, visitorId, new Date(Date.now() - 60_000));
    await pool.query(`insert into site_people (site_id, kind, person_id) values ($1, 'user', 'u')`, [siteId]);
    const at = new Date();
    const purchase = { visitorId, userId: null, occurredAt: at, currency: null, revenue: 7, products: null };
    const order = {
      ...purchase,
      siteId,
      transactionId,
      status: 'purchased' as const,
      origin: 'tag' as const,
      receivedAt: at,
      promoCode: null,
      weight: 1,
      attribution: { state: 'none' as const },
    };
    const login = { visitorId, userId: 'u', fingerprint: null, data: {}, source: 'user' as const, at };
    const other = await pool.connect();
    await other.query('begin');
    await other.query('select from site_people where site_id = $1 for update', [siteId]);
    const ingested = inTransaction(pool, async (client) => {
      await insertOrders(client, [order], [{ siteId, visitorId }]);
      await applyUserData(client, siteId, [login]);
    });
    await untilWaiting(pool, 1);
    const reported = takeOrders(
      pool,
      { siteId, receivedAt: at },
      ['t-1', transactionId].map((id) => ({ transactionId: id, status: 'purchased', ...purchase })),
    );
    await untilWaiting(pool, 2);
    await other.query('commit');
    other.release();
    expect(await Promise.all([reported, ingested])).toMatchObject([{ duplicates: 2, rejected: [] }, undefined]);
    const { rows } = await pool.query(
      `select user_id as user, revenue::int as amount from site_orders where site_id = $1 and transaction_id in ('t-1', $2) order by transaction_id`,
      [siteId, transactionId],
    );
    expect(rows).toMatchObject([{ user: 'u', amount: 7 }, { amount: 7 }]);
  });
});
