import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { inTransaction } from '../../../db/pool.ts';
import { removeOldVisitors } from '../../../db/sitePeople/removeOldPeople.ts';
import { putGoal } from '../../../db/sites/goals.ts';
import { readIngestLag } from '../../../db/visits/ingestLag.ts';
import { LAYOUT_FIELDS } from '../../../domain/collect/collected.ts';
import { SHARDS } from '../../../domain/collect/shards.ts';
import type { RunningProcess } from '../../../platform/process/lifecycle.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestIngest } from '../../support/lake/ingest.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';
import { untilWaiting } from '../../support/lockWaits.ts';
import {
  addSite,
  BROWSER,
  CLICK_LAYOUT,
  collect,
  compareHits,
  event,
  HOUR,
  isIngested,
  isInLake,
  readTotals,
  request,
  traffic,
} from './support/inbox.ts';

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

async function ingest(loops = 2, lake = testLake.settings): Promise<Registry> {
  const registry = new Registry();
  running.push(await startTestIngest(database.url, lake, { loops, registry }));
  return registry;
}

const inLake = () => eventually(() => isInLake(database.pool), 'everything in the lake');

async function valueOf(
  registry: Registry,
  name: string,
  labels: Record<string, string> = {},
): Promise<number | undefined> {
  const metric = await registry.getSingleMetric(name)?.get();
  return metric?.values.find((value) => Object.entries(labels).every(([key, text]) => value.labels[key] === text))
    ?.value;
}

describe('the ingest', () => {
  // proves: people/visitor
  it('writes every accepted event to the lake, once, and its visits with it', async () => {
    const sites = [await addSite(database.pool), await addSite(database.pool), await addSite(database.pool)];
    const requests = traffic(sites, 60);
    await collect(database.pool, requests.slice(0, 200));
    const registry = await ingest();
    await collect(database.pool, requests.slice(200));
    await inLake();
    expect(await compareHits(testLake.lake, requests)).toEqual({ lost: 0, doubled: 0, strange: 0 });
    const { kept, lake } = await readTotals(database.pool, testLake.lake);
    expect(kept).toEqual({ visits: 180, hits: 540, pageviews: 360, visitors: 60 });
    expect(lake).toEqual(kept);
    expect(
      await testLake.lake.query(
        `select h.type, count(*)::int as hits, ${LAYOUT_FIELDS.join(', ')} from lake.hit_layouts join lake.hits h using (site_id, hit_id) group by all`,
      ),
    ).toEqual([{ type: 'click', hits: 180, ...CLICK_LAYOUT }]);
    const { rows } = await database.pool.query(
      `select distinct visits, last_visit_at > first_visit_at as later from site_visitors where site_id = any($1)`,
      [sites],
    );
    expect(rows).toEqual([{ visits: 3, later: true }]);
    expect(await valueOf(registry, 'attune_ingest_events_total', { outcome: 'kept' })).toBe(540);
    expect(await valueOf(registry, 'attune_lake_staged_rows')).toBe(0);
    expect(await valueOf(registry, 'attune_ingest_lag_seconds')).toBe(0);
  });

  it('enriches events with place, device, source and robots', async () => {
    const siteId = await addSite(database.pool);
    await collect(database.pool, [
      request(siteId, [
        event({ referrer: 'https://www.google.com/', url: 'https://shop.example/b?utm_source=news&utm_medium=email' }),
      ]),
      request(siteId, [event()], {
        userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      }),
    ]);
    await ingest();
    await inLake();
    const rows = await testLake.lake.query(
      `select country, os, browser, screen_resolution, is_robot, robot_reason, source_last.source_type as source, source_last.utm_source as utm, visit_number, is_bounce
         from lake.visits where site_id = '${siteId}' order by is_robot`,
    );
    expect(rows).toEqual([
      {
        country: 'RU',
        os: 'Linux',
        browser: 'Firefox',
        screen_resolution: '1920x1080',
        is_robot: false,
        robot_reason: null,
        source: 'email',
        utm: 'news',
        visit_number: 1,
        is_bounce: true,
      },
      expect.objectContaining({ is_robot: true, robot_reason: 'UserAgent', source: 'direct' }),
    ]);
  });

  it('keeps an open visit out of the lake, but not its hits', async () => {
    const siteId = await addSite(database.pool);
    await collect(database.pool, [request(siteId, [event({ at: Date.now() })])]);
    await ingest();
    await inLake();
    expect(
      await testLake.lake.query(`select count(*)::int as hits from lake.hits where site_id = '${siteId}'`),
    ).toEqual([{ hits: 1 }]);
    expect(
      await testLake.lake.query(`select count(*)::int as visits from lake.visits where site_id = '${siteId}'`),
    ).toEqual([{ visits: 0 }]);
  });

  it('replaces a visit in the lake when a late hit changes it, and the later visits that this affects', async () => {
    const siteId = await addSite(database.pool);
    const visitorId = randomUUID();
    const start = Date.now() - 10 * HOUR;
    await collect(database.pool, [request(siteId, [event({ at: start + 5 * HOUR })], { visitorId })]);
    await ingest();
    await inLake();
    await collect(database.pool, [
      request(siteId, [event({ at: start, referrer: 'https://ya.ru/' })], { visitorId }),
      request(siteId, [event({ at: start + 5 * HOUR + 60_000 })], { visitorId }),
    ]);
    await inLake();
    const rows = await testLake.lake.query(
      `select visit_number, hits, source_last_significant.source_type as significant from lake.visits where site_id = '${siteId}' order by started_at`,
    );
    expect(rows).toEqual([
      { visit_number: 1, hits: 1, significant: 'organic' },
      { visit_number: 2, hits: 2, significant: 'organic' },
    ]);
  });

  // proves: analytics-decisions/ignored_referrers
  it('keeps the source of a visitor who left to pay or to sign in', async () => {
    const siteId = await addSite(database.pool);
    await database.pool.query(`update sites set ignored_referrers = '{acs.example}' where id = $1`, [siteId]);
    const start = Date.now() - 5 * HOUR;
    const minutes = (count: number, url: string, referrer: string | null) =>
      event({ at: start + count * 60_000, url: `https://shop.example${url}`, referrer });
    await collect(database.pool, [
      request(siteId, [
        minutes(0, '/?yclid=1', 'https://yandex.ru/'),
        minutes(2, '/cart', 'https://accounts.google.com/'),
        minutes(5, '/thanks?a=1', 'https://securepayments.sberbank.ru/'),
        minutes(7, '/thanks', 'https://www.acs.example/3ds'),
        minutes(60, '/thanks', 'https://www.paypal.com/'),
      ]),
    ]);
    await ingest();
    await inLake();
    const rows = await testLake.lake.query(
      `select hits, source_last.source_type as last, source_last_significant.source_type as significant from lake.visits where site_id = '${siteId}' order by started_at`,
    );
    expect(rows).toEqual([
      { hits: 4, last: 'ad', significant: 'ad' },
      { hits: 1, last: 'direct', significant: 'ad' },
    ]);
  });

  it("creates goals, orders and users from the tag's events, each once", async () => {
    const siteId = await addSite(database.pool);
    await putGoal(database.pool, siteId, {
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
    await collect(database.pool, [
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
    await ingest();
    await inLake();
    const facts = await testLake.lake.query(
      `select goal, goal_source, origin, value::double as value, visitor_id::varchar as visitor, visit_id is not null as attributed from lake.conversions where site_id = '${siteId}'`,
    );
    expect(facts).toEqual([
      { goal: 'lead', goal_source: 'tag', origin: 'tag', value: 15, visitor: visitorId, attributed: true },
    ]);
    const orders = await testLake.lake.query(
      `select status, revenue::double as revenue, promo_code, user_id from lake.orders where site_id = '${siteId}' order by status`,
    );
    expect(orders).toEqual([
      { status: 'purchased', revenue: 100.25, promo_code: 'NEW', user_id: 'u-1' },
      { status: 'refunded', revenue: 100.25, promo_code: 'NEW', user_id: 'u-1' },
    ]);
    expect(
      await testLake.lake.query(`select goals, hits, user_id from lake.visits where site_id = '${siteId}'`),
    ).toEqual([{ goals: 1, hits: 7, user_id: 'u-1' }]);
    const { rows } = await database.pool.query('select user_id from site_visitors where site_id = $1', [siteId]);
    expect(rows).toEqual([{ user_id: 'u-1' }]);
  });

  it('gives the user the earlier orders and conversions of a device on which the user logs in later', async () => {
    const siteId = await addSite(database.pool);
    await putGoal(database.pool, siteId, {
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
    await collect(database.pool, [
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
    await ingest();
    await inLake();
    const orders = () =>
      testLake.lake.query(
        `select transaction_id as id, user_id, is_first from lake.orders where site_id = '${siteId}' order by id`,
      );
    expect(await orders()).toEqual([
      { id: 'desk-1', user_id: null, is_first: true },
      { id: 'phone-1', user_id: 'u-1', is_first: true },
    ]);
    await collect(database.pool, [
      request(siteId, [event({ at: at + 5 * HOUR, type: 'user', user: { user_id: 'u-1' } })], { visitorId: desk }),
      request(siteId, [purchase('desk-2', at + 10 * HOUR)], { visitorId: desk }),
    ]);
    await ingest();
    await inLake();
    expect(await orders()).toEqual([
      { id: 'desk-1', user_id: 'u-1', is_first: true },
      { id: 'desk-2', user_id: 'u-1', is_first: false },
      { id: 'phone-1', user_id: 'u-1', is_first: false },
    ]);
    expect(await testLake.lake.query(`select user_id from lake.conversions where site_id = '${siteId}'`)).toEqual([
      { user_id: 'u-1' },
    ]);
    const { rows } = await database.pool.query('select received_at from site_conversions where site_id = $1', [siteId]);
    expect(rows).toEqual([{ received_at: receivedAt }]);
  });

  // proves: quotas/hits
  it('keeps the daily quota across transactions, and counts what it did not keep', async () => {
    const siteId = await addSite(database.pool);
    await database.pool.query(`update sites set quotas = '{"hits_per_day": 10}' where id = $1`, [siteId]);
    const requests = Array.from({ length: 60 }, () => request(siteId, [event()]));
    await collect(database.pool, requests.slice(0, 5));
    const registry = await ingest(1);
    await eventually(() => isIngested(database.pool), 'ingested');
    await collect(database.pool, requests.slice(5));
    await inLake();
    const [kept] = await testLake.lake.query<{ full: number; sampled: number }>(
      `select (count(*) filter (weight = 1))::int as full, (count(*) filter (weight = 10))::int as sampled from lake.hits where site_id = '${siteId}'`,
    );
    expect(kept?.full).toBe(10);
    expect(await valueOf(registry, 'attune_ingest_events_total', { outcome: 'quota' })).toBe(50 - (kept?.sampled ?? 0));
    const { rows } = await database.pool.query('select hits::int as hits from site_days where site_id = $1', [siteId]);
    expect(rows.reduce((sum, { hits }) => sum + hits, 0)).toBe(60);
  });

  it('drops events of a visitor who was deleted meanwhile', async () => {
    const siteId = await addSite(database.pool);
    const gone = request(siteId, [event(), event()]);
    await collect(database.pool, [gone, request(siteId, [event()])]);
    for (const statement of [
      'insert into visitor_deletions (site_id, visitor_id) values ($1, $2)',
      'delete from site_visitors where site_id = $1 and visitor_id = $2',
    ])
      await database.pool.query(statement, [siteId, gone.visitorId]);
    const registry = await ingest();
    await inLake();
    expect(
      await testLake.lake.query(`select count(*)::int as hits from lake.hits where site_id = '${siteId}'`),
    ).toEqual([{ hits: 1 }]);
    expect(await valueOf(registry, 'attune_ingest_events_total', { outcome: 'forgotten' })).toBe(2);
  });

  it('keeps events of a visitor whom the retention removes as they arrive', async () => {
    const siteId = await addSite(database.pool);
    const back = request(siteId, [event(), event()]);
    const visitor = [siteId, back.visitorId];
    await database.pool.query(
      `insert into site_visitors (site_id, visitor_id, created_at) values ($1, $2, now() - interval '14 months')`,
      visitor,
    );
    let removed: Promise<number> | undefined;
    await inTransaction(database.pool, async (client) => {
      await client.query(`insert into site_people (site_id, kind, person_id) values ($1, 'visitor', $2)`, visitor);
      removed = removeOldVisitors(database.pool, 1);
      await untilWaiting(database.pool, 1);
      await collect(database.pool, [back]);
    });
    expect(await removed).toBe(1);
    await ingest();
    await inLake();
    expect(
      await testLake.lake.query(`select count(*)::int as hits from lake.hits where site_id = '${siteId}'`),
    ).toEqual([{ hits: 2 }]);
  });

  it('sets aside the one request that cannot be ingested, and continues with the others', async () => {
    const siteId = await addSite(database.pool);
    const good = Array.from({ length: 120 }, () => request(siteId, [event()]));
    await collect(database.pool, good);
    // The intake never writes these forms, unless it has a bug.
    await database.pool.query(
      `update collect_inbox set batch = '{"device": null, "events": [{"at": "no number"}]}' where id = (select id from collect_inbox order by id offset 60 limit 1)`,
    );
    await database.pool.query(
      `update collect_inbox set batch = '{"device": null}' where id = (select id from collect_inbox order by id offset 90 limit 1)`,
    );
    const registry = await ingest();
    await inLake();
    expect(
      await testLake.lake.query(`select count(*)::int as hits from lake.hits where site_id = '${siteId}'`),
    ).toEqual([{ hits: 118 }]);
    expect(await valueOf(registry, 'attune_ingest_set_aside_total')).toBe(2);
    const { rows } = await database.pool.query(
      'select site_id as site, user_agent as agent, error from collect_failed where site_id = $1',
      [siteId],
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual({ site: siteId, agent: BROWSER, error: expect.stringMatching(/^[A-Za-z]+( \w+)?$/) });
  });

  it('sets aside requests of a site that does not exist', async () => {
    await collect(database.pool, [request('nosuchsite00', [event()])]);
    await ingest();
    await inLake();
    const { rows } = await database.pool.query(`select error from collect_failed where site_id = 'nosuchsite00'`);
    expect(rows).toEqual([{ error: 'UnknownSite' }]);
  });

  it('uses a changed goal with the next request', async () => {
    const siteId = await addSite(database.pool);
    await ingest();
    await collect(database.pool, [request(siteId, [event({ type: 'goal', name: 'late' })])]);
    await inLake();
    await putGoal(database.pool, siteId, {
      code: 'late',
      title: 'Late',
      type: 'js',
      match: null,
      value: null,
      enabled: true,
    });
    const conversions = async (): Promise<number> => {
      await collect(database.pool, [request(siteId, [event({ type: 'goal', name: 'late' })])]);
      await inLake();
      const [row] = await testLake.lake.query<{ count: number }>(
        `select count(*)::int as count from lake.conversions where site_id = '${siteId}'`,
      );
      return row?.count ?? 0;
    };
    expect(await eventually(conversions, 'a conversion')).toBeGreaterThan(0);
  });
});

describe('ingest processes', () => {
  it('share the shards evenly, take over from one that leaves, and duplicate nothing', async () => {
    const shardsOf = (registry: Registry): Promise<number | undefined> => valueOf(registry, 'attune_ingest_shards');
    const first = await ingest(1);
    await eventually(async () => (await shardsOf(first)) === SHARDS, 'one has all');
    const second = await ingest(1);
    const third = await ingest(1);
    await eventually(async () => {
      const parts = [await shardsOf(first), await shardsOf(second), await shardsOf(third)].map((part) => part ?? 0);
      return parts.reduce((sum, part) => sum + part, 0) === SHARDS && Math.max(...parts) <= 6;
    }, 'even parts');
    const sites = await Promise.all(Array.from({ length: 6 }, () => addSite(database.pool)));
    const requests = traffic(sites, 60);
    await collect(database.pool, requests.slice(0, 180));
    await running.shift()?.close();
    await collect(database.pool, requests.slice(180));
    await inLake();
    await eventually(
      async () => ((await shardsOf(second)) ?? 0) + ((await shardsOf(third)) ?? 0) === SHARDS,
      'taken over',
    );
    const ids = requests.flatMap(({ events }) => events.map(({ key }) => key));
    const rows = await testLake.lake.query<{ count: number; distinct: number }>(
      `select count(*)::int as count, count(distinct hit_id)::int as distinct from lake.hits where site_id in (${sites.map((id) => `'${id}'`).join(',')})`,
    );
    expect(rows).toEqual([{ count: ids.length, distinct: ids.length }]);
  });

  it('continue when PostgreSQL sessions break, and lose nothing', async () => {
    const sites = [await addSite(database.pool), await addSite(database.pool)];
    const requests = traffic(sites, 100);
    await ingest(2);
    for (let sent = 0; sent < requests.length; sent += 100) {
      await collect(database.pool, requests.slice(sent, sent + 100));
      await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'attune-ingest'`,
      );
    }
    await inLake();
    const rows = await testLake.lake.query(
      `select count(*)::int as count, count(distinct hit_id)::int as distinct from lake.hits where site_id in ('${sites.join(`','`)}')`,
    );
    expect(rows).toEqual([{ count: 900, distinct: 900 }]);
  });

  it('keep staging while the lake is unavailable, and write to it when it is back', async () => {
    const siteId = await addSite(database.pool);
    await ingest(1, { ...testLake.settings, extensionsDir: '/nonexistent' });
    await collect(database.pool, [request(siteId, [event()])]);
    await eventually(() => isIngested(database.pool), 'ingested');
    expect((await readIngestLag(database.pool)).seconds).toBe(0);
    const { rows } = await database.pool.query('select sum(row_count)::int as rows from lake_batches');
    expect(rows[0]?.rows).toBeGreaterThan(0);
    await running.shift()?.close();
    await ingest(1);
    await inLake();
    expect(
      await testLake.lake.query(`select count(*)::int as hits from lake.hits where site_id = '${siteId}'`),
    ).toEqual([{ hits: 1 }]);
  });
});
