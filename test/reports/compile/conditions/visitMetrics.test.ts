/** Every metric that a segment may compare, for single visits, worked out by hand. */
import { describe, expect, it } from '@jest/globals';
import { METRICS } from '../../../../reports/registry/index.ts';
import { stageIdentifiers } from '../identifiersWorld.ts';

const world = stageIdentifiers();

/** The start of each visit: Anna's first and second, and Boris's, whose weight of 10 does not matter here. */
const VISITS = ['2026-03-02T10:00:00', '2026-03-05T09:00:00', '2026-03-05T23:00:00'] as const;

const OF_VISITS: Readonly<Record<string, readonly [number, number, number]>> = {
  pageviews: [3, 1, 1],
  hits: [8, 1, 1],
  pages_per_visit: [3, 1, 1],
  avg_visit_duration: [300, 20, 0],
  bounces: [0, 0, 1],
  unique_pageviews: [2, 1, 1],
  events: [1, 0, 0],
  form_submissions: [1, 0, 0],
  outbound_clicks: [1, 0, 0],
  downloads: [1, 0, 0],
  conversions: [3, 0, 0],
  'conversions:lead': [2, 0, 0],
  conversion_value: [12.5, 0, 0],
  'conversion_value:call': [2, 0, 0],
  orders: [1, 1, 0],
  revenue: [70, 181, 0],
  refunds: [1, 0, 0],
  refund_revenue: [30.1, 0, 0],
  gross_revenue: [100.1, 181, 0],
  first_orders: [1, 0, 0],
  repeat_orders: [0, 1, 0],
  product_quantity: [3, 1, 0],
  product_revenue: [100.1, 181, 0],
  product_orders: [1, 1, 0],
  product_refunded_quantity: [1, 0, 0],
};

describe('metrics of a visit', () => {
  it('are all listed here', () => {
    expect([...new Set(Object.keys(OF_VISITS).map((id) => id.split(':')[0]))]).toEqual(
      METRICS.filter(({ perVisit }) => perVisit !== null).map(({ id }) => id),
    );
  });

  it('all have a visit in which they are not 0', () => {
    const zero = Object.keys(OF_VISITS).filter((id) => OF_VISITS[id]?.every((value) => value === 0));
    expect(zero).toEqual([]);
  });

  // proves: decisions-analytics/segment-metrics
  it.each(Object.entries(OF_VISITS))('select the visits that have a value: %s', async (metric, values) => {
    for (const value of new Set(values)) {
      const { rows } = await world.report({
        dimensions: ['date_hour'],
        segment: { scope: 'visit', condition: { metric, op: 'eq', value } },
      });
      expect([value, rows.map(([labels]) => labels[0])]).toEqual([
        value,
        VISITS.filter((_, index) => values[index] === value),
      ]);
    }
  });

  // proves: decisions-analytics/segment-metrics
  it.each([
    ['eq', [0]],
    ['neq', [1, 2]],
    ['gt', [1]],
    ['gte', [0, 1]],
    ['lt', [2]],
    ['lte', [0, 2]],
  ] as const)('compare with a number by %s', async (op, found) => {
    const { rows } = await world.report({
      dimensions: ['date_hour'],
      segment: { scope: 'visit', condition: { metric: 'revenue', op, value: 70 } },
    });
    expect(rows.map(([labels]) => labels[0])).toEqual(found.map((index) => VISITS[index]));
  });
});
