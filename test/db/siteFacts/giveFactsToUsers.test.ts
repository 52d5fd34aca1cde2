import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { inTransaction } from '../../../db/pool.ts';
import { attributePending } from '../../../db/siteFacts/attributePending.ts';
import { insertOrders } from '../../../db/siteFacts/insertFacts.ts';
import { takeConversions, takeOrders } from '../../../db/siteFacts/takeServerFacts.ts';
import { applyUserData } from '../../../db/sitePeople/applyTagAndServerData.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { untilWaiting } from '../../support/lockWaits.ts';
import { addToInbox, addVisit } from '../../support/people/siteFacts.ts';
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

  describe('while a server reports facts of the visit before', () => {
    let siteId: string;
    let visitorId: string;
    let other: pg.PoolClient;
    const now = new Date();
    const occurredAt = new Date(now.getTime() - 60_000);
    beforeEach(async () => {
      siteId = await addSite(database.pool);
      visitorId = await addVisitor(database.pool, siteId);
      await addVisit(database.pool, siteId, visitorId, new Date(now.getTime() - 120_000));
      other = await database.pool.connect();
    });
    afterEach(() => other.release());

    /** Ingests the login, but leaves its transaction open. */
    async function beginLogin(inboxId: string | null): Promise<void> {
      await other.query('begin');
      const login = { visitorId, userId: 'u', fingerprint: null, data: {}, source: 'user' as const, at: now };
      await applyUserData(other, siteId, [login]);
      await other.query('delete from collect_inbox where id = $1', [inboxId]);
    }

    it('gives the user a purchase that the server is about to complete', async () => {
      const { pool } = database;
      await pool.query(
        `insert into site_orders (site_id, visitor_id, shard, transaction_id, status, origin, occurred_at, attribution)
         values ($1, $2, 1, 't-1', 'purchased', 'tag', $3, 'none'), ($1, $4, 1, 't-0', 'purchased', 'tag', $3, 'none')`,
        [siteId, visitorId, occurredAt, await addVisitor(pool, siteId)],
      );
      const third = await pool.connect();
      await third.query('begin');
      await third.query(`select from site_orders where site_id = $1 and transaction_id = 't-0' for update`, [siteId]);
      const purchase = { visitorId, userId: null, occurredAt, currency: null, revenue: 7, products: null };
      const reported = takeOrders(
        pool,
        { siteId, receivedAt: now },
        ['t-0', 't-1'].map((transactionId) => ({ transactionId, status: 'purchased', ...purchase })),
      );
      await untilWaiting(pool, 1);
      await beginLogin(null);
      await other.query('commit');
      await third.query('commit');
      third.release();
      await reported;
      const { rows } = await pool.query(
        `select user_id as user, attribution from site_orders where site_id = $1 and transaction_id = 't-1'`,
        [siteId],
      );
      expect(rows).toEqual([{ user: 'u', attribution: 'visit' }]);
    });

    it('gives the user a conversion that is stored before the login is', async () => {
      const { pool } = database;
      await pool.query(
        `insert into site_goals (site_id, code, title, type, enabled) values ($1, 'lead', 'Lead', 'js', true)`,
        [siteId],
      );
      await beginLogin(await addToInbox(pool, siteId, visitorId, { userId: 'u', at: now, receivedAt: now }));
      const sent = { id: 'c-1', goal: 'lead', value: null, visitorId, userId: null, occurredAt };
      expect(await takeConversions(pool, { siteId, receivedAt: now }, [sent])).toMatchObject({ accepted: 1 });
      await other.query('commit');
      await inTransaction(pool, (client) => attributePending(client, shardOf(siteId), 10));
      const { rows } = await pool.query(
        'select user_id as user, attribution from site_conversions where site_id = $1',
        [siteId],
      );
      expect(rows).toEqual([{ user: 'u', attribution: 'visit' }]);
    });
  });
});
