import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { putGoal } from '../../../db/sites/goals.ts';
import { addSite, collect, event, HOUR, request } from './support/inbox.ts';
import { stageIngest } from './support/ingestStage.ts';

const stage = stageIngest();

describe('the ingest', () => {
  // proves: decisions-storage/facts
  it("creates goals, orders and users from the tag's events, each once", async () => {
    const siteId = await addSite(stage.pool);
    await putGoal(stage.pool, siteId, {
      code: 'lead',
      title: 'Lead',
      type: 'js',
      match: null,
      value: 15,
      enabled: true,
    });
    const visitorId = randomUUID();
    const at = Date.now() - 3 * HOUR;
    const order = {
      transaction_id: 'T-1',
      revenue: 100.25,
      currency: null,
      products: [{ id: 'p', name: null, category: 'a/b', brand: null, variant: null, price: 100.25, qty: 1 }],
      promo_code: 'NEW',
    };
    await collect(stage.pool, [
      request(
        siteId,
        [
          event({ at }),
          event({ at: at + 1, type: 'goal', name: 'lead' }),
          event({ at: at + 2, type: 'goal', name: 'unknown' }),
          event({ at: at + 3, type: 'user', user: { user_id: 'u-1', gender: 'female' } }),
          event({ at: at + 4, type: 'purchase', order }),
          event({ at: at + 5, type: 'purchase', order }),
          event({ at: at + 6, type: 'refund', order: { ...order, products: null } }),
        ],
        { visitorId },
      ),
    ]);
    await stage.ingest();
    await stage.inLake();
    const facts = await stage.testLake.lake.query(
      `select goal, goal_source, origin, value::double as value, visitor_id::varchar as visitor, visit_id is not null as attributed from lake.conversions where site_id = '${siteId}'`,
    );
    expect(facts).toEqual([
      { goal: 'lead', goal_source: 'tag', origin: 'tag', value: 15, visitor: visitorId, attributed: true },
    ]);
    const orders = await stage.testLake.lake.query(
      `select status, revenue::double as revenue, promo_code, user_id from lake.orders where site_id = '${siteId}' order by status`,
    );
    expect(orders).toEqual([
      { status: 'purchased', revenue: 100.25, promo_code: 'NEW', user_id: 'u-1' },
      { status: 'refunded', revenue: 100.25, promo_code: 'NEW', user_id: 'u-1' },
    ]);
    expect(
      await stage.testLake.lake.query(`select goals, hits, user_id from lake.visits where site_id = '${siteId}'`),
    ).toEqual([{ goals: 1, hits: 7, user_id: 'u-1' }]);
    const { rows } = await stage.pool.query('select user_id from site_visitors where site_id = $1', [siteId]);
    expect(rows).toEqual([{ user_id: 'u-1' }]);
    const stored = await stage.pool.query(
      `select goal as fact, value::float8 as value from site_conversions where site_id = $1
       union all select status, revenue::float8 from site_orders where site_id = $1 order by 1`,
      [siteId],
    );
    expect(stored.rows).toEqual([
      { fact: 'lead', value: 15 },
      { fact: 'purchased', value: 100.25 },
      { fact: 'refunded', value: 100.25 },
    ]);
  });

  it('gives the user the earlier orders and conversions of a device on which the user logs in later', async () => {
    const siteId = await addSite(stage.pool);
    await putGoal(stage.pool, siteId, {
      code: 'lead',
      title: 'Lead',
      type: 'js',
      match: null,
      value: null,
      enabled: true,
    });
    const at = Date.now() - 20 * HOUR;
    const purchase = (id: string, time: number) =>
      event({
        at: time,
        type: 'purchase',
        order: { transaction_id: id, revenue: 10, currency: null, products: null, promo_code: null },
      });
    const [phone, desk] = [randomUUID(), randomUUID()];
    const receivedAt = new Date(Date.now() - HOUR);
    await collect(stage.pool, [
      request(siteId, [purchase('desk-1', at + 1), event({ at, type: 'goal', name: 'lead' })], {
        visitorId: desk,
        receivedAt,
      }),
      request(
        siteId,
        [event({ at: at + HOUR, type: 'user', user: { user_id: 'u-1' } }), purchase('phone-1', at + HOUR + 1)],
        { visitorId: phone },
      ),
    ]);
    await stage.ingest();
    await stage.inLake();
    const orders = () =>
      stage.testLake.lake.query(
        `select transaction_id as id, user_id, is_first from lake.orders where site_id = '${siteId}' order by id`,
      );
    expect(await orders()).toEqual([
      { id: 'desk-1', user_id: null, is_first: true },
      { id: 'phone-1', user_id: 'u-1', is_first: true },
    ]);
    await collect(stage.pool, [
      request(siteId, [event({ at: at + 5 * HOUR, type: 'user', user: { user_id: 'u-1' } })], { visitorId: desk }),
      request(siteId, [purchase('desk-2', at + 10 * HOUR)], { visitorId: desk }),
    ]);
    await stage.ingest();
    await stage.inLake();
    expect(await orders()).toEqual([
      { id: 'desk-1', user_id: 'u-1', is_first: true },
      { id: 'desk-2', user_id: 'u-1', is_first: false },
      { id: 'phone-1', user_id: 'u-1', is_first: false },
    ]);
    expect(await stage.testLake.lake.query(`select user_id from lake.conversions where site_id = '${siteId}'`)).toEqual(
      [{ user_id: 'u-1' }],
    );
    const { rows } = await stage.pool.query('select received_at from site_conversions where site_id = $1', [siteId]);
    expect(rows).toEqual([{ received_at: receivedAt }]);
  });
});
