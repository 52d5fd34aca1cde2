/** A database with a separate site and its facts. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { nextBatchId } from '../../../../db/lake/batches.ts';
import { inTransaction } from '../../../../db/pool.ts';
import type { ConversionInsert, OrderInsert } from '../../../../db/siteFacts/insertFacts.ts';
import { stageFacts } from '../../../../db/siteFacts/stageForLake.ts';
import { shardOf } from '../../../../domain/collect/shards.ts';
import type { Attribution } from '../../../../domain/sites/siteFacts.ts';
import { createTestSite, type TestSite } from '../../../api/support/testSite.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';

export const NOW = new Date('2026-11-20T09:00:00.500Z');
export const before = (ms: number): Date => new Date(NOW.getTime() - ms);

export interface FactsWorld {
  database: TestDatabase;
  /** A new one for each test. */
  site: TestSite;
  conversion(change?: Partial<ConversionInsert>): ConversionInsert;
  order(change?: Partial<OrderInsert>): OrderInsert;
  /** Runs one cycle of the ingest for the site's shard. */
  stage(limit?: number): Promise<{ staged: number; batchId: string }>;
}

/** @param attribution default for the facts */
export function createFactsWorld(attribution: Attribution): FactsWorld {
  const common = () => ({
    siteId: world.site.id,
    visitorId: null,
    userId: null,
    occurredAt: NOW,
    receivedAt: NOW,
    weight: 1,
    attribution,
  });
  const world = {
    conversion: (change = {}) => ({
      ...common(),
      origin: 'api',
      id: randomUUID(),
      goal: 'lead',
      goalSource: 'api',
      value: null,
      ...change,
    }),
    order: (change = {}) => ({
      ...common(),
      transactionId: randomUUID(),
      status: 'purchased',
      origin: 'api',
      currency: null,
      revenue: 100,
      products: null,
      promoCode: null,
      ...change,
    }),
    stage: (limit = 1000) =>
      inTransaction(world.database.pool, async (client) => {
        const batchId = await nextBatchId(client);
        return { staged: await stageFacts(client, shardOf(world.site.id), batchId, limit), batchId };
      }),
  } as FactsWorld;
  beforeAll(async () => {
    world.database = await createTestDatabase();
  });
  beforeEach(async () => {
    // Another test's site may be in the same shard.
    await world.database.pool.query('truncate site_conversions, site_orders, collect_inbox');
    world.site = await createTestSite(world.database.pool);
  });
  afterAll(() => world.database?.drop());
  return world;
}
