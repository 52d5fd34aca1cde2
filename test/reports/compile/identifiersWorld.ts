/** One small world in which every identifier has figures that can be worked out by hand. */
import { afterAll, beforeAll } from '@jest/globals';
import { conversionRow, DIRECT, hitRow, orderLineRow, orderRow, visitRow } from '../../support/lake/lake.ts';
import { createWorld, type World } from './world.ts';

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

/** Registers the hooks that create and close the world. @returns the world, usable in tests */
export function stageIdentifiers(): Pick<World, 'report'> {
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
  return { report: (...asked) => world.report(...asked) };
}

/** The data about people that the prologues of reports load. */
export const PROLOGUE = {
  links: { [ANNA]: 'anna' },
  attributes: [
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
