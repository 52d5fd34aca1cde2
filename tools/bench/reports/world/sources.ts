/**
 * Sources of visits, as DuckDB expressions: 400 referring domains, 12 search engines, 300 campaigns of four ad systems.
 */
import type { LakeConnection } from '../../../../reports/lake/connection.ts';

/** Cumulative shares of all visits. */
const TYPES: readonly (readonly [upTo: number, type: string])[] = [
  [0.24, 'direct'],
  [0.26, 'internal'],
  [0.56, 'organic'],
  [0.72, 'ad'],
  [0.82, 'referral'],
  [0.89, 'social'],
  [0.93, 'messenger'],
  [0.97, 'email'],
  [0.985, 'ai_assistant'],
  [0.995, 'recommendation'],
  [0.998, 'saved'],
  [1, 'unknown'],
];

const ENGINES = `['Yandex', 'Google', 'Bing', 'Mail.ru', 'DuckDuckGo', 'Rambler', 'Yahoo', 'Baidu', 'Ecosia', 'Seznam', 'Qwant', 'Startpage']`;
const NETWORKS = `['VK', 'Odnoklassniki', 'YouTube', 'Dzen', 'Pinterest', 'Facebook', 'Instagram', 'X']`;
const MESSENGERS = `['Telegram', 'WhatsApp', 'Viber', 'Skype']`;
const ASSISTANTS = `['ChatGPT', 'Perplexity', 'Alice', 'Claude']`;
const AD_SYSTEMS = `['Yandex Direct', 'Google Ads', 'VK Ads', 'myTarget']`;

const typeCase = TYPES.map(([upTo, type]) => `when chance('type', n) < ${upTo} then '${type}'`).join(' ');

const MACROS = [
  `source_type_of(n) as case ${typeCase} else 'unknown' end`,
  `is_significant(n) as source_type_of(n) not in ('direct', 'internal', 'saved', 'unknown')`,
  `domain_of(n) as 'site-' || zipf('domain', n, 400) || '.example'`,
  `campaign_of(n) as 'campaign-' || zipf('campaign', n, 300)`,
  `source_of(n) as (select {
     source_type: t,
     source_name: case t when 'organic' then popular('engine', n, ${ENGINES}) when 'ad' then popular('ads', n, ${AD_SYSTEMS}) when 'referral' then domain_of(n)
       when 'social' then popular('network', n, ${NETWORKS}) when 'messenger' then popular('messenger', n, ${MESSENGERS}) when 'ai_assistant' then popular('assistant', n, ${ASSISTANTS})
       when 'email' then 'newsletter' when 'recommendation' then 'similar_items' end,
     search_engine: case when t = 'organic' then popular('engine', n, ${ENGINES}) end,
     search_phrase: case when t = 'organic' and chance('told', n) < 0.2 then 'phrase ' || zipf('phrase', n, 5000) end,
     social_network: case when t = 'social' then popular('network', n, ${NETWORKS}) end,
     messenger: case when t = 'messenger' then popular('messenger', n, ${MESSENGERS}) end,
     ai_assistant: case when t = 'ai_assistant' then popular('assistant', n, ${ASSISTANTS}) end,
     ad_system: case when t = 'ad' then popular('ads', n, ${AD_SYSTEMS}) end,
     referrer_domain: case when t in ('referral', 'organic', 'social', 'ai_assistant') then domain_of(n) end,
     referrer_url: case when t = 'referral' then 'https://' || domain_of(n) || '/topic/' || zipf('topic', n, 50) when t in ('organic', 'social', 'ai_assistant') then 'https://' || domain_of(n) || '/' end,
     utm_source: case when t = 'ad' then popular('ads', n, ['yandex', 'google', 'vk', 'mytarget']) when t = 'email' then 'newsletter' when t = 'recommendation' then 'similar_items' end,
     utm_medium: case when t = 'ad' then 'cpc' when t in ('email', 'recommendation') then t end,
     utm_campaign: case when t in ('ad', 'email') then campaign_of(n) end,
     utm_content: case when t in ('ad', 'email') then 'b' || below('content', n, 4) end,
     utm_term: case when t = 'ad' then 'term ' || zipf('term', n, 800) end,
     click_id: case when t = 'ad' then 'yclid:' || random_of('click', n) end
   } from (select source_type_of(n) as t))`,
];

export async function createSources(connection: LakeConnection): Promise<void> {
  for (const macro of MACROS) await connection.query(`create or replace temp macro ${macro}`);
}
