/** The data that the intake leaves for the ingest, and its results. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { insertClient } from '../../../../db/accounts/clients.ts';
import { storeCollected, type CollectedRequest } from '../../../../db/collect/storeCollected.ts';
import { insertSite } from '../../../../db/sites/sites.ts';
import type { CollectedEvent, CollectedLayout } from '../../../../domain/collect/collected.ts';
import { newTenantId } from '../../../../domain/accounts/tenantIds.ts';
import { isOver } from '../../../../db/visits/visitEnd.ts';
import type { Lake } from '../../../../reports/lake/index.ts';

export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0';
/** In a Russian network, and therefore in Russia by the packaged database. */
export const RUSSIAN_IP = '77.88.8.8';
export const HOUR = 3_600_000;

export async function addSite(pool: pg.Pool, id = newTenantId()): Promise<string> {
  await insertSite(pool, {
    id,
    clientId: await insertClient(pool, 'Client'),
    title: 'Site',
    hosts: ['*'],
    timezone: 'Europe/Moscow',
    currency: 'RUB',
  });
  return id;
}

/** Returns a page view of three hours ago with overrides: its visit has ended. */
export function event(given: Partial<CollectedEvent> = {}): CollectedEvent {
  return {
    key: randomUUID(),
    at: Date.now() - 3 * HOUR,
    type: 'pageview',
    url: 'https://shop.example/a',
    referrer: null,
    title: 'A',
    name: null,
    target: null,
    depth: null,
    x: null,
    y: null,
    selector: null,
    params: null,
    order: null,
    user: null,
    ...given,
  };
}

export function request(
  siteId: string,
  events: readonly CollectedEvent[],
  given: Partial<CollectedRequest> = {},
): CollectedRequest {
  return {
    siteId,
    visitorId: randomUUID(),
    receivedAt: new Date(),
    ip: RUSSIAN_IP,
    userAgent: BROWSER,
    events,
    device: { screen: '1920x1080', window: '1200x800', language: 'ru-RU', timezone: 'Europe/Moscow' },
    ...given,
  };
}

/** Stores requests as POST /collect does. */
export async function collect(pool: pg.Pool, requests: readonly CollectedRequest[]): Promise<void> {
  await storeCollected(pool, requests, 24);
}

/** The layout of each click of {@link traffic}. */
export const CLICK_LAYOUT: CollectedLayout = {
  element_x: 0.25,
  element_y: 0.75,
  viewport_width: 1200,
  viewport_height: 800,
  document_width: 1185,
  document_height: 4200,
};

/** Returns visitors with some visits each, whose requests are interleaved. */
export function traffic(siteIds: readonly string[], visitors: number): CollectedRequest[] {
  const requests: CollectedRequest[] = [];
  for (let visitor = 0; visitor < visitors; visitor += 1) {
    const siteId = siteIds[visitor % siteIds.length] ?? '';
    const visitorId = randomUUID();
    for (let visit = 0; visit < 3; visit += 1) {
      const start = Date.now() - (20 - 4 * visit) * HOUR + visitor;
      requests.push(
        request(siteId, [event({ at: start }), event({ at: start + 1000, type: 'click', layout: CLICK_LAYOUT })], {
          visitorId,
        }),
        request(siteId, [event({ at: start + 60_000 })], { visitorId }),
      );
    }
  }
  return requests.sort((a, b) => (a.events[0]?.at ?? 0) - (b.events[0]?.at ?? 0));
}

export async function isIngested(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ left: number }>('select count(*)::int as left from collect_inbox');
  return rows[0]?.left === 0;
}

/** Reports whether all work is finished: ingested, settled, and in the lake. */
export async function isInLake(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ left: number }>(
    `select (select count(*) from collect_inbox) + (select count(*) from lake_batches)
          + (select count(*) from site_visits v where lake_batch is null and ${isOver('v')})
          + (select count(*) from site_conversions where lake_batch is null) + (select count(*) from site_orders where lake_batch is null) as left`,
  );
  return Number(rows[0]?.left) === 0;
}

export interface Difference {
  lost: number;
  doubled: number;
  /** Hits in the lake that were never sent. */
  strange: number;
}

/** Compares the hits in the lake with the sent ones. */
export async function compareHits(lake: Lake, requests: readonly CollectedRequest[]): Promise<Difference> {
  const sent = new Set(requests.flatMap(({ events }) => events.map(({ key }) => key)));
  const rows = await lake.query<{ id: string; count: bigint }>(
    'select hit_id::varchar as id, count(*) as count from lake.hits group by all',
  );
  const found = new Set(rows.map(({ id }) => id));
  return {
    lost: [...sent].filter((key) => !found.has(key)).length,
    doubled: rows.filter(({ count }) => count > 1n).length,
    strange: [...found].filter((key) => !sent.has(key)).length,
  };
}

export interface Totals {
  visits: number;
  hits: number;
  pageviews: number;
  visitors: number;
}

/** Reads totals of the visits in PostgreSQL, and of those in the lake. */
export async function readTotals(pool: pg.Pool, lake: Lake): Promise<{ kept: Totals; lake: Totals }> {
  const kept = await pool.query<Totals>(
    `select count(*)::int as visits, coalesce(sum((state #>> '{row,hits}')::int), 0)::int as hits, coalesce(sum((state #>> '{row,pageviews}')::int), 0)::int as pageviews,
            count(distinct visitor_id)::int as visitors from site_visits`,
  );
  const inLake = await lake.query<Totals>(
    'select count(*)::int as visits, coalesce(sum(hits), 0)::int as hits, coalesce(sum(pageviews), 0)::int as pageviews, count(distinct visitor_id)::int as visitors from lake.visits',
  );
  const none = { visits: 0, hits: 0, pageviews: 0, visitors: 0 };
  return { kept: kept.rows[0] ?? none, lake: inLake[0] ?? none };
}
