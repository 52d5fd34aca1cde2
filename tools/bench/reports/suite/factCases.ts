/** Questions about goals, orders and products, and segments. */
import { ask, factsOf, SUM, VISITORS, visitsOf, type Case } from './cases.ts';

const SIGN = `case when status = 'refunded' then -1 else 1 end`;

export const FACT_CASES: readonly Case[] = [
  {
    name: 'goals',
    request: ask({ dimensions: ['goal'], metrics: ['conversions', 'converted_visits', 'conversion_value'] }),
    rival: (d, site) => ({
      from: 'conversions',
      where: factsOf(d, site, 'conversions'),
      dimensions: [{ key: 'goal' }],
      sums: { reached: 'sum(weight)', worth: 'sum(weight * coalesce(value, 0))' },
      distinct: { visits: { of: 'visit_id' } },
      metrics: ['reached', 'visits', 'worth'],
      limit: 100,
    }),
  },
  {
    name: 'products',
    request: ask({
      dimensions: ['product_category_level1', 'product_name'],
      metrics: ['product_quantity', 'product_revenue', 'product_orders'],
    }),
    rival: (d, site) => ({
      from: 'order_lines',
      where: `${factsOf(d, site, 'order_lines')} and status = 'purchased'`,
      dimensions: [{ key: d.part('product_category', 1) }, { key: 'product_name' }],
      sums: { pieces: 'sum(weight * quantity)', earned: 'sum(weight * price * quantity)' },
      distinct: { orders: { of: 'transaction_id' } },
      metrics: ['pieces', 'earned', 'orders'],
      limit: 100,
    }),
  },
  {
    name: 'orders by month',
    request: ask({
      dimensions: ['month'],
      metrics: ['orders', 'revenue', 'avg_order_value', 'refunds', 'first_orders'],
    }),
    rival: (d, site) => ({
      from: 'orders',
      where: factsOf(d, site, 'orders'),
      dimensions: [{ key: d.month('at'), text: d.monthText }],
      sums: {
        net: `sum(weight * ${SIGN})`,
        earned: `sum(weight * revenue * ${SIGN})`,
        back: d.sumIf('weight', `status = 'refunded'`),
        firsts: d.sumIf('weight', 'is_first'),
      },
      metrics: ['net', 'earned', `${d.number('earned')} / net`, 'back', 'firsts'],
      order: 'd0',
      limit: 100,
    }),
  },
  {
    name: 'sources at first, with orders',
    request: ask({ dimensions: ['source_name'], metrics: ['visits', 'orders', 'revenue'], attribution: 'first' }),
    rival: (d, site) => ({
      from: `(select source_first_source_name as source, sum(weight) as came, 0 as bought, ${d.name === 'clickhouse' ? 'toDecimal128(0, 6)' : '0::numeric'} as earned from visits where ${visitsOf(d, site)} group by source_first_source_name
        union all select v.source_first_source_name, 0, sum(o.weight * ${SIGN}), sum(o.weight * o.revenue * ${SIGN}) from orders o
          join (select visit_id, source_first_source_name from visits where site_id = '${site}' and not is_robot) v on v.visit_id = o.visit_id where ${factsOf(d, site, 'o')} group by v.source_first_source_name) u`,
      where: '1 = 1',
      dimensions: [{ key: 'source' }],
      sums: { visits: 'sum(came)', orders: 'sum(bought)', revenue: 'sum(earned)' },
      metrics: ['visits', 'orders', 'revenue'],
      limit: 100,
    }),
  },
  {
    name: 'segment of visits',
    request: ask({
      dimensions: ['country'],
      metrics: ['visits', 'visitors'],
      segment: {
        scope: 'visit',
        condition: {
          all: [
            { dimension: 'device_type', op: 'in', values: ['mobile', 'tablet'] },
            {
              any: [
                { dimension: 'page_path', op: 'contains', values: ['/GIFTS/'] },
                { dimension: 'goal', op: 'eq', values: ['cart'] },
              ],
            },
          ],
        },
      },
    }),
    rival: (d, site) => ({
      from: 'visits',
      where: `${visitsOf(d, site)} and device_type in ('mobile', 'tablet') and (visit_id in (select visit_id from hits where site_id = '${site}' and type <> 'ping' and ${d.contains('page_path', '/gifts/')})
        or visit_id in (select visit_id from conversions where site_id = '${site}' and goal = 'cart'))`,
      dimensions: [{ key: 'country' }],
      sums: { visits: SUM.visits },
      distinct: VISITORS,
      metrics: ['visits', 'visitors'],
      limit: 100,
    }),
  },
  {
    name: 'segment of visitors',
    request: ask({
      dimensions: ['source_type'],
      metrics: ['visits', 'visitors', 'pageviews'],
      segment: { scope: 'visitor', condition: { dimension: 'goal', op: 'eq', values: ['purchase'] } },
    }),
    rival: (d, site) => ({
      from: 'visits',
      where: `${visitsOf(d, site)} and visitor_id in (select visitor_id from visits where ${visitsOf(d, site)} and visit_id in (select visit_id from conversions where site_id = '${site}' and goal = 'purchase'))`,
      dimensions: [{ key: 'source_last_significant_source_type' }],
      sums: SUM,
      distinct: VISITORS,
      metrics: ['visits', 'visitors', 'pageviews'],
      limit: 100,
    }),
  },
];
