import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { nextBatchId } from '../../../db/lake/batches.ts';
import { inTransaction } from '../../../db/pool.ts';
import { stageFacts } from '../../../db/siteFacts/stageForLake.ts';
import { takeConversions, takeOrders } from '../../../db/siteFacts/takeServerFacts.ts';
import { applyUserData } from '../../../db/sitePeople/applyTagAndServerData.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { untilWaiting } from '../../support/lockWaits.ts';
import { addVisit, stagedRows } from '../../support/people/siteFacts.ts';
import { addSite, addVisitor } from '../../support/people/sitePeople.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('a first login that arrives and is ingested while a server is storing facts', () => {
  const now = new Date();
  const occurredAt = new Date(now.getTime() - 60_000);
  let pool: pg.Pool;
  let siteId: string;
  let visitorId: string;
  beforeEach(async () => {
    ({ pool } = database);
    siteId = await addSite(pool);
    visitorId = await addVisitor(pool, siteId);
    await addVisit(pool, siteId, visitorId, new Date(now.getTime() - 120_000));
    await pool.query(
      `insert into site_goals (site_id, code, title, type, enabled) values ($1, 'lead', 'Lead', 'js', true)`,
      [siteId],
    );
  });

  /** Ingests the login while the facts are being stored: they wait for another request that stores the first of them. */
  async function storeDuringLogin(store: () => Promise<unknown>, first: string): Promise<void> {
    const other = await pool.connect();
    try {
      await other.query('begin');
      await other.query(first, [siteId, shardOf(siteId), occurredAt]);
      const stored = store();
      await untilWaiting(pool, 1);
      const login = { visitorId, userId: 'u', fingerprint: null, data: {}, source: 'user' as const, at: now };
      await inTransaction(pool, (client) => applyUserData(client, siteId, [login]));
      await other.query('commit');
      expect(await stored).toMatchObject({ accepted: 1, duplicates: 1, rejected: [] });
    } finally {
      other.release();
    }
  }

  /** Runs the ingest's turns until nothing is left to stage. @returns the batches, the last one first */
  async function stageAll(): Promise<string[]> {
    const batches: string[] = [];
    for (;;) {
      const turn = await inTransaction(pool, async (client) => {
        const batchId = await nextBatchId(client);
        return { batchId, staged: await stageFacts(client, shardOf(siteId), batchId, 100) };
      });
      if (turn.staged > 0) batches.unshift(turn.batchId);
      const { rowCount } = await pool.query(
        `select from site_conversions where lake_batch is null union all select from site_orders where lake_batch is null`,
      );
      if (rowCount === 0) return batches;
    }
  }

  const own = { userId: null, occurredAt };

  it('gives conversions to the user', async () => {
    const sent = ['c-0', 'c-1'].map((id) => ({ ...own, id, goal: 'lead', value: null, visitorId }));
    await storeDuringLogin(
      () => takeConversions(pool, { siteId, receivedAt: now }, sent),
      `insert into site_conversions (site_id, shard, origin, id, goal, goal_source, occurred_at, attribution)
       values ($1, $2, 'api', 'c-0', 'lead', 'api', $3, 'none')`,
    );
    const [batchId = ''] = await stageAll();
    expect(await stagedRows(pool, batchId, 'conversions')).toContainEqual(
      expect.objectContaining({ conversion_id: 'c-1', visitor_id: visitorId, user_id: 'u' }),
    );
  });

  it('gives orders to the user, whose first purchase on another device stays the first', async () => {
    await pool.query(
      `insert into site_orders (site_id, shard, transaction_id, status, origin, visitor_id, user_id, occurred_at, attribution)
       values ($1, $2, 't-old', 'purchased', 'api', $3, 'u', $4, 'none')`,
      [siteId, shardOf(siteId), await addVisitor(pool, siteId), new Date(now.getTime() - 3_600_000)],
    );
    await stageAll();
    const order = { ...own, status: 'purchased' as const, currency: null, revenue: 7, products: null, visitorId };
    await storeDuringLogin(
      () =>
        takeOrders(
          pool,
          { siteId, receivedAt: now },
          ['t-0', 't-1'].map((transactionId) => ({ ...order, transactionId })),
        ),
      `insert into site_orders (site_id, shard, transaction_id, status, origin, occurred_at, attribution)
       values ($1, $2, 't-0', 'purchased', 'api', $3, 'none')`,
    );
    const [batchId = ''] = await stageAll();
    expect(await stagedRows(pool, batchId, 'orders')).toContainEqual(
      expect.objectContaining({ transaction_id: 't-1', visitor_id: visitorId, user_id: 'u', is_first: false }),
    );
  });
});
