/** Turns the visits of a month into rows of the lake. */
import type { LakeConnection } from '../../../../reports/lake/connection.ts';
import { ORIGIN, PAGES } from './pages.ts';

const COUNTRIES = `['RU', 'BY', 'KZ', 'DE', 'UZ', 'US', 'GE', 'AM', 'TR', 'NL', 'PL', 'FR', 'GB', 'IL', 'RS', 'LV', 'EE', 'LT', 'FI', 'CZ', 'ES', 'IT', 'CN', 'KG', 'AZ']`;
const BROWSERS = `['Chrome', 'Yandex Browser', 'Safari', 'Chrome Mobile', 'Firefox', 'Edge', 'Samsung Internet', 'Opera', 'Mobile Safari', 'MIUI Browser', 'Vivaldi', 'Brave']`;
const SYSTEMS = `['Android', 'Windows', 'iOS', 'macOS', 'Linux', 'Chrome OS']`;
const BRANDS = `['Samsung', 'Apple', 'Xiaomi', 'Huawei', 'Honor', 'realme', 'Tecno', 'Vivo']`;
const SCREENS = `['1920x1080', '360x800', '390x844', '1366x768', '1536x864', '412x915', '2560x1440', '1280x720', '393x873', '1440x900']`;

/**
 * Returns the page of the `j`-th page view of a visit, from 0 on. The first is derived from the visit's number alone,
 * so that the visit's row can include it.
 */
const pageOf = (j: string): string => `zipf('page', i * 64 + ${j}, ${PAGES})`;
/** Milliseconds from one page view to the next. */
const GAP = `(15000 + below('gap', i, 90000))`;

/** Creates `month_hits`: each page view, and the events between it and the next. `month_visits` is derived from it. */
export async function createMonthHits(connection: LakeConnection, from: string, to: string): Promise<void> {
  await connection.query(
    `create or replace temp table month_base as select *, uuid_of('visit', i) as visit_id, uuid_of('visitor', visitor) as visitor_id from base where started_at >= TIMESTAMP '${from}' and started_at < TIMESTAMP '${to}' order by started_at`,
  );
  await connection.query(`create or replace temp table month_hits as
    with numbered as (select site_id, i, visitor, visit_id, visitor_id, started_at, pageviews, unnest(range(pageviews + extras)) as h from month_base),
    placed as (
      select *, h >= pageviews as is_extra, case when h < pageviews then h else (h - pageviews) % pageviews end as j, chance('kind', i * 64 + h) as kind from numbered
    ), paged as (
      select *, ${pageOf('j')} as page,
             j * ${GAP} + case when is_extra then 3000 * (1 + (h - pageviews) // pageviews) + below('wait', i * 64 + h, 1000) else 0 end as after_ms from placed
    )
    select p.*, pages.path, pages.title, make_timestamp_ms(epoch_ms(started_at) + after_ms) as happened_at,
           case when not is_extra then 'pageview' when kind < 0.4 then 'scroll' when kind < 0.75 then 'click' when kind < 0.88 then 'event' when kind < 0.95 then 'ping'
                when kind < 0.97 then 'outbound' when kind < 0.98 then 'download' else 'form' end as type
      from paged p join pages using (page)`);
}

export const HITS = `
  select site_id, uuid_of('hit', i * 128 + h) as hit_id, visit_id, visitor_id, below('bucket', visitor, 10000)::SMALLINT as visitor_bucket,
         happened_at as "at", started_at as visit_started_at, type, 1::SMALLINT as weight,
         '${ORIGIN}' || path || case when h = 0 and source_type_of(i) in ('ad', 'email') then '?utm_source=s&utm_campaign=' || campaign_of(i) else '' end as page_url,
         'shop.example.com' as page_domain, path as page_path, title as page_title,
         case when type = 'pageview' and j > 0 then '${ORIGIN}/' when type = 'pageview' and source_type_of(i) = 'referral' then 'https://' || domain_of(i) || '/' end as referrer,
         case type when 'event' then popular('event', i * 64 + h, ['add_to_cart', 'video_play', 'filter', 'search', 'share', 'compare', 'favourite', 'chat']) when 'form' then 'form-' || zipf('form', i, 6) end as name,
         case when type = 'event' then '{"product":"item-' || page || '","price":' || below('price', page, 9000) || ',"currency":"RUB"}' end as params,
         case type when 'outbound' then 'https://out-' || zipf('out', i, 40) || '.example/page' when 'download' then '${ORIGIN}/files/price-' || zipf('file', i, 30) || '.pdf' end as target,
         case type when 'outbound' then 'out-' || zipf('out', i, 40) || '.example' when 'download' then 'shop.example.com' end as target_domain,
         case when type = 'scroll' then [25.0, 50.0, 75.0, 90.0, 100.0][1 + below('depth', i * 64 + h, 5)] end::DOUBLE as depth,
         case when type = 'click' then below('x', i * 64 + h, 1200) end::DOUBLE as x, case when type = 'click' then below('y', i * 64 + h, 4000) end::DOUBLE as y,
         case when type = 'click' then 'main > div.product:nth-child(' || below('nth', i * 64 + h, 40) || ') > a.buy' end as selector
    from month_hits`;

/** Three visitors in a hundred are robots. */
const ROBOT = `chance('robot', visitor) < 0.03`;
const MOBILE = `chance('mobile', visitor) < 0.62`;

export async function createMonthVisits(connection: LakeConnection): Promise<void> {
  await connection.query(`create or replace temp table month_visits as
    with ends as (select i, max(happened_at) as ended_at, count(*) filter (type <> 'ping') as hits from month_hits group by i),
    goals as (select i, count(*)::INTEGER as goals from month_goals group by i)
    select b.site_id, visit_id, visitor_id, below('bucket', visitor, 10000)::SMALLINT as visitor_bucket, user_of(visitor, i) as user_id,
           b.started_at, e.ended_at, epoch_ms(e.ended_at - b.started_at) / 1000.0 as duration_s, 1::SMALLINT as weight,
           b.pageviews, b.pageviews as weighted_pageviews, e.hits::INTEGER as hits, e.hits::INTEGER as weighted_hits, coalesce(g.goals, 0) as goals,
           b.pageviews = 1 and epoch_ms(e.ended_at - b.started_at) < 15000 and g.goals is null as is_bounce, ${ROBOT} as is_robot, case when ${ROBOT} then 'UserAgent' end as robot_reason,
           b.number as visit_number, b.first_at as first_visit_at, b.previous_at as previous_visit_at,
           '${ORIGIN}' || entry.path || case when source_type_of(i) in ('ad', 'email') then '?utm_source=s&utm_campaign=' || campaign_of(i) else '' end as entry_url,
           'shop.example.com' as entry_domain, entry.path as entry_path,
           '${ORIGIN}' || leave.path || case when b.pageviews = 1 and source_type_of(i) in ('ad', 'email') then '?utm_source=s&utm_campaign=' || campaign_of(i) else '' end as exit_url, leave.path as exit_path,
           case when chance('param', i) < 0.3 then '{"plan":"' || ['free', 'basic', 'pro'][1 + below('plan', visitor, 3)] || '"}' end as params,
           case when ${MOBILE} then 'mobile' when chance('tablet', visitor) < 0.06 then 'tablet' else 'desktop' end as device_type,
           case when ${MOBILE} then popular('brand', visitor, ${BRANDS}) end as device_brand, case when ${MOBILE} then popular('brand', visitor, ${BRANDS}) || ' ' || zipf('model', visitor, 60) end as device_model,
           popular('os', visitor, ${SYSTEMS}) as os, zipf('osv', visitor, 14)::VARCHAR as os_version, popular('browser', visitor, ${BROWSERS}) as browser, (120 + zipf('bv', visitor, 25)) || '.0' as browser_version,
           'Blink' as browser_engine, case when zipf('country', visitor, 25) = 5 then 'NA' else 'EU' end as continent, popular('country', visitor, ${COUNTRIES}) as country,
           'Region ' || zipf('region', visitor, 90) as region, 'City ' || (zipf('region', visitor, 90) * 5 + zipf('city', visitor, 5)) as city,
           case when chance('lang', visitor) < 0.85 then 'ru-RU' else 'en-US' end as browser_language, popular('screen', visitor, ${SCREENS}) as screen_resolution, popular('window', i, ${SCREENS}) as window_size,
           'Europe/Moscow' as visitor_timezone,
           source_of(i) as source_last, source_of(significant_i) as source_last_significant, source_of(first_i) as source_first
      from month_base b join ends e using (i) left join goals g using (i)
      join pages entry on entry.page = ${pageOf('0')} join pages leave on leave.page = ${pageOf('(b.pageviews - 1)')}`);
}
