/** Every dimension, worked out by hand. */
import { describe, expect, it } from '@jest/globals';
import { DIMENSIONS, findDimension } from '../../../reports/registry/index.ts';
import { PROLOGUE, stageIdentifiers } from './identifiersWorld.ts';

const world = stageIdentifiers();

/** Rows of a dimension: label and metric. All visits except Anna's first count as 11, because Boris's counts as 10. */
const LABELS: Readonly<Record<string, [metric: string, rows: Record<string, number>, nulls?: number]>> = {
  // proves: decisions-analytics/time-labels
  date: ['visits', { '2026-03-02': 1, '2026-03-05': 11 }],
  // proves: decisions-analytics/time-labels
  week: ['visits', { '2026-W10': 12 }],
  // proves: decisions-analytics/time-labels
  month: ['visits', { '2026-03': 12 }],
  // proves: decisions-analytics/time-labels
  quarter: ['visits', { '2026-Q1': 12 }],
  // proves: decisions-analytics/time-labels
  year: ['visits', { 2026: 12 }],
  // proves: decisions-analytics/time-labels
  hour: ['visits', { '09': 1, 10: 1, 23: 10 }],
  // proves: decisions-analytics/time-labels
  day_of_week: ['visits', { 1: 1, 4: 11 }],
  // proves: decisions-analytics/time-labels
  date_hour: ['visits', { '2026-03-02T10:00:00': 1, '2026-03-05T09:00:00': 1, '2026-03-05T23:00:00': 10 }],
  source_type: ['visits', { organic: 1, direct: 1, referral: 10 }],
  source_name: ['visits', { Google: 1 }, 11],
  search_engine: ['visits', { Google: 1 }, 11],
  search_phrase: ['visits', { 'red shoes': 1 }, 11],
  social_network: ['visits', { VK: 1 }, 11],
  messenger: ['visits', { Telegram: 1 }, 11],
  ai_assistant: ['visits', { Claude: 1 }, 11],
  ad_system: ['visits', { Ads: 1 }, 11],
  referrer_domain: ['visits', { 'google.com': 1 }, 11],
  referrer_url: ['visits', { 'https://google.com/': 1 }, 11],
  utm_source: ['visits', { s: 1 }, 11],
  utm_medium: ['visits', { m: 1 }, 11],
  utm_campaign: ['visits', { c: 1 }, 11],
  utm_content: ['visits', { o: 1 }, 11],
  utm_term: ['visits', { t: 1 }, 11],
  click_id: ['visits', { 'gclid:1': 1 }, 11],
  entry_page: ['visits', { 'https://shop.example/?q=1': 1, 'https://shop.example/a': 11 }],
  entry_path: ['visits', { '/': 11, '/cart': 1 }],
  entry_domain: ['visits', { 'shop.example': 12 }],
  entry_path_level1: ['visits', { '/': 11, '/cart': 1 }],
  entry_path_level2: ['visits', { '/': 11, '/cart': 1 }],
  entry_path_level3: ['visits', { '/': 11, '/cart': 1 }],
  exit_page: ['visits', { 'https://shop.example/catalog/shoes/1': 1, 'https://shop.example/b': 11 }],
  exit_path: ['visits', { '/catalog/shoes/1': 1, '/cart': 1, '/': 10 }],
  visitor_type: ['visits', { new: 11, returning: 1 }],
  visit_number: ['visits', { 1: 11, 2: 1 }],
  pageviews_bucket: ['visits', { 1: 11, '3-5': 1 }],
  duration_bucket: ['visits', { '0-9': 10, '10-29': 1, '180-599': 1 }],
  bounce: ['visits', { yes: 10, no: 2 }],
  days_since_first_visit: ['visits', { 0: 11, 3: 1 }],
  days_since_previous_visit: ['visits', { 3: 1 }, 11],
  is_robot: ['visits', { no: 12 }],
  robot_reason: ['visits', {}, 12],
  logged_in: ['visits', { yes: 1, no: 11 }],
  'visit_param:plan': ['visits', { pro: 1 }, 11],
  'visit_param:a/b': ['visits', { 7: 1 }, 11],
  device_type: ['visits', { desktop: 2, mobile: 10 }],
  device_brand: ['visits', { Dell: 1 }, 11],
  device_model: ['visits', { XPS: 1 }, 11],
  os: ['visits', { Linux: 12 }],
  os_version: ['visits', { '24.04': 1 }, 11],
  browser: ['visits', { Firefox: 12 }],
  browser_version: ['visits', { 140: 12 }],
  browser_engine: ['visits', { Gecko: 12 }],
  browser_language: ['visits', { 'ru-RU': 12 }],
  screen_resolution: ['visits', { '1920x1080': 12 }],
  window_size: ['visits', { '1200x800': 12 }],
  visitor_timezone: ['visits', { 'Europe/Moscow': 12 }],
  continent: ['visits', { EU: 12 }],
  country: ['visits', { RU: 2, DE: 10 }],
  region: ['visits', { Moscow: 1 }, 11],
  city: ['visits', { Moscow: 1 }, 11],
  page_url: [
    'pageviews',
    { 'https://shop.example/': 11, 'https://shop.example/catalog/shoes/1': 2, 'https://shop.example/cart': 1 },
  ],
  page_path: ['visits', { '/': 11, '/catalog/shoes/1': 1, '/cart': 1 }],
  page_domain: ['pageviews', { 'shop.example': 14 }],
  page_title: ['pageviews', { Home: 1 }, 13],
  page_path_level1: ['pageviews', { '/': 11, '/catalog/': 2, '/cart': 1 }],
  page_path_level2: ['pageviews', { '/': 11, '/catalog/shoes/': 2, '/cart': 1 }],
  page_path_level3: ['pageviews', { '/': 11, '/catalog/shoes/1': 2, '/cart': 1 }],
  event_name: ['events', { zoom: 1 }],
  'event_param:side': ['visits', { left: 1 }],
  form_id: ['form_submissions', { size: 1 }],
  outbound_domain: ['outbound_clicks', { 'maker.example': 1 }],
  outbound_url: ['hits', { 'https://maker.example/x': 1 }],
  download_url: ['visitors', { 'https://shop.example/sizes.pdf': 1 }],
  goal: ['conversions', { lead: 2, call: 2 }],
  goal_source: ['conversions', { api: 3, tag: 1 }],
  // proves: report-rules/net
  order_status: ['revenue', { purchased: 331.1, refunded: -80.1 }],
  order_currency: ['revenue', { RUB: 70, USD: 181 }],
  transaction_id: ['orders', { t1: 1, t2: 1, t3: 0 }],
  promo_code: ['revenue', { SPRING: 100.1 }, 150.9],
  product_id: ['product_revenue', { p1: 80.1, p2: 201 }],
  product_name: ['product_quantity', { Boot: 2, Lace: 2 }],
  product_brand: ['product_orders', { Acme: 1 }, 2],
  product_variant: ['revenue', { red: 100.1 }, 251],
  product_category_level1: ['product_quantity', { a: 4 }],
  product_category_level2: ['product_quantity', { b: 2 }, 2],
  product_category_level3: ['product_quantity', { c: 2 }, 2],
  product_category_level4: ['product_quantity', { d: 2 }, 2],
  product_category_level5: ['product_quantity', { e: 2 }, 2],
  gender: ['people', { female: 1 }, 10],
  age_group: ['visits', { 5: 2 }, 10],
  interest: ['visits', { 7: 2, 12: 2 }, 10],
  has_children: ['revenue', { 5: 251 }, 0],
  children_age: ['pageviews', { 5: 4 }, 10],
  company_type: ['visits', { 5: 2 }, 10],
  industry: ['visits', { 5: 2 }, 10],
  company_region: ['visits', { 5: 2 }, 10],
  purchase_category: ['visits', { 5: 2 }, 10],
  price_segment: ['visits', { 5: 2 }, 10],
  geo_person_country: ['visits', { 5: 2 }, 10],
  geo_person_region: ['visits', { 5: 2 }, 10],
  geo_person_city: ['visits', { 5: 2 }, 10],
  'visitor_param:tier': ['visits', { gold: 2 }, 10],
  'value_source:interest': ['visits', { user: 2, network: 2 }, 10],
};

describe('dimensions', () => {
  it('are all listed here', () => {
    expect([...new Set(Object.keys(LABELS).map((name) => findDimension(name)?.dimension.id))].sort()).toEqual(
      DIMENSIONS.map((dimension) => dimension.id).sort(),
    );
  });

  // proves: report-dimensions/time, report-dimensions/source, report-dimensions/visit, report-dimensions/technology
  // proves: report-dimensions/geography, report-dimensions/page, report-dimensions/goal, report-dimensions/order
  // proves: report-dimensions/product, report-dimensions/audience, decisions-analytics/null-labels
  it.each(Object.entries(LABELS))('have the rows worked out by hand: %s', async (name, [metric, expected, nulls]) => {
    const { rows } = await world.report({ dimensions: [name], metrics: [metric] }, PROLOGUE);
    const found = Object.fromEntries(rows.map(([[label], [value]]) => [String(label), Number(value?.toFixed(9))]));
    expect(found).toEqual({ ...expected, ...(nulls !== undefined && { null: nulls }) });
    expect(rows).toHaveLength(Object.keys(found).length);
  });
});
