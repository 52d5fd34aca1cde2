/** Requests on the sample traffic: one report of each kind that people look at. */
import type { ReportRequest } from '../../../reports/reportRequest.ts';

export const GOLDEN: Readonly<Record<string, Partial<ReportRequest>>> = {
  days: {
    dimensions: ['date'],
    metrics: ['visits', 'visitors', 'pageviews', 'bounce_rate', 'avg_visit_duration'],
    limit: 100,
  },
  sources: {
    dimensions: ['source_type', 'source_name'],
    metrics: ['visits', 'new_visitors_share', 'pages_per_visit', 'conversion_rate'],
  },
  'sources by the last visit': {
    dimensions: ['source_type'],
    metrics: ['visits', 'conversions', 'revenue'],
    attribution: 'last',
  },
  campaigns: {
    dimensions: ['utm_source', 'utm_medium', 'utm_campaign'],
    metrics: ['visits', 'orders', 'revenue', 'revenue_per_visit'],
    filters: [{ dimension: 'utm_source', op: 'regex', values: ['.'] }],
  },
  pages: {
    dimensions: ['page_path'],
    metrics: [
      'pageviews',
      'unique_pageviews',
      'entrances',
      'exits',
      'exit_rate',
      'avg_time_on_page',
      'avg_scroll_depth',
    ],
  },
  sections: {
    dimensions: ['page_path_level1', 'page_path_level2'],
    metrics: ['visits', 'pageviews'],
    sort: [
      { field: 'page_path_level1', dir: 'asc' },
      { field: 'pageviews', dir: 'desc' },
    ],
  },
  events: { dimensions: ['event_name'], metrics: ['events', 'visits'] },
  goals: {
    dimensions: ['goal', 'goal_source'],
    metrics: ['conversions', 'converted_visits', 'conversion_value', 'conversion_rate'],
  },
  'orders by week': {
    dimensions: ['week'],
    metrics: [
      'orders',
      'revenue',
      'gross_revenue',
      'refunds',
      'refund_revenue',
      'avg_order_value',
      'buyers',
      'first_orders',
      'repeat_orders',
      'order_conversion_rate',
    ],
  },
  products: {
    dimensions: ['product_category_level2', 'product_brand'],
    metrics: [
      'product_revenue',
      'product_quantity',
      'product_orders',
      'product_avg_price',
      'product_refunded_quantity',
    ],
  },
  technology: { dimensions: ['device_type', 'os', 'browser'], metrics: ['visits', 'mobile_share', 'bounce_rate'] },
  places: { dimensions: ['country'], metrics: ['visits', 'people'] },
  robots: { dimensions: ['robot_reason'], metrics: ['visits', 'hits', 'robot_share'], robots: 'only' },
  'hours of those who bought': {
    dimensions: ['hour'],
    metrics: ['visits', 'hits'],
    limit: 24,
    segment: {
      scope: 'visitor',
      condition: {
        all: [
          { dimension: 'order_status', op: 'eq', values: ['purchased'] },
          { metric: 'pageviews', op: 'gte', value: 3 },
        ],
      },
    },
  },
};
