/**
 * Goals that are reached by purchases sent by a site's server. test/loops/ingest/purchaseGoals.test.ts adds those of
 * the tag.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction } from '../../../db/pool.ts';
import { insertConversions, insertOrders, type OrderInsert } from '../../../db/siteFacts/insertFacts.ts';
import { attributePending } from '../../../db/siteFacts/attributePending.ts';
import { findPurchaseGoals, purchaseConversions } from '../../../db/siteFacts/purchaseGoals.ts';
import { takeOrders, type SentOrder } from '../../../db/siteFacts/takeServerFacts.ts';
import { putGoal } from '../../../db/sites/goals.ts';
import { updateSite } from '../../../db/sites/sites.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import type { Goal } from '../../../domain/sites/goalDefinition.ts';
import { createTestSite } from '../../api/support/testSite.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addToInbox, addVisit, addVisitor, addVisitorWithVisit, HOUR } from '../../support/people/siteFacts.ts';

let database: TestDatabase;
let siteId: string;
/** The visitor has a visit that began an hour ago. */
let visitor: { visitorId: string; visitId: string };

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  siteId = (await createTestSite(database.pool)).id;
  visitor = await addVisitorWithVisit(database.pool, siteId);
});
afterAll(async () => {
  await database?.drop();
});

const addGoal = (code: string, change: Partial<Goal> = {}) =>
  putGoal(database.pool, siteId, {
    code,
    title: code,
    type: 'purchase',
    match: null,
    value: null,
    enabled: true,
    ...change,
  });

const sent = (transactionId: string, change: Partial<SentOrder> = {}): SentOrder => ({
  transactionId,
  status: 'purchased',
  currency: null,
  revenue: 100,
  products: null,
  visitorId: visitor.visitorId,
  userId: null,
  occurredAt: new Date(),
  ...change,
});
const fromServer = (...orders: SentOrder[]) => takeOrders(database.pool, { siteId, receivedAt: new Date() }, orders);

async function conversions(): Promise<Record<string, unknown>[]> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `select id, goal, goal_source, origin, value::float8 as value, visitor_id, user_id, visit_id, attribution, weight from site_conversions where site_id = $1 order by id`,
    [siteId],
  );
  return rows;
}

describe('a purchase from a site’s server', () => {
  it('reaches every enabled purchase goal, with the order’s visit', async () => {
    await addGoal('bought');
    await addGoal('paid', { value: 5 });
    await addGoal('off', { enabled: false });
    await addGoal('lead', { type: 'js' });
    expect(await fromServer(sent('A-1'))).toMatchObject({ accepted: 1 });
    const one = {
      goal_source: 'api',
      origin: 'tag',
      visitor_id: visitor.visitorId,
      visit_id: visitor.visitId,
      attribution: 'visit',
      weight: 1,
    };
    expect(await conversions()).toEqual([
      { ...one, id: 'order:A-1:bought', goal: 'bought', value: 100, user_id: null },
      { ...one, id: 'order:A-1:paid', goal: 'paid', value: 5, user_id: null },
    ]);
  });

  it('is worth its revenue in the site’s money, to six places, if the rate is known', async () => {
    await updateSite(database.pool, siteId, { rates: { USD: 81.37, XTS: 3 } });
    await addGoal('bought');
    await fromServer(
      sent('1'),
      sent('2', { currency: 'usd', revenue: 19.99 }),
      sent('3', { currency: 'XTS', revenue: 0.1 }),
      sent('4', { currency: 'EUR' }),
      sent('5', { revenue: null }),
      sent('6', { currency: 'RUB', revenue: 0 }),
    );
    expect((await conversions()).map(({ value }) => value)).toEqual([100, 1626.5863, 0.3, null, null, 0]);
  });

  // proves: decisions-facts/order-under-way
  it('waits for hits that are being ingested, as does its conversion, which belongs to the same visit', async () => {
    await addGoal('bought');
    const visitorId = await addVisitor(database.pool, siteId);
    await addToInbox(database.pool, siteId, visitorId, { receivedAt: new Date(Date.now() - 60_000) });
    await fromServer(sent('A-1', { visitorId }));
    expect(await conversions()).toMatchObject([{ attribution: 'pending', visitor_id: visitorId }]);
    const visitId = await addVisit(database.pool, siteId, visitorId, new Date(Date.now() - 60_000));
    await database.pool.query('delete from collect_inbox where visitor_id = $1', [visitorId]);
    expect(await inTransaction(database.pool, (client) => attributePending(client, shardOf(siteId), 100))).toBe(2);
    expect(await conversions()).toMatchObject([{ attribution: 'visit', visit_id: visitId }]);
  });

  it('waits for hits of the server’s visitor, as does its conversion, even if a stranger’s tag claimed it long before', async () => {
    await addGoal('bought');
    const anHourAgo = new Date(Date.now() - HOUR);
    const claim: OrderInsert = {
      ...sent('A-1'),
      products: null,
      siteId,
      origin: 'tag',
      receivedAt: anHourAgo,
      occurredAt: anHourAgo,
      promoCode: null,
      weight: 1,
      attribution: { state: 'visit', visitId: visitor.visitId, startedAt: anHourAgo },
    };
    await insertOrders(database.pool, [claim]);
    await insertConversions(
      database.pool,
      purchaseConversions([claim], await findPurchaseGoals(database.pool, siteId)),
    );
    const visitorId = await addVisitor(database.pool, siteId);
    const aMinuteAgo = new Date(Date.now() - 60_000);
    await addToInbox(database.pool, siteId, visitorId, { receivedAt: aMinuteAgo });
    await fromServer(sent('A-1', { visitorId }));
    const attribute = () => inTransaction(database.pool, (client) => attributePending(client, shardOf(siteId), 100));
    expect(await attribute()).toBe(0);
    expect(await conversions()).toMatchObject([{ attribution: 'pending', visitor_id: visitorId, visit_id: null }]);
    const recounts = await database.pool.query('select visit_id from site_recounts where site_id = $1', [siteId]);
    expect(recounts.rows).toEqual([{ visit_id: visitor.visitId }]);
    const visitId = await addVisit(database.pool, siteId, visitorId, aMinuteAgo);
    await database.pool.query('delete from collect_inbox where visitor_id = $1', [visitorId]);
    expect(await attribute()).toBe(2);
    expect(await conversions()).toMatchObject([{ attribution: 'visit', visit_id: visitId }]);
  });

  it('belongs to its user', async () => {
    await addGoal('bought');
    const { visitorId, visitId } = await addVisitorWithVisit(database.pool, siteId, { userId: 'u-1' });
    await fromServer(sent('A-1', { visitorId: null, userId: 'u-1' }));
    expect(await conversions()).toMatchObject([{ visitor_id: visitorId, user_id: 'u-1', visit_id: visitId }]);
  });

  it('reaches nothing if it is a refund, rejected or a repeat', async () => {
    await fromServer(sent('A-0'));
    await addGoal('bought');
    expect(
      await fromServer(
        sent('A-0'),
        sent('A-0', { status: 'refunded' }),
        sent('A-1', { visitorId: randomUUID() }),
        sent('A-2', { products: 'invalid' }),
        sent('A-3', { status: 'refunded' }),
        sent('A-4'),
        sent('A-4'),
      ),
    ).toMatchObject({ accepted: 3, duplicates: 2 });
    expect((await conversions()).map(({ id }) => id)).toEqual(['order:A-4:bought']);
  });
});
