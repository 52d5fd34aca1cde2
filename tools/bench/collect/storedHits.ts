/** Writes hits and visits of past months straight into the lake, as an installation has them after a year. */
import type { Lake } from '../../../reports/lake/index.ts';

const CHUNK = 5_000_000;
const HITS_PER_VISIT = 5;
const MONTHS = 12;
const SOURCE = `{source_type: 'organic', source_name: 'Yandex', search_engine: 'Yandex', search_phrase: null, social_network: null, messenger: null, ai_assistant: null, ad_system: null,
  referrer_domain: 'yandex.ru', referrer_url: 'https://yandex.ru/', utm_source: null, utm_medium: null, utm_campaign: null, utm_content: null, utm_term: null, click_id: null}`;

/** Stores hits for `siteIds` in turn, over twelve months that end yesterday; every fifth is the first of a visit. */
export async function storeHits(lake: Lake, siteIds: readonly string[], hits: number): Promise<void> {
  const sites = `[${siteIds.map((id) => `'${id}'`).join(', ')}]`;
  for (let from = 0; from < hits; from += CHUNK) {
    const to = Math.min(hits, from + CHUNK);
    await lake.query(`insert into lake.hits by name ${hitsOf(sites, from, to, hits)}`);
    await lake.query(`insert into lake.visits by name ${visitsOf(sites, from, to, hits)}`);
  }
}

const visitOf = (number: string): string => `md5('visit ' || (${number} // ${HITS_PER_VISIT}))::uuid`;
const siteOf = (sites: string, number: string): string =>
  `${sites}[1 + (${number} // ${HITS_PER_VISIT}) % len(${sites})]`;
/** Hits of one visit are minutes apart. */
const startOf = (number: string, hits: number): string =>
  `(current_timestamp at time zone 'UTC' - interval 1 day - interval ${MONTHS} month + to_seconds(((${number} // ${HITS_PER_VISIT}) * ${HITS_PER_VISIT} / ${hits}::double * ${MONTHS * 30 * 86_400})::bigint))::timestamp`;

function hitsOf(sites: string, from: number, to: number, hits: number): string {
  const start = startOf('i', hits);
  return `
    select ${siteOf(sites, 'i')} as site_id, uuid() as hit_id, ${visitOf('i')} as visit_id, md5('visitor ' || (i // ${HITS_PER_VISIT * 3}))::uuid as visitor_id,
           ((i * 31) % 10000)::smallint as visitor_bucket, ${start} + to_seconds((i % ${HITS_PER_VISIT}) * 20) as at, ${start} as visit_started_at,
           case when i % 3 = 0 then 'click' else 'pageview' end as type, 1::smallint as weight,
           'https://shop.example.com/catalogue/item-' || ((i * 7) % 2000) as page_url, 'shop.example.com' as page_domain, '/catalogue/item-' || ((i * 7) % 2000) as page_path,
           'Item ' || ((i * 7) % 2000) as page_title, null as referrer
      from range(${from}, ${to}) r (i)`;
}

function visitsOf(sites: string, from: number, to: number, hits: number): string {
  const start = startOf('i', hits);
  return `
    select ${siteOf(sites, 'i')} as site_id, ${visitOf('i')} as visit_id, md5('visitor ' || (i // ${HITS_PER_VISIT * 3}))::uuid as visitor_id, ((i * 31) % 10000)::smallint as visitor_bucket,
           ${start} as started_at, ${start} + interval 80 second as ended_at, 80.0 as duration_s, 1::smallint as weight, 3 as pageviews, 3 as weighted_pageviews, ${HITS_PER_VISIT} as hits, ${HITS_PER_VISIT} as weighted_hits, 0 as goals,
           false as is_bounce, false as is_robot, 1 as visit_number, ${start} as first_visit_at, 'https://shop.example.com/' as entry_url, 'shop.example.com' as entry_domain, '/' as entry_path,
           'desktop' as device_type, 'Windows' as os, 'Chrome' as browser, 'EU' as continent, 'RU' as country, 'ru-RU' as browser_language,
           ${SOURCE} as source_last, ${SOURCE} as source_last_significant, ${SOURCE} as source_first
      from range(${from}, ${to}, ${HITS_PER_VISIT}) r (i)`;
}
