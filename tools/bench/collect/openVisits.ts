/** Creates visitors with open visits, as the ingest would have left them. */
import type pg from 'pg';
import { shardOf } from '../../../domain/collect/shards.ts';
import { EMPTY_ROW, NEW_VISIT_MEMO, packVisit } from '../../../domain/visits/visitState.ts';
import { visitorOf } from './inboxFill.ts';

const AT_A_TIME = 5_000;

/** Creates the visitors of {@link visitorOf}, 0 to `count` − 1, each with a visit that began ten minutes ago. */
export async function openVisits(pool: pg.Pool, siteIds: readonly string[], count: number): Promise<void> {
  const at = Date.now() - 600_000;
  for (let from = 0; from < count; from += AT_A_TIME) {
    const numbers = Array.from({ length: Math.min(AT_A_TIME, count - from) }, (_, index) => from + index);
    const sites = numbers.map((number) => siteIds[number % siteIds.length] ?? '');
    const ids = numbers.map(visitorOf);
    await pool.query(
      `insert into site_visitors (site_id, visitor_id, visits, first_visit_at, last_visit_at)
       select s, v, 1, to_timestamp($3::float8 / 1000), to_timestamp($3::float8 / 1000) from unnest($1::text[], $2::uuid[]) k (s, v)
       on conflict (site_id, visitor_id) do update set visits = 1, first_visit_at = excluded.first_visit_at, last_visit_at = excluded.last_visit_at`,
      [sites, ids, at],
    );
    await pool.query(
      'delete from site_visits where (site_id, visitor_id) in (select * from unnest($1::text[], $2::uuid[]))',
      [sites, ids],
    );
    await pool.query(
      `insert into site_visits (site_id, visitor_id, visit_id, shard, started_at, last_hit_at, state)
       select s, v, v, n, to_timestamp($4::float8 / 1000), to_timestamp($4::float8 / 1000), state from unnest($1::text[], $2::uuid[], $3::smallint[], $5::json[]) k (s, v, n, state)`,
      [
        sites,
        ids,
        sites.map(shardOf),
        at,
        numbers.map((_, index) => stateOf(sites[index] ?? '', ids[index] ?? '', at)),
      ],
    );
  }
  await pool.query('vacuum analyze site_visits, site_visitors');
}

function stateOf(siteId: string, visitorId: string, at: number): string {
  const page = {
    entry_url: 'https://shop.example.com/',
    entry_domain: 'shop.example.com',
    entry_path: '/',
    exit_url: 'https://shop.example.com/',
    exit_path: '/',
  };
  const row = {
    ...EMPTY_ROW,
    ...page,
    site_id: siteId,
    visitor_id: visitorId,
    visit_id: visitorId,
    started_at: at,
    ended_at: at,
    first_visit_at: at,
    weight: 1,
    hits: 1,
    weighted_hits: 1,
    pageviews: 1,
    weighted_pageviews: 1,
    device_type: 'desktop',
    os: 'Windows',
    browser: 'Chrome',
    continent: 'EU',
    country: 'RU',
  };
  return packVisit({ row, memo: { ...NEW_VISIT_MEMO, entry_at: at, exit_at: at, plain_pages: null }, isChanged: true });
}
