/** A purchase reaches its goals once, whichever way it comes: by the tag, by the site's server, or both. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { takeOrders } from '../../db/siteFacts/take.ts';
import { putGoal } from '../../db/sites/goals.ts';
import { startIngest } from '../../ingest/ingest.ts';
import type { RunningProcess } from '../../process/lifecycle.ts';
import { createLogger } from '../../process/logger.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openTestLake, type TestLake } from '../support/lake.ts';
import { addSite, collect, event, isInLake, request } from './support/inbox.ts';

const registry = new Registry();
let database: TestDatabase;
let testLake: TestLake;
let running: RunningProcess;
let siteId: string;
/** With a visit of three hours ago. */
let visitorId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  testLake = await openTestLake(database.url);
  const options = { databaseUrl: database.url, lake: testLake.settings, enrich: { cityDatabase: null, dataCentres: null }, lanes: 2, lakeCommitMs: 200 };
  running = await startIngest(options, createLogger('ingest', 'silent'), registry);
}, 120_000);
beforeEach(async () => {
  siteId = await addSite(database.pool);
  visitorId = randomUUID();
  await collect(database.pool, [request(siteId, [event()], { visitorId })]);
  await inLake();
}, 120_000);
afterAll(async () => {
  await running?.close();
  await testLake?.close();
  await database?.drop();
});

const inLake = () => eventually(() => isInLake(database.pool), 'everything in the lake', 60_000);
const addGoal = (code: string) => putGoal(database.pool, siteId, { code, title: code, type: 'purchase', match: null, value: null, enabled: true });

const fromServer = (...transactionIds: string[]) => takeOrders(database.pool, { siteId, receivedAt: new Date() }, transactionIds.map((transactionId) => ({
  transactionId, status: 'purchased', currency: null, revenue: 100, products: null, visitorId, userId: null, occurredAt: new Date(),
})));

const fromTag = (...transactionIds: string[]) => collect(database.pool, [request(siteId, transactionIds.map((id, index) => event({
  at: Date.now() - 2_000 + index, type: 'purchase', order: { transaction_id: id, revenue: 7, currency: null, products: null, promo_code: null },
})), { visitorId })]);

const conversions = () => testLake.lake.query(
  `select conversion_id as id, origin, goal_source, cast("value" as double) as "value" from lake.conversions where site_id = '${siteId}' order by id`,
);

describe('a purchase reaches a goal once', () => {
  it('told by the server: in the visit of its order, which is no bounce then', async () => {
    await addGoal('bought');
    await fromServer('A-1');
    await inLake();
    expect(await conversions()).toEqual([{ id: 'order:A-1:bought', origin: 'tag', goal_source: 'api', value: 100 }]);
    expect(await testLake.lake.query(
      `select v.goals, v.is_bounce from lake.visits v join lake.conversions c on c.visit_id = v.visit_id join lake.orders o on o.visit_id = v.visit_id where v.site_id = '${siteId}'`,
    )).toEqual([{ goals: 1, is_bounce: false }]);
  }, 120_000);

  it('told by the server and then by the tag', async () => {
    await addGoal('bought');
    await fromServer('A-1');
    await fromTag('A-1');
    await inLake();
    expect(await conversions()).toMatchObject([{ goal_source: 'api', value: 100 }]);
  }, 120_000);

  it('told by the tag and then by the server', async () => {
    await addGoal('bought');
    await fromTag('A-1');
    await inLake();
    expect(await fromServer('A-1')).toMatchObject({ duplicates: 1 });
    expect(await conversions()).toMatchObject([{ goal_source: 'event', value: 7 }]);
  }, 120_000);

  it('told by both at once: what the order says, its conversions say, and nobody waits for the other for ever', async () => {
    await addGoal('a');
    await addGoal('b');
    const ids = Array.from({ length: 300 }, (_, index) => `A-${String(index).padStart(3, '0')}`);
    const batch = (from: number) => ids.slice(from, from + 30);
    const starts = ids.flatMap((_, index) => (index % 30 === 0 ? [index] : []));
    await Promise.all([
      ...starts.toReversed().map((from) => fromTag(...batch(from).toReversed())),
      ...starts.map((from) => fromServer(...batch(from))),
      ...starts.map((from) => fromServer(...batch(from).toReversed())),
    ]);
    await inLake();
    const { rows } = await database.pool.query(
      `select count(*)::int as pairs, count(*) filter (where c.value = o.revenue and (c.goal_source = 'api') = (o.origin = 'api'))::int as alike
         from site_orders o join site_conversions c on c.site_id = o.site_id and c.id like 'order:' || o.transaction_id || ':%' where o.site_id = $1`, [siteId],
    );
    expect(rows).toEqual([{ pairs: 600, alike: 600 }]);
    expect(await conversions()).toHaveLength(600);
    const failures = await registry.getSingleMetric('attune_ingest_failures_total')?.get();
    expect(failures?.values.filter(({ value }) => value > 0)).toEqual([]);
  }, 120_000);
});
