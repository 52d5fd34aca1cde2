/** The source of a visit, by the attribution of the request. */
import type { TrafficSource } from '../../../domain/sites/trafficSource.ts';
import { source } from '../entry/terms.ts';
import type { Dimension, LocalizedText } from '../entry/types.ts';
import { dimension } from './defineDimension.ts';

const LABELS: Readonly<Record<keyof TrafficSource, LocalizedText>> = {
  source_type: { en: 'Source type', ru: 'Тип источника' },
  source_name: { en: 'Source', ru: 'Источник' },
  search_engine: { en: 'Search engine', ru: 'Поисковая система' },
  search_phrase: { en: 'Search phrase', ru: 'Поисковая фраза' },
  social_network: { en: 'Social network', ru: 'Социальная сеть' },
  messenger: { en: 'Messenger', ru: 'Мессенджер' },
  ai_assistant: { en: 'AI assistant', ru: 'ИИ-ассистент' },
  ad_system: { en: 'Advertising system', ru: 'Рекламная система' },
  referrer_domain: { en: 'Referring domain', ru: 'Домен перехода' },
  referrer_url: { en: 'Referring page', ru: 'Страница перехода' },
  utm_source: { en: 'UTM source', ru: 'UTM Source' },
  utm_medium: { en: 'UTM medium', ru: 'UTM Medium' },
  utm_campaign: { en: 'UTM campaign', ru: 'UTM Campaign' },
  utm_content: { en: 'UTM content', ru: 'UTM Content' },
  utm_term: { en: 'UTM term', ru: 'UTM Term' },
  click_id: { en: 'Click identifier', ru: 'Идентификатор клика' },
};

const ADDRESSES: Readonly<Record<string, Dimension['address']>> = { referrer_domain: 'part', referrer_url: 'whole' };

export const SOURCE: readonly Dimension[] = (Object.keys(LABELS) as (keyof TrafficSource)[]).map((id) =>
  dimension({
    id,
    group: 'source',
    level: 'visit',
    label: LABELS[id],
    address: ADDRESSES[id] ?? null,
    key: source(id),
  }),
);
