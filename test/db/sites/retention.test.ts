import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { takeOrders } from '../../../db/siteFacts/takeServerFacts.ts';
import { deleteOldRows } from '../../../db/sites/retention.ts';
import { updateSite } from '../../../db/sites/sites.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import { createTestSite } from '../../api/support/testSite.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addVisitorWithVisit, DAY } from '../../support/people/siteFacts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const ago = (days: number): Date => new Date(Date.now() - days * DAY);

async function addConversion(
  siteId: string,
  id: string,
  receivedAt: Date,
  lakeBatch: number | null = 1,
): Promise<void> {
  await database.pool.query(
    `insert into site_conversions (site_id, origin, id, goal, goal_source, occurred_at, received_at, attribution, shard, lake_batch)
     values ($1, 'api', $2, 'lead', 'api', $3, $3, 'none', $4, $5)`,
    [siteId, id, receivedAt, shardOf(siteId), lakeBatch],
  );
}

async function conversionsOf(siteId: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from site_conversions where site_id = $1 order by id',
    [siteId],
  );
  return rows.map(({ id }) => id);
}

describe('removal of old rows', () => {
  // proves: analytics-decisions/attribution
  it('keeps visits as long as the site does, and at least 181 days', async () => {
    const { pool } = database;
    const [usual, short] = [await createTestSite(pool), await createTestSite(pool)];
    await updateSite(pool, short.id, { quotas: { retention_months: 1 } });
    const kept: string[] = [];
    for (const { id } of [usual, short])
      for (const days of [180, 182, 390, 400]) {
        const { visitId } = await addVisitorWithVisit(pool, id, { startedAt: ago(days) });
        await pool.query('update site_visits set lake_batch = 1 where visit_id = $1', [visitId]);
        if (days === 180 || (id === usual.id && days < 395)) kept.push(visitId);
      }
    kept.push((await addVisitorWithVisit(pool, usual.id, { startedAt: ago(400) })).visitId);
    expect(await deleteOldRows(pool, 'visits', 10, 37)).toBe(4);
    const { rows } = await pool.query<{ visit_id: string }>(
      'select visit_id from site_visits where site_id = any($1)',
      [[usual.id, short.id]],
    );
    expect(rows.map(({ visit_id: id }) => id).sort()).toEqual(kept.sort());
  });

  // proves: analytics-decisions/attribution
  it('keeps a visit that began a day before an order of 200 days ago', async () => {
    const { pool } = database;
    const site = await createTestSite(pool);
    const { visitorId, visitId } = await addVisitorWithVisit(pool, site.id, { startedAt: ago(201) });
    await pool.query('update site_visits set lake_batch = 1 where visit_id = $1', [visitId]);
    await deleteOldRows(pool, 'visits', 10, 37);
    const sent = { transactionId: 'A-1', status: 'purchased', currency: null, revenue: 1, products: null } as const;
    expect(
      await takeOrders(pool, { siteId: site.id, receivedAt: new Date() }, [
        { ...sent, visitorId, userId: null, occurredAt: ago(200) },
      ]),
    ).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
  });

  // proves: quotas/hits-retention
  it('keeps conversions and orders for 37 months, or as long as visits if those are kept longer', async () => {
    const { pool } = database;
    const [usual, short, long] = [await createTestSite(pool), await createTestSite(pool), await createTestSite(pool)];
    await updateSite(pool, short.id, { quotas: { retention_months: 2 } });
    await updateSite(pool, long.id, { quotas: { retention_months: 60 } });
    // 745 days are between 24 and 25 months, whichever months these are.
    for (const { id } of [usual, short, long]) {
      for (const days of [30, 745, 1_200]) await addConversion(id, `c${days}`, ago(days));
      await addConversion(id, 'unsettled', ago(1_200), null);
      await pool.query(
        `insert into site_orders (site_id, shard, transaction_id, status, origin, occurred_at, received_at, attribution, user_id, lake_batch)
         select $1, 0, 'o' || days, 'purchased', 'api', now() - make_interval(days => days), now() - make_interval(days => days), 'none', 'u', 1
           from unnest('{30,745,1200}'::int[]) days`,
        [id],
      );
    }
    expect(await deleteOldRows(pool, 'conversions', 10, 37)).toBe(2);
    expect(await deleteOldRows(pool, 'orders', 10, 37)).toBe(2);
    const kept = ['c30', 'c745', 'unsettled'];
    expect(await Promise.all([usual, short, long].map(({ id }) => conversionsOf(id)))).toEqual([
      kept,
      kept,
      ['c1200', ...kept],
    ]);
    expect(await deleteOldRows(pool, 'conversions', 10, 25)).toBe(0);
    expect(await deleteOldRows(pool, 'conversions', 10, 24)).toBe(2);
  });

  it('removes no more than requested at a time', async () => {
    const site = await createTestSite(database.pool);
    for (const id of ['a', 'b', 'c']) await addConversion(site.id, id, ago(1_200));
    expect([
      await deleteOldRows(database.pool, 'conversions', 2, 37),
      await deleteOldRows(database.pool, 'conversions', 2, 37),
    ]).toEqual([2, 1]);
  });

  it('removes the origin of a failed request after a day, and the request itself after a month', async () => {
    const site = await createTestSite(database.pool);
    for (const [id, days] of [
      [-1, 0],
      [-2, 2],
      [-3, 32],
    ] as const) {
      await database.pool.query(
        `insert into collect_failed (id, shard, site_id, visitor_id, received_at, ip, user_agent, batch, error, failed_at) values ($1, 0, $2, gen_random_uuid(), $3, '203.0.113.7', 'Firefox', '{}', 'x', $3)`,
        [id, site.id, ago(days)],
      );
    }
    expect([
      await deleteOldRows(database.pool, 'collect_failed', 10, 37),
      await deleteOldRows(database.pool, 'collect_failed_origins', 10, 37),
      await deleteOldRows(database.pool, 'collect_failed_origins', 10, 37),
    ]).toEqual([1, 1, 0]);
    const { rows } = await database.pool.query(
      'select ip, user_agent as agent from collect_failed where site_id = $1 order by id desc',
      [site.id],
    );
    expect(rows).toEqual([
      { ip: '203.0.113.7', agent: 'Firefox' },
      { ip: '', agent: '' },
    ]);
  });
});
