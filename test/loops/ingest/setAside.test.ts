/** One row that cannot be processed does not block the others. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import type { RunningProcess } from '../../../platform/process/lifecycle.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestIngest } from '../../support/lake/ingest.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';
import { addSite, collect, event, isInLake, request } from './support/inbox.ts';

let database: TestDatabase;
let testLake: TestLake;
const running: RunningProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  testLake = await openTestLake(database.url);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
});
afterAll(async () => {
  await testLake?.close();
  await database.drop();
});

const query = async (sql: string, values: unknown[] = []) =>
  (await database.pool.query<Record<string, unknown>>(sql, values)).rows;
const inLake = () => eventually(() => isInLake(database.pool), 'everything in the lake');

async function ingest(): Promise<Registry> {
  const registry = new Registry();
  running.push(await startTestIngest(database.url, testLake.settings, { registry }));
  return registry;
}

async function sessionsEnded(registry: Registry): Promise<number | undefined> {
  const metric = await registry.getSingleMetric('attune_ingest_failures_total')?.get();
  return metric?.values.find(({ labels }) => labels['what'] === 'session')?.value;
}

describe('a request whose transaction always runs out of time', () => {
  it('is set aside, and the shards stay where they are', async () => {
    const siteId = await addSite(database.pool);
    const slow = randomUUID();
    // Raises the server's error for a statement timeout.
    await query(
      `create function too_long() returns trigger language plpgsql as $$ begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$`,
    );
    await query(
      `create trigger too_long before insert on site_visits for each row when (new.visitor_id = '${slow}') execute function too_long()`,
    );
    await collect(database.pool, [
      request(siteId, [event()], { visitorId: slow }),
      ...Array.from({ length: 30 }, () => request(siteId, [event()])),
    ]);
    const registry = await ingest();
    await inLake();
    expect(await query('select visitor_id, error from collect_failed')).toEqual([
      { visitor_id: slow, error: 'error 57014' },
    ]);
    expect(
      await testLake.lake.query(`select count(*)::int as hits from lake.hits where site_id = '${siteId}'`),
    ).toEqual([{ hits: 30 }]);
    expect(await sessionsEnded(registry)).toBe(0);
    await query('drop trigger too_long on site_visits');
  });
});

describe('a visit, a conversion and an order that cannot be settled', () => {
  it('are set aside, and the others of their shard reach the lake', async () => {
    const siteId = await addSite(database.pool);
    await collect(
      database.pool,
      Array.from({ length: 30 }, () => request(siteId, [event()])),
    );
    await ingest();
    await inLake();
    await running.shift()?.close();
    const [{ shard } = {}] = await query('select shard from site_visits where site_id = $1 limit 1', [siteId]);
    await query('update site_visits set lake_batch = null where site_id = $1', [siteId]);
    await query(
      `insert into site_visits (site_id, visitor_id, visit_id, shard, started_at, last_hit_at, state) values ($1, gen_random_uuid(), gen_random_uuid(), $2, now() - interval '1 day', now() - interval '1 day', '{}')`,
      [siteId, shard],
    );
    for (let i = 0; i < 30; i += 1) {
      // This is larger than any double precision number.
      const money = i === 17 ? '1e400' : '1';
      await query(
        `insert into site_conversions (site_id, shard, origin, id, goal, goal_source, occurred_at, attribution, value, user_id) values ($1, $2, 'api', $3, 'lead', 'api', now(), 'none', $4, 'u')`,
        [siteId, shard, `c${i}`, money],
      );
      await query(
        `insert into site_orders (site_id, shard, transaction_id, status, origin, occurred_at, attribution, revenue, user_id) values ($1, $2, $3, 'purchased', 'api', now(), 'none', $4, 'u')`,
        [siteId, shard, `t${i}`, money],
      );
    }
    const registry = await ingest();
    await inLake();
    expect(
      await query(
        `select count(*)::int as visits from site_visits where site_id = $1 and lake_batch = -1 and state::text = '{}'`,
        [siteId],
      ),
    ).toEqual([{ visits: 1 }]);
    expect(await query('select id from site_conversions where lake_batch = -1')).toEqual([{ id: 'c17' }]);
    expect(await query('select transaction_id as id from site_orders where lake_batch = -1')).toEqual([{ id: 't17' }]);
    for (const table of ['site_visits', 'site_conversions', 'site_orders'])
      expect(await query(`select count(*)::int as aside from ${table} where lake_batch = -1`)).toEqual([{ aside: 1 }]);
    expect(
      await testLake.lake.query(
        `select (select count(*)::int from lake.visits where site_id = '${siteId}') as visits, (select count(*)::int from lake.conversions where site_id = '${siteId}') as conversions, (select count(*)::int from lake.orders where site_id = '${siteId}') as orders`,
      ),
    ).toEqual([{ visits: 30, conversions: 29, orders: 29 }]);
    expect(await sessionsEnded(registry)).toBe(0);
  });
});
