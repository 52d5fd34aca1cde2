/** Questions about pages. */
import { ask, hitsOf, isTrue, visitsOf, type Case } from './cases.ts';
import type { Dialect } from './dialect.ts';

const PAGEVIEWS = `sum(weight * ${isTrue(`type = 'pageview'`)})`;
const PATTERN = '^/catalog/(green|puer)/.*-[0-9]*7$';

export const PAGE_CASES: readonly Case[] = [
  {
    name: 'paths',
    request: ask({ dimensions: ['page_path'], metrics: ['pageviews'] }),
    rival: (d, site) => ({
      from: 'hits',
      where: `${hitsOf(d, site)} and type <> 'ping'`,
      dimensions: [{ key: 'page_path' }],
      sums: { pageviews: PAGEVIEWS },
      metrics: ['pageviews'],
      limit: 100,
    }),
  },
  {
    name: 'paths with visits and visitors',
    request: ask({ dimensions: ['page_path'], metrics: ['pageviews', 'visits', 'visitors'] }),
    rival: (d, site) => ({
      from: 'hits',
      where: `${hitsOf(d, site)} and type <> 'ping'`,
      dimensions: [{ key: 'page_path' }],
      sums: { pageviews: PAGEVIEWS },
      distinct: { visits: { of: 'visit_id' }, visitors: { of: 'visitor_id' } },
      metrics: ['pageviews', 'visits', 'visitors'],
      limit: 100,
    }),
  },
  {
    name: 'paths and browsers',
    request: ask({ dimensions: ['page_path', 'browser'], metrics: ['pageviews'] }),
    rival: (d, site) => ({
      from: `hits join (select visit_id, browser from visits where ${visitsOf(d, site)}) v on v.visit_id = hits.visit_id`,
      where: `hits.site_id = '${site}' and type <> 'ping'`,
      dimensions: [{ key: 'page_path' }, { key: 'browser' }],
      sums: { pageviews: PAGEVIEWS },
      metrics: ['pageviews'],
      limit: 100,
    }),
  },
  {
    name: 'paths by a pattern',
    request: ask({
      dimensions: ['page_path'],
      metrics: ['pageviews', 'unique_pageviews'],
      filters: [{ dimension: 'page_path', op: 'regex', values: [PATTERN] }],
    }),
    rival: (d, site) => ({
      from: 'hits',
      where: `${hitsOf(d, site)} and type <> 'ping' and ${d.matches('page_path', PATTERN)}`,
      dimensions: [{ key: 'page_path' }],
      sums: { pageviews: PAGEVIEWS },
      // Visits are counted by path, so that the total is the sum of the rows.
      distinct: {
        uniques: {
          of: d.name === 'clickhouse' ? '(visit_id, page_path)' : '(visit_id, page_path)',
          where: `type = 'pageview'`,
        },
      },
      metrics: ['pageviews', 'uniques'],
      limit: 100,
    }),
  },
  {
    name: 'entrances and exits',
    request: ask({ dimensions: ['page_path'], metrics: ['entrances', 'exits', 'exit_rate'] }),
    rival: (d, site) => ({
      from: `(select page_path, 0 as entered, 0 as exited, ${PAGEVIEWS} as viewed from hits where ${hitsOf(d, site)} and type <> 'ping' group by page_path
        union all select entry_path, sum(weight), 0, 0 from visits where ${visitsOf(d, site)} and entry_path is not null group by entry_path
        union all select exit_path, 0, sum(weight), 0 from visits where ${visitsOf(d, site)} and exit_path is not null group by exit_path) u`,
      where: '1 = 1',
      dimensions: [{ key: 'page_path' }],
      sums: { entrances: 'sum(entered)', exits: 'sum(exited)', pageviews: 'sum(viewed)' },
      metrics: ['entrances', 'exits', `exits / ${d.number('nullif(pageviews, 0)')}`],
      limit: 100,
    }),
  },
  {
    name: 'time and scrolling on pages',
    request: ask({ dimensions: ['page_path'], metrics: ['pageviews', 'avg_time_on_page', 'avg_scroll_depth'] }),
    rival: (d, site) => ({
      from: `(${timeOnPages(d, site)} union all ${scrolling(d, site)}) u`,
      where: '1 = 1',
      dimensions: [{ key: 'page_path' }],
      sums: { pageviews: 'sum(viewed)', seconds: 'sum(spent)', depth: 'sum(scrolled)' },
      metrics: ['pageviews', 'seconds / nullif(pageviews, 0)', 'depth / nullif(pageviews, 0)'],
      limit: 100,
    }),
  },
];

function timeOnPages(d: Dialect, site: string): string {
  const next = d.name === 'clickhouse' ? 'lead(toNullable(at))' : 'lead(at)';
  return `select page_path, sum(weight) as viewed, sum(weight * ${d.seconds('at', 'coalesce(next_at, ended_at)')}) as spent, ${d.number('0')} as scrolled
    from (select page_path, weight, at, visit_id, ${next} over (partition by visit_id order by at, hit_id) as next_at from hits where ${hitsOf(d, site)} and type = 'pageview') n
    join (select visit_id, ended_at from visits where ${visitsOf(d, site)}) v on v.visit_id = n.visit_id group by page_path`;
}

/**
 * Numbers page views by address: a page view, and the scrolls on its address up to the next page view of it, share one
 * number.
 */
function scrolling(d: Dialect, site: string): string {
  return `select page_path, 0 as viewed, ${d.number('0')} as spent, sum(weight * deepest) as scrolled
    from (select visit_id, page_url, page_path, number, max(coalesce(depth, 0)) as deepest, max(weight) as weight
      from (select visit_id, page_url, page_path, depth, weight, sum(${isTrue(`type = 'pageview'`)}) over (partition by visit_id, page_url order by at, hit_id rows unbounded preceding) as number
        from hits where ${hitsOf(d, site)} and type in ('pageview', 'scroll')) s
      where number > 0 group by visit_id, page_url, page_path, number) g
    group by page_path`;
}
