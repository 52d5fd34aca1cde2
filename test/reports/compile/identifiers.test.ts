/** Every identifier, over one small world whose figures are worked out by hand. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DIMENSIONS, findDimension, isCompatible, METRICS } from '../../../reports/registry/index.ts';
import { createWorld, type World } from './world.ts';
import { conversionRow, DIRECT, hitRow, orderLineRow, orderRow, visitRow } from '../../support/lake/lake.ts';

const id = (kind: string, number: number): string =>
  `00000000-0000-4000-${kind}000-${String(number).padStart(12, '0')}`;
const ANNA = id('8', 1);
const BORIS = id('8', 2);
const [FIRST, SECOND, THIRD] = [id('9', 1), id('9', 2), id('9', 3)] as const;
const at = (day: number, hour = 12, minute = 0, second = 0): number => Date.UTC(2026, 2, day, hour, minute, second);

/**
 * Anna comes on the 2nd from a search and on the 5th directly, logged in; Boris on the 5th, on a phone, in a sample
 * of one in ten.
 */
const VISITS = [
  visitRow({
    visit_id: FIRST,
    visitor_id: ANNA,
    started_at: at(2, 10),
    ended_at: at(2, 10, 5),
    duration_s: 300,
    pageviews: 3,
    weighted_pageviews: 3,
    hits: 8,
    weighted_hits: 8,
    goals: 2,
    entry_url: 'https://shop.example/?q=1',
    entry_path: '/',
    exit_url: 'https://shop.example/catalog/shoes/1',
    exit_path: '/catalog/shoes/1',
    params: '{"plan":"pro","a/b":7}',
    device_brand: 'Dell',
    device_model: 'XPS',
    os_version: '24.04',
    region: 'Moscow',
    city: 'Moscow',
    source_last: {
      source_type: 'organic',
      source_name: 'Google',
      search_engine: 'Google',
      search_phrase: 'red shoes',
      social_network: 'VK',
      messenger: 'Telegram',
      ai_assistant: 'Claude',
      ad_system: 'Ads',
      referrer_domain: 'google.com',
      referrer_url: 'https://google.com/',
      utm_source: 's',
      utm_medium: 'm',
      utm_campaign: 'c',
      utm_content: 'o',
      utm_term: 't',
      click_id: 'gclid:1',
    },
  }),
  visitRow({
    visit_id: SECOND,
    visitor_id: ANNA,
    user_id: 'anna',
    started_at: at(5, 9),
    ended_at: at(5, 9, 0, 20),
    duration_s: 20,
    pageviews: 1,
    weighted_pageviews: 1,
    hits: 1,
    weighted_hits: 1,
    visit_number: 2,
    first_visit_at: at(2, 10),
    previous_visit_at: at(2, 10),
    entry_path: '/cart',
    exit_path: '/cart',
    source_last: DIRECT,
  }),
  visitRow({
    visit_id: THIRD,
    visitor_id: BORIS,
    visitor_bucket: 20,
    started_at: at(5, 23),
    ended_at: at(5, 23),
    duration_s: 0,
    weight: 10,
    pageviews: 1,
    weighted_pageviews: 10,
    hits: 1,
    weighted_hits: 10,
    is_bounce: true,
    device_type: 'mobile',
    entry_path: '/',
    exit_path: '/',
    source_last: { ...DIRECT, source_type: 'referral' },
    country: 'DE',
  }),
  visitRow({ started_at: at(5), is_robot: true, robot_reason: 'Frequency' }),
];

const hit = (
  visit: { visit_id: string; visitor_id: string; visitor_bucket: number; started_at: number },
  given: Parameters<typeof hitRow>[0],
): ReturnType<typeof hitRow> =>
  hitRow({
    visit_id: visit.visit_id,
    visitor_id: visit.visitor_id,
    visitor_bucket: visit.visitor_bucket,
    visit_started_at: visit.started_at,
    params: null,
    page_title: null,
    ...given,
  });
const page = (path: string): { page_path: string; page_url: string } => ({
  page_path: path,
  page_url: `https://shop.example${path}`,
});

function hitsOf([first, second, third]: typeof VISITS): ReturnType<typeof hitRow>[] {
  if (!first || !second || !third) throw new Error('a visit is gone');
  const shoes = page('/catalog/shoes/1');
  return [
    hit(first, { ...page('/'), hit_id: id('a', 1), at: at(2, 10), page_title: 'Home' }),
    hit(first, { ...page('/'), at: at(2, 10, 0, 10), type: 'scroll', depth: 80 }),
    hit(first, { ...shoes, hit_id: id('a', 2), at: at(2, 10, 1) }),
    hit(first, { ...shoes, at: at(2, 10, 1, 10), type: 'event', name: 'zoom', params: '{"side":"left"}' }),
    hit(first, { ...shoes, at: at(2, 10, 1, 20), type: 'form', name: 'size' }),
    hit(first, {
      ...shoes,
      at: at(2, 10, 1, 30),
      type: 'outbound',
      target: 'https://maker.example/x',
      target_domain: 'maker.example',
    }),
    hit(first, {
      ...shoes,
      at: at(2, 10, 1, 40),
      type: 'download',
      target: 'https://shop.example/sizes.pdf',
      target_domain: 'shop.example',
    }),
    hit(first, { ...shoes, hit_id: id('a', 3), at: at(2, 10, 4) }),
    hit(first, { ...shoes, at: at(2, 10, 5), type: 'ping' }),
    hit(second, { ...page('/cart'), hit_id: id('a', 4), at: at(5, 9) }),
    hit(third, { ...page('/'), hit_id: id('a', 5), at: at(5, 23), weight: 10 }),
  ];
}

const of = (visit: string | null, visitor: string | null, day: number, given: object = {}): object => ({
  visit_id: visit,
  visitor_id: visitor,
  user_id: null,
  at: at(day, 13),
  ...given,
});

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.put({
    visits: VISITS,
    hits: hitsOf(VISITS),
    conversions: [
      conversionRow({ ...of(FIRST, ANNA, 2), goal: 'lead', value: 10.5 }),
      conversionRow({ ...of(FIRST, ANNA, 6), goal: 'lead', value: null, goal_source: 'tag' }),
      conversionRow({ ...of(FIRST, ANNA, 2), goal: 'call', value: 2 }),
      // A row of a user without a known visitor.
      conversionRow({ ...of(null, null, 7), user_id: 'carla', goal: 'call', value: 1.25 }),
    ],
    orders: [
      orderRow({ ...of(FIRST, ANNA, 3), transaction_id: 't1', revenue: 100.1, promo_code: 'SPRING' }),
      orderRow({ ...of(SECOND, ANNA, 5), transaction_id: 't2', revenue: 2, currency: 'USD', is_first: false }),
      orderRow({ ...of(null, null, 7), user_id: 'carla', transaction_id: 't3', revenue: 50 }),
      orderRow({
        ...of(FIRST, ANNA, 8),
        transaction_id: 't1',
        status: 'refunded',
        revenue: 30.1,
        is_first: null,
        is_full_refund: false,
      }),
      orderRow({
        ...of(null, null, 8),
        user_id: 'carla',
        transaction_id: 't3',
        status: 'refunded',
        revenue: 50,
        is_first: null,
        is_full_refund: true,
      }),
    ],
    order_lines: [
      orderLineRow({
        ...of(FIRST, ANNA, 3),
        transaction_id: 't1',
        line: 1,
        product_id: 'p1',
        product_name: 'Boot',
        product_brand: 'Acme',
        product_variant: 'red',
        product_category: 'a/b/c/d/e',
        price: 40.05,
        quantity: 2,
      }),
      orderLineRow({
        ...of(FIRST, ANNA, 3),
        transaction_id: 't1',
        line: 2,
        product_id: 'p2',
        product_name: 'Lace',
        product_category: 'a',
        price: 20,
        quantity: 1,
      }),
      orderLineRow({
        ...of(SECOND, ANNA, 5),
        transaction_id: 't2',
        currency: 'USD',
        product_id: 'p2',
        product_name: 'Lace',
        product_category: 'a',
        price: 2,
        quantity: 1,
      }),
      orderLineRow({
        ...of(FIRST, ANNA, 8),
        transaction_id: 't1',
        status: 'refunded',
        product_id: 'p1',
        product_name: 'Boot',
        product_category: 'a/b/c/d/e',
        price: 30.1,
        quantity: 1,
      }),
    ],
  });
});
afterAll(async () => world?.close());

const PROLOGUE = {
  links: { [ANNA]: 'anna' },
  told: [
    { person: 'user:anna', attribute: 'gender', value: 'female', source: 'user' },
    { person: 'user:anna', attribute: 'interest', value: '12', source: 'user' },
    { person: 'user:anna', attribute: 'interest', value: '7', source: 'network' },
    { person: 'user:anna', attribute: 'visitor_param', param: 'tier', value: 'gold' },
    ...[
      'age_group',
      'has_children',
      'children_age',
      'company_type',
      'industry',
      'company_region',
      'purchase_category',
      'price_segment',
      'geo_person_country',
      'geo_person_region',
      'geo_person_city',
    ].map((attribute) => ({ person: 'user:anna', attribute, value: '5' })),
  ],
};

/** Money in roubles, dollars at 90.5: 100.1 + 181 + 50 − 30.1 − 50. */
const METRIC_TOTALS: Readonly<Record<string, number>> = {
  visits: 12,
  visitors: 11,
  users: 1,
  new_visitors: 11,
  new_visitors_share: 1,
  pageviews: 14,
  hits: 19,
  pages_per_visit: 14 / 12,
  avg_visit_duration: 320 / 12,
  bounce_rate: 10 / 12,
  bounces: 10,
  visits_per_visitor: 12 / 11,
  visits_per_day: 12 / 31,
  robot_visits: 0,
  robot_share: 0,
  mobile_share: 10 / 12,
  unique_pageviews: 13,
  entrances: 12,
  exits: 12,
  exit_rate: 12 / 14,
  avg_time_on_page: (60 + 180 + 60 + 20 + 0) / 14,
  avg_scroll_depth: 80 / 14,
  events: 1,
  form_submissions: 1,
  outbound_clicks: 1,
  downloads: 1,
  conversions: 4,
  converted_visits: 1,
  converted_visitors: 2,
  conversion_rate: 1 / 12,
  visitor_conversion_rate: 1 / 11,
  conversion_value: 13.75,
  value_per_conversion: 13.75 / 4,
  'conversions:lead': 2,
  'converted_visits:call': 1,
  'converted_visitors:lead': 1,
  'conversion_rate:lead': 1 / 12,
  'visitor_conversion_rate:none': 0,
  'conversion_value:call': 3.25,
  'value_per_conversion:lead': 10.5 / 2,
  orders: 2,
  buyers: 2,
  revenue: 251,
  avg_order_value: 251 / 2,
  revenue_per_visit: 251 / 12,
  revenue_per_visitor: 251 / 11,
  order_conversion_rate: 2 / 12,
  refunds: 2,
  refund_revenue: 80.1,
  gross_revenue: 331.1,
  first_orders: 2,
  repeat_orders: 1,
  product_quantity: 4,
  product_revenue: 281.1,
  product_orders: 2,
  product_avg_price: 281.1 / 4,
  product_refunded_quantity: 1,
  people: 11,
  people_share: 1,
  undefined_share: 10 / 11,
  network_share: 1 / 11,
  affinity_index: 100,
};

describe('metrics', () => {
  it('are all listed here', () => {
    expect([...new Set(Object.keys(METRIC_TOTALS).map((name) => name.split(':')[0]))]).toEqual(
      METRICS.map((metric) => metric.id),
    );
  });

  it.each(Object.entries(METRIC_TOTALS))('%s', async (name, expected) => {
    const isShare = METRICS.some((metric) => metric.id === name && !isCompatible(metric, []));
    const { totals, rows, isRateMissing } = await world.report(
      { dimensions: isShare ? ['interest'] : [], metrics: [name] },
      PROLOGUE,
    );
    expect(totals[0]).toBeCloseTo(expected, 9);
    if (!isShare) expect(rows).toEqual([[[], totals]]);
    expect(isRateMissing).toBe(false);
  });
});

describe('entrances and exits', () => {
  it.each(['page_path', 'page_title', 'page_domain'])('by %s have rows of all hits', async (dimension) => {
    const { rows, totals } = await world.report({
      dimensions: [dimension],
      metrics: ['entrances', 'exits', 'exit_rate'],
      sort: [{ field: 'entrances', dir: 'asc' }],
    });
    expect(rows).toEqual(
      {
        page_path: [
          [['/catalog/shoes/1'], [0, 1, 1 / 2]],
          [['/cart'], [1, 1, 1]],
          [['/'], [11, 10, 10 / 11]],
        ],
        page_title: [
          [['Home'], [1, 0, 0]],
          [[null], [11, 12, 12 / 13]],
        ],
        page_domain: [[['shop.example'], [12, 12, 12 / 14]]],
      }[dimension],
    );
    expect(totals).toEqual([12, 12, 12 / 14]);
  });

  it('of a filtered page work too', async () => {
    const report = async (path: string): Promise<number[]> =>
      (
        await world.report({
          metrics: ['entrances', 'exits'],
          filters: [{ dimension: 'page_path', op: 'eq', values: [path] }],
        })
      ).totals;
    expect(await report('/')).toEqual([11, 10]);
    expect(await report('/catalog/shoes/1')).toEqual([0, 1]);
  });
});

/** Rows of a dimension: label and metric; all visits but Anna's first are 11, Boris's one is 10. */
const LABELS: Readonly<Record<string, [metric: string, rows: Record<string, number>, nulls?: number]>> = {
  date: ['visits', { '2026-03-02': 1, '2026-03-05': 11 }],
  week: ['visits', { '2026-W10': 12 }],
  month: ['visits', { '2026-03': 12 }],
  quarter: ['visits', { '2026-Q1': 12 }],
  year: ['visits', { 2026: 12 }],
  hour: ['visits', { '09': 1, 10: 1, 23: 10 }],
  day_of_week: ['visits', { 1: 1, 4: 11 }],
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

  it.each(Object.entries(LABELS))('%s', async (name, [metric, expected, nulls]) => {
    const { rows } = await world.report({ dimensions: [name], metrics: [metric] }, PROLOGUE);
    const found = Object.fromEntries(rows.map(([[label], [value]]) => [String(label), Number(value?.toFixed(9))]));
    expect(found).toEqual({ ...expected, ...(nulls !== undefined && { null: nulls }) });
    expect(rows).toHaveLength(Object.keys(found).length);
  });
});
