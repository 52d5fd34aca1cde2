import { describe, expect, it } from '@jest/globals';
import type { TrafficSource } from '../../../domain/sites/trafficSource.ts';
import { beginsVisit } from '../../../domain/visits/significantSource.ts';

const ad: TrafficSource = {
  source_type: 'ad',
  source_name: 'yandex',
  search_engine: null,
  search_phrase: null,
  social_network: null,
  messenger: null,
  ai_assistant: null,
  ad_system: 'yandex',
  referrer_domain: 'yandex.ru',
  referrer_url: 'https://yandex.ru/',
  utm_source: 'yandex',
  utm_medium: 'cpc',
  utm_campaign: 'spring',
  utm_content: null,
  utm_term: null,
  click_id: 'yclid:1',
};

describe('beginsVisit', () => {
  // proves: decisions-analytics/new-source
  it('is true for a significant source that differs in type, name, referrer domain, UTM set or click id', () => {
    const other: Partial<TrafficSource>[] = [
      { source_type: 'social' },
      { source_name: 'vk' },
      { referrer_domain: 'ya.ru' },
      { utm_source: 'a' },
      { utm_medium: 'a' },
      { utm_campaign: null },
      { utm_content: 'a' },
      { utm_term: 'a' },
      { click_id: 'yclid:2' },
    ];
    expect(other.filter((change) => !beginsVisit(ad, { ...ad, ...change }))).toEqual([]);
  });

  it('is false for the same marks on a page of the site itself, whatever they look like without the referrer', () => {
    const onTheSite = { ...ad, referrer_domain: null, referrer_url: 'https://shop.example/' };
    expect(beginsVisit(ad, onTheSite)).toBe(false);
    expect(beginsVisit({ ...ad, source_type: 'social', source_name: 'VK' }, onTheSite)).toBe(false);
  });

  it('is true for other marks, more marks or fewer marks without a referrer', () => {
    const marks = [{ utm_campaign: 'summer' }, { utm_term: 'boots' }, { click_id: null }, { utm_campaign: null }];
    expect(marks.filter((change) => !beginsVisit(ad, { ...ad, referrer_domain: null, ...change }))).toEqual([]);
  });

  it('is false for an insignificant source, and for the phrase and the address of the same source', () => {
    expect(beginsVisit(ad, { ...ad, source_type: 'direct' })).toBe(false);
    expect(beginsVisit(ad, { ...ad, search_phrase: 'boots', referrer_url: 'https://yandex.ru/search' })).toBe(false);
  });
});
