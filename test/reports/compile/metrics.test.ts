/** Every metric, worked out by hand. */
import { describe, expect, it } from '@jest/globals';
import { isCompatible, METRICS } from '../../../reports/registry/index.ts';
import { PROLOGUE, stageIdentifiers } from './identifiersWorld.ts';

const world = stageIdentifiers();

/** Money in roubles, dollars at 90.5: 100.1 + 181 + 50 − 30.1 − 50. */
const METRIC_TOTALS: Readonly<Record<string, number>> = {
  visits: 12,
  visitors: 11,
  // proves: decisions-analytics/users
  users: 1,
  new_visitors: 11,
  new_visitors_share: 1,
  pageviews: 14,
  // proves: decisions-analytics/hits
  hits: 19,
  pages_per_visit: 14 / 12,
  // proves: decisions-analytics/fractions
  avg_visit_duration: 320 / 12,
  // proves: decisions-analytics/fractions
  bounce_rate: 10 / 12,
  bounces: 10,
  visits_per_visitor: 12 / 11,
  visits_per_day: 12 / 31,
  robot_visits: 0,
  robot_share: 0,
  mobile_share: 10 / 12,
  // proves: decisions-analytics/unique_pageviews
  unique_pageviews: 13,
  entrances: 12,
  exits: 12,
  exit_rate: 12 / 14,
  // proves: decisions-analytics/avg_time_on_page
  avg_time_on_page: (60 + 180 + 60 + 20 + 0) / 14,
  avg_scroll_depth: 80 / 14,
  events: 1,
  form_submissions: 1,
  outbound_clicks: 1,
  downloads: 1,
  conversions: 4,
  converted_visits: 1,
  converted_visitors: 2,
  // proves: decisions-analytics/rates
  conversion_rate: 1 / 12,
  visitor_conversion_rate: 1 / 11,
  conversion_value: 13.75,
  value_per_conversion: 13.75 / 4,
  // proves: report-metrics/goal-code
  'conversions:lead': 2,
  'converted_visits:call': 1,
  'converted_visitors:lead': 1,
  'conversion_rate:lead': 1 / 12,
  'visitor_conversion_rate:none': 0,
  'conversion_value:call': 3.25,
  'value_per_conversion:lead': 10.5 / 2,
  // proves: report-rules/net, decisions-analytics/refund-partial, decisions-analytics/refund-full
  orders: 2,
  buyers: 2,
  // proves: report-rules/net, report-rules/currency
  revenue: 251,
  avg_order_value: 251 / 2,
  revenue_per_visit: 251 / 12,
  revenue_per_visitor: 251 / 11,
  order_conversion_rate: 2 / 12,
  // proves: report-rules/gross
  refunds: 2,
  refund_revenue: 80.1,
  // proves: report-rules/gross
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
  // proves: report-rules/undefined_share
  undefined_share: 10 / 11,
  network_share: 1 / 11,
  // proves: decisions-analytics/fractions
  affinity_index: 100,
};

describe('metrics', () => {
  it('are all listed here', () => {
    expect([...new Set(Object.keys(METRIC_TOTALS).map((name) => name.split(':')[0]))]).toEqual(
      METRICS.map((metric) => metric.id),
    );
  });

  it('without a parameter all have something to count in the world (identifiersWorld.ts), except those of robots', () => {
    const zero = Object.entries(METRIC_TOTALS).flatMap(([id, total]) => (total === 0 && !id.includes(':') ? [id] : []));
    expect(zero).toEqual(['robot_visits', 'robot_share']);
  });

  // proves: report-metrics/visits, report-metrics/pages, report-metrics/goals, report-metrics/orders
  // proves: report-metrics/products, report-metrics/audience
  it.each(Object.entries(METRIC_TOTALS))('have the totals worked out by hand: %s', async (name, expected) => {
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
  // proves: decisions-analytics/exit_rate
  it.each(['page_path', 'page_title', 'page_domain'])('by %s have a row for every value', async (dimension) => {
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

  it('are counted for a filtered page', async () => {
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
