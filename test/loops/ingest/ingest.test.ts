import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { inTransaction } from '../../../db/pool.ts';
import { deleteOldVisitors } from '../../../db/sitePeople/deleteOldPeople.ts';
import { putGoal } from '../../../db/sites/goals.ts';
import { LAYOUT_FIELDS } from '../../../domain/collect/collected.ts';
import { eventually } from '../../support/eventually.ts';
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
  readTotals,
  request,
  traffic,
} from './support/inbox.ts';
import { stageIngest, valueOf } from './support/ingestStage.ts';

const stage = stageIngest();

describe('the ingest', () => {
  // proves: people/visitor, decisions-storage/hits, decisions-storage/once
  it('writes every accepted event to the lake once, and their visits too', async () => {
    const sites = [await addSite(stage.pool), await addSite(stage.pool), await addSite(stage.pool)];
    const requests = traffic(sites, 60);
    await collect(stage.pool, requests.slice(0, 200));
    const registry = await stage.ingest();
    await collect(stage.pool, requests.slice(200));
    await stage.inLake();
    expect(await compareHits(stage.testLake.lake, requests)).toEqual({ lost: 0, doubled: 0, strange: 0 });
    const { kept, lake } = await readTotals(stage.pool, stage.testLake.lake);
    expect(kept).toEqual({ visits: 180, hits: 540, pageviews: 360, visitors: 60 });
    expect(lake).toEqual(kept);
    expect(
      await stage.testLake.lake.query(
        `select h.type, count(*)::int as hits, ${LAYOUT_FIELDS.join(', ')} from lake.hit_layouts join lake.hits h using (site_id, hit_id) group by all`,
      ),
    ).toEqual([{ type: 'click', hits: 180, ...CLICK_LAYOUT }]);
    const { rows } = await stage.pool.query(
      `select distinct visits, last_visit_at > first_visit_at as later from site_visitors where site_id = any($1)`,
      [sites],
    );
    expect(rows).toEqual([{ visits: 3, later: true }]);
    expect(await valueOf(registry, 'attune_ingest_events_total', { outcome: 'kept' })).toBe(540);
    expect(await valueOf(registry, 'attune_lake_staged_rows')).toBe(0);
    expect(await valueOf(registry, 'attune_ingest_lag_seconds')).toBe(0);
  });

  // proves: decisions-visits/robots-kept
  it('enriches events with place, device, source and robots', async () => {
    const siteId = await addSite(stage.pool);
    await collect(stage.pool, [
      request(siteId, [
        event({ referrer: 'https://www.google.com/', url: 'https://shop.example/b?utm_source=news&utm_medium=email' }),
      ]),
      request(siteId, [event()], {
        userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      }),
    ]);
    await stage.ingest();
    await stage.inLake();
    const rows = await stage.testLake.lake.query(
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
    expect(
      await stage.testLake.lake.query(
        `select is_robot, count(*)::int as hits from lake.hits join lake.visits v using (site_id, visit_id) where v.site_id = '${siteId}' group by all order by all`,
      ),
    ).toEqual([
      { is_robot: false, hits: 1 },
      { is_robot: true, hits: 1 },
    ]);
  });

  // proves: decisions-storage/hits, decisions-storage/closed
  it('keeps a visit out of the lake until its 30 minutes are over, but not its hits', async () => {
    const siteId = await addSite(stage.pool);
    const minutesAgo = (minutes: number): number => Date.now() - minutes * 60_000;
    await collect(
      stage.pool,
      [0, 25, 31].map((minutes) => request(siteId, [event({ at: minutesAgo(minutes), title: `${minutes}` })])),
    );
    await stage.ingest();
    await stage.inLake();
    expect(
      await stage.testLake.lake.query(`select count(*)::int as hits from lake.hits where site_id = '${siteId}'`),
    ).toEqual([{ hits: 3 }]);
    expect(
      await stage.testLake.lake.query(
        `select page_title as title from lake.visits join lake.hits using (site_id, visit_id) where site_id = '${siteId}'`,
      ),
    ).toEqual([{ title: '31' }]);
  });

  // proves: decisions-storage/late
  it('replaces a visit in the lake when a late hit changes it, and later visits if they change with it', async () => {
    const siteId = await addSite(stage.pool);
    const visitorId = randomUUID();
    const start = Date.now() - 10 * HOUR;
    await collect(stage.pool, [request(siteId, [event({ at: start + 5 * HOUR })], { visitorId })]);
    await stage.ingest();
    await stage.inLake();
    await collect(stage.pool, [
      request(siteId, [event({ at: start, referrer: 'https://ya.ru/' })], { visitorId }),
      request(siteId, [event({ at: start + 5 * HOUR + 60_000 })], { visitorId }),
    ]);
    await stage.inLake();
    const rows = await stage.testLake.lake.query(
      `select visit_number, hits, source_last_significant.source_type as significant from lake.visits where site_id = '${siteId}' order by started_at`,
    );
    expect(rows).toEqual([
      { visit_number: 1, hits: 1, significant: 'organic' },
      { visit_number: 2, hits: 2, significant: 'organic' },
    ]);
  });

  // proves: analytics-decisions/ignored_referrers, decisions-visits/payment-hosts
  it('keeps the source of a visitor who left to pay or to sign in', async () => {
    const siteId = await addSite(stage.pool);
    await stage.pool.query(`update sites set ignored_referrers = '{acs.example}' where id = $1`, [siteId]);
    const start = Date.now() - 5 * HOUR;
    const minutes = (count: number, url: string, referrer: string | null) =>
      event({ at: start + count * 60_000, url: `https://shop.example${url}`, referrer });
    await collect(stage.pool, [
      request(siteId, [
        minutes(0, '/?yclid=1', 'https://yandex.ru/'),
        minutes(2, '/cart', 'https://accounts.google.com/'),
        minutes(5, '/thanks?a=1', 'https://securepayments.sberbank.ru/'),
        minutes(7, '/thanks', 'https://www.acs.example/3ds'),
        minutes(60, '/thanks', 'https://www.paypal.com/'),
      ]),
    ]);
    await stage.ingest();
    await stage.inLake();
    const rows = await stage.testLake.lake.query(
      `select hits, source_last.source_type as last, source_last_significant.source_type as significant from lake.visits where site_id = '${siteId}' order by started_at`,
    );
    expect(rows).toEqual([
      { hits: 4, last: 'ad', significant: 'ad' },
      { hits: 1, last: 'direct', significant: 'ad' },
    ]);
  });

  // proves: quotas/hits
  it('applies the daily quota across transactions, and counts the events that it drops', async () => {
    const siteId = await addSite(stage.pool);
    await stage.pool.query(`update sites set quotas = '{"hits_per_day": 10}' where id = $1`, [siteId]);
    const requests = Array.from({ length: 60 }, () => request(siteId, [event()]));
    await collect(stage.pool, requests.slice(0, 5));
    const registry = await stage.ingest(1);
    await eventually(() => isIngested(stage.pool), 'ingested');
    await collect(stage.pool, requests.slice(5));
    await stage.inLake();
    const [kept] = await stage.testLake.lake.query<{ full: number; sampled: number }>(
      `select (count(*) filter (weight = 1))::int as full, (count(*) filter (weight = 10))::int as sampled from lake.hits where site_id = '${siteId}'`,
    );
    expect(kept?.full).toBe(10);
    expect(await valueOf(registry, 'attune_ingest_events_total', { outcome: 'quota' })).toBe(50 - (kept?.sampled ?? 0));
    const { rows } = await stage.pool.query('select hits::int as hits from site_days where site_id = $1', [siteId]);
    expect(rows.reduce((sum, { hits }) => sum + hits, 0)).toBe(60);
  });

  it('drops events of a visitor who is deleted before they are ingested', async () => {
    const siteId = await addSite(stage.pool);
    const gone = request(siteId, [event(), event()]);
    await collect(stage.pool, [gone, request(siteId, [event()])]);
    for (const statement of [
      'insert into visitor_deletions (site_id, visitor_id) values ($1, $2)',
      'delete from site_visitors where site_id = $1 and visitor_id = $2',
    ])
      await stage.pool.query(statement, [siteId, gone.visitorId]);
    const registry = await stage.ingest();
    await stage.inLake();
    expect(
      await stage.testLake.lake.query(`select count(*)::int as hits from lake.hits where site_id = '${siteId}'`),
    ).toEqual([{ hits: 1 }]);
    expect(await valueOf(registry, 'attune_ingest_events_total', { outcome: 'forgotten' })).toBe(2);
  });

  it('keeps events that arrive while retention removes the row of their visitor', async () => {
    const siteId = await addSite(stage.pool);
    const back = request(siteId, [event(), event()]);
    const visitor = [siteId, back.visitorId];
    await stage.pool.query(
      `insert into site_visitors (site_id, visitor_id, created_at) values ($1, $2, now() - interval '14 months')`,
      visitor,
    );
    let removed: Promise<number> | undefined;
    await inTransaction(stage.pool, async (client) => {
      await client.query(`insert into site_people (site_id, kind, person_id) values ($1, 'visitor', $2)`, visitor);
      removed = deleteOldVisitors(stage.pool, 1);
      await untilWaiting(stage.pool, 1);
      await collect(stage.pool, [back]);
    });
    expect(await removed).toBe(1);
    await stage.ingest();
    await stage.inLake();
    expect(
      await stage.testLake.lake.query(`select count(*)::int as hits from lake.hits where site_id = '${siteId}'`),
    ).toEqual([{ hits: 2 }]);
  });

  it('sets aside only the requests that cannot be ingested, and continues with the others', async () => {
    const siteId = await addSite(stage.pool);
    const good = Array.from({ length: 120 }, () => request(siteId, [event()]));
    await collect(stage.pool, good);
    // Only a bug in the intake could write batches like these two.
    await stage.pool.query(
      `update collect_inbox set batch = '{"device": null, "events": [{"at": "no number"}]}' where id = (select id from collect_inbox order by id offset 60 limit 1)`,
    );
    await stage.pool.query(
      `update collect_inbox set batch = '{"device": null}' where id = (select id from collect_inbox order by id offset 90 limit 1)`,
    );
    const registry = await stage.ingest();
    await stage.inLake();
    expect(
      await stage.testLake.lake.query(`select count(*)::int as hits from lake.hits where site_id = '${siteId}'`),
    ).toEqual([{ hits: 118 }]);
    expect(await valueOf(registry, 'attune_ingest_set_aside_total')).toBe(2);
    const { rows } = await stage.pool.query(
      'select site_id as site, user_agent as agent, error from collect_failed where site_id = $1',
      [siteId],
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual({ site: siteId, agent: BROWSER, error: expect.stringMatching(/^[A-Za-z]+( \w+)?$/) });
  });

  it('sets aside requests of a site that does not exist', async () => {
    await collect(stage.pool, [request('nosuchsite00', [event()])]);
    await stage.ingest();
    await stage.inLake();
    const { rows } = await stage.pool.query(`select error from collect_failed where site_id = 'nosuchsite00'`);
    expect(rows).toEqual([{ error: 'UnknownSite' }]);
  });

  it('uses a new goal without a restart', async () => {
    const siteId = await addSite(stage.pool);
    await stage.ingest();
    await collect(stage.pool, [request(siteId, [event({ type: 'goal', name: 'late' })])]);
    await stage.inLake();
    await putGoal(stage.pool, siteId, {
      code: 'late',
      title: 'Late',
      type: 'js',
      match: null,
      value: null,
      enabled: true,
    });
    const conversions = async (): Promise<number> => {
      await collect(stage.pool, [request(siteId, [event({ type: 'goal', name: 'late' })])]);
      await stage.inLake();
      const [row] = await stage.testLake.lake.query<{ count: number }>(
        `select count(*)::int as count from lake.conversions where site_id = '${siteId}'`,
      );
      return row?.count ?? 0;
    };
    expect(await eventually(conversions, 'a conversion')).toBeGreaterThan(0);
  });
});
