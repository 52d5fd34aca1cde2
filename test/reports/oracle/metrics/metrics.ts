/** Every metric over the rows of a group, following docs/decisions/reports.md. */
import type { ConversionRow, HitRow, OrderLineRow, OrderRow, VisitRow } from '../../../../domain/reports/lakeRows.ts';
import * as audience from './audienceMetrics.ts';
import type { Group, MetricContext } from './metricContext.ts';
import { converted, fromMicro, lineAmount, micro } from './money.ts';
import { scrollDepth, secondsOnPage } from './pageMetrics.ts';
import { distinct, ratio, sumOfLeast, UNWEIGHTED } from './sums.ts';
import type { Base } from './tuple.ts';

export interface OracleMetric {
  bases: readonly Base[];
  /** False for counts and sums, which are scaled up in a sample. */
  isRatio: boolean;
  takesGoal: boolean;
  /** @param goal its parameter; empty: any goal */
  value(group: Group, context: MetricContext, goal: string): number;
}

type Value = OracleMetric['value'];

const visitsOf = (group: Group): VisitRow[] => distinct(group.visit, ({ visit }) => visit);
const hitsOf = (group: Group): HitRow[] => distinct(group.hit, ({ hit }) => hit);
const pageviewsOf = (group: Group): HitRow[] => hitsOf(group).filter(({ type }) => type === 'pageview');
const conversionsOf = (group: Group, goal: string): ConversionRow[] =>
  distinct(group.conversion, ({ conversion }) => conversion).filter(
    (conversion) => goal === '' || conversion.goal === goal,
  );
const ordersOf = (group: Group, status: OrderRow['status']): OrderRow[] =>
  distinct(group.order, ({ order }) => order).filter((order) => order.status === status);
const linesOf = (group: Group, status: OrderRow['status']): OrderLineRow[] =>
  distinct(group.line, ({ line }) => line).filter((line) => line.status === status);

type Weighted = { weight: number };

function sum<Row extends Weighted>(
  rows: readonly Row[],
  { weightOf }: MetricContext,
  of: (row: Row) => number = () => 1,
): number {
  return rows.reduce((total, row) => total + weightOf(row) * of(row), 0);
}

/** Sums entities with at least one matching row, each with the least weight of all of its rows. */
function sumOfLeastWith<Row extends Weighted>(
  rows: readonly Row[],
  context: MetricContext,
  entityOf: (row: Row) => string,
  isSo: (row: Row) => boolean,
): number {
  const entities = new Set(rows.filter(isSo).map(entityOf));
  return sumOfLeast(rows, context, (row) => (entities.has(entityOf(row)) ? entityOf(row) : null));
}

const visitorId = (visit: VisitRow): string => visit.visitor_id;

const visits: Value = (group, context) => sum(visitsOf(group), context);
const visitors: Value = (group, context) => sumOfLeast(visitsOf(group), context, visitorId);
const newVisitors: Value = (group, context) =>
  sumOfLeastWith(visitsOf(group), context, visitorId, ({ visit_number }) => visit_number === 1);
const visitsThat =
  (isSo: (visit: VisitRow) => boolean): Value =>
  (group, context) =>
    sum(visitsOf(group).filter(isSo), context);
const bounces = visitsThat(({ is_bounce }) => is_bounce);
const robotVisits = visitsThat(({ is_robot }) => is_robot);

/** Counts page views of the hits in use, or otherwise the sums stored in the visit. */
const pageviews: Value = (group, context) =>
  context.seesHits
    ? sum(
        distinct(group.visit, ({ hit }) => hit).filter(({ type }) => type === 'pageview'),
        context,
      )
    : visitsOf(group).reduce((total, visit) => total + weightedSum(visit, context, 'pageviews'), 0);

const hits: Value = (group, context) =>
  context.seesHits
    ? sum(
        distinct(group.visit, ({ hit }) => hit),
        context,
      )
    : visitsOf(group).reduce((total, visit) => total + weightedSum(visit, context, 'hits'), 0);

/** Returns the visit's own sums, weighted by its hits; for a single visit, the plain numbers. */
function weightedSum(visit: VisitRow, context: MetricContext, of: 'pageviews' | 'hits'): number {
  return context.weightOf === UNWEIGHTED ? visit[of] : visit[`weighted_${of}`];
}

const hitsThat =
  (isSo: (hit: HitRow) => boolean): Value =>
  (group, context) =>
    sum(hitsOf(group).filter(isSo), context);
const pageMetric: Value = (group, context) => sum(pageviewsOf(group), context);

/** Visits whose first or last page view is in the row. */
const ends =
  (place: 0 | -1): Value =>
  (group, context) => {
    const inRow = new Set(pageviewsOf(group));
    const found = distinct(group.hit, ({ visit }) => visit).filter((visit) => {
      const end = context.view
        .hitsOf(visit)
        .filter(({ type }) => type === 'pageview')
        .at(place);
      return end !== undefined && inRow.has(end);
    });
    return sum(found, context);
  };

const meanOfPageviews =
  (of: (hit: HitRow, context: MetricContext) => number): Value =>
  (group, context) => {
    const rows = pageviewsOf(group);
    return ratio(
      sum(rows, context, (hit) => of(hit, context)),
      sum(rows, context),
    );
  };

const conversions: Value = (group, context, goal) => sum(conversionsOf(group, goal), context);
const conversionValue: Value = (group, context, goal) =>
  fromMicro(
    conversionsOf(group, goal).reduce(
      (total, row) => total + BigInt(context.weightOf(row)) * micro(row.value ?? 0),
      0n,
    ),
  );

/** Returns the row's visits with such a conversion at any time; if goals are in use, it must be the row's own. */
function convertedVisits(group: Group, { view }: MetricContext, goal: string): VisitRow[] {
  const isSuch = (conversion: ConversionRow): boolean => goal === '' || conversion.goal === goal;
  return distinct(group.visit, ({ visit, conversion }) => {
    if (visit === null) return null;
    const has = conversion === null ? view.conversionsOf(visit).some(isSuch) : isSuch(conversion);
    return has ? visit : null;
  });
}

function convertedVisitors(group: Group, context: MetricContext, goal: string): number {
  const converted = new Set(convertedVisits(group, context, goal));
  return sumOfLeastWith(visitsOf(group), context, visitorId, (visit) => converted.has(visit));
}

function boughtVisits(group: Group, { view }: MetricContext): VisitRow[] {
  return distinct(group.visit, ({ visit, order, line }) => {
    if (visit === null) return null;
    const found = line ?? order;
    const has =
      found === null ? view.ordersOf(visit).some(({ status }) => status === 'purchased') : found.status === 'purchased';
    return has ? visit : null;
  });
}

function amountOf(rows: readonly (OrderRow & Weighted)[], context: MetricContext): bigint {
  return rows.reduce((total, { revenue, currency, weight }) => {
    if (revenue === null) return total;
    const amount = converted(micro(revenue), currency, context.money);
    if (amount === undefined) context.onMissingRate();
    return total + BigInt(context.weightOf({ weight })) * (amount ?? 0n);
  }, 0n);
}

const grossRevenue: Value = (group, context) => fromMicro(amountOf(ordersOf(group, 'purchased'), context));
const refundRevenue: Value = (group, context) => fromMicro(amountOf(ordersOf(group, 'refunded'), context));
const revenue: Value = (group, context) =>
  fromMicro(amountOf(ordersOf(group, 'purchased'), context) - amountOf(ordersOf(group, 'refunded'), context));
const orders: Value = (group, context) =>
  sum(ordersOf(group, 'purchased'), context) -
  sum(
    ordersOf(group, 'refunded').filter(({ is_full_refund }) => is_full_refund === true),
    context,
  );

/** The denominator of an average: orders whose money is left out do not count. */
const pricedOrders: Value = (group, context) => {
  const isPriced = ({ revenue: told, currency }: OrderRow): boolean =>
    told !== null && converted(micro(told), currency, context.money) !== undefined;
  return (
    sum(ordersOf(group, 'purchased').filter(isPriced), context) -
    sum(
      ordersOf(group, 'refunded').filter((order) => order.is_full_refund === true && isPriced(order)),
      context,
    )
  );
};
const pricedQuantity: Value = (group, context) =>
  fromMicro(
    linesOf(group, 'purchased')
      .filter(
        ({ price, quantity: pieces, currency }) =>
          price !== null && lineAmount(price, pieces, currency, context.money) !== undefined,
      )
      .reduce((total, line) => total + BigInt(context.weightOf(line)) * micro(line.quantity), 0n),
  );

const quantity =
  (status: OrderRow['status']): Value =>
  (group, context) =>
    fromMicro(
      linesOf(group, status).reduce((total, line) => total + BigInt(context.weightOf(line)) * micro(line.quantity), 0n),
    );
const productRevenue: Value = (group, context) =>
  fromMicro(
    linesOf(group, 'purchased').reduce((total, line) => {
      if (line.price === null) return total;
      const amount = lineAmount(line.price, line.quantity, line.currency, context.money);
      if (amount === undefined) context.onMissingRate();
      return total + BigInt(context.weightOf(line)) * (amount ?? 0n);
    }, 0n),
  );

const sumMetric = (bases: readonly Base[], value: Value): OracleMetric => ({
  bases,
  isRatio: false,
  takesGoal: false,
  value,
});
const ratioMetric = (bases: readonly Base[], value: Value): OracleMetric => ({
  bases,
  isRatio: true,
  takesGoal: false,
  value,
});
const shareOf =
  (part: Value, whole: Value): Value =>
  (group, context, goal) =>
    ratio(part(group, context, goal), whole(group, context, goal));
const ofGoal = (metric: OracleMetric): OracleMetric => ({ ...metric, takesGoal: true });

export const METRICS: Readonly<Record<string, OracleMetric>> = {
  visits: sumMetric(['visit'], visits),
  visitors: sumMetric(['visit'], visitors),
  users: sumMetric(['visit'], (group, context) => sumOfLeast(visitsOf(group), context, ({ user_id }) => user_id)),
  new_visitors: sumMetric(['visit'], newVisitors),
  new_visitors_share: ratioMetric(['visit'], shareOf(newVisitors, visitors)),
  pageviews: sumMetric(['visit'], pageviews),
  hits: sumMetric(['visit'], hits),
  pages_per_visit: ratioMetric(['visit'], shareOf(pageviews, visits)),
  avg_visit_duration: ratioMetric(['visit'], (group, context) =>
    ratio(
      sum(visitsOf(group), context, ({ duration_s }) => duration_s),
      visits(group, context, ''),
    ),
  ),
  bounce_rate: ratioMetric(['visit'], shareOf(bounces, visits)),
  bounces: sumMetric(['visit'], bounces),
  visits_per_visitor: ratioMetric(['visit'], shareOf(visits, visitors)),
  visits_per_day: sumMetric(['visit'], (group, context) => ratio(visits(group, context, ''), context.days)),
  robot_visits: sumMetric(['visit'], robotVisits),
  robot_share: ratioMetric(['visit'], shareOf(robotVisits, visits)),
  mobile_share: ratioMetric(
    ['visit'],
    shareOf(
      visitsThat(({ device_type }) => device_type === 'mobile'),
      visits,
    ),
  ),

  unique_pageviews: sumMetric(['hit'], (group, context) =>
    sumOfLeast(pageviewsOf(group), context, ({ visit_id, page_path }) => `${visit_id} ${page_path}`),
  ),
  entrances: sumMetric(['hit'], ends(0)),
  exits: sumMetric(['hit'], ends(-1)),
  exit_rate: ratioMetric(['hit'], (group, context, goal) =>
    Math.min(1, shareOf(ends(-1), pageMetric)(group, context, goal)),
  ),
  avg_time_on_page: ratioMetric(
    ['hit'],
    meanOfPageviews((hit, { view }) => secondsOnPage(hit, view)),
  ),
  avg_scroll_depth: ratioMetric(
    ['hit'],
    meanOfPageviews((hit, { view }) => scrollDepth(hit, view)),
  ),
  events: sumMetric(
    ['hit'],
    hitsThat(({ type }) => type === 'event'),
  ),
  form_submissions: sumMetric(
    ['hit'],
    hitsThat(({ type }) => type === 'form'),
  ),
  outbound_clicks: sumMetric(
    ['hit'],
    hitsThat(({ type }) => type === 'outbound'),
  ),
  downloads: sumMetric(
    ['hit'],
    hitsThat(({ type }) => type === 'download'),
  ),

  conversions: ofGoal(sumMetric(['conversion'], conversions)),
  converted_visits: ofGoal(
    sumMetric(['conversion'], (group, context, goal) =>
      sumOfLeast(conversionsOf(group, goal), context, ({ visit_id }) => visit_id),
    ),
  ),
  converted_visitors: ofGoal(
    sumMetric(['conversion'], (group, context, goal) =>
      sumOfLeast(conversionsOf(group, goal), context, ({ visitor_id, user_id }) =>
        visitor_id === null ? `user:${user_id}` : visitor_id,
      ),
    ),
  ),
  conversion_rate: ofGoal(
    ratioMetric(['visit'], (group, context, goal) =>
      ratio(sum(convertedVisits(group, context, goal), context), sum(context.wideVisits(), context)),
    ),
  ),
  visitor_conversion_rate: ofGoal(
    ratioMetric(['visit'], (group, context, goal) =>
      ratio(convertedVisitors(group, context, goal), sumOfLeast(context.wideVisits(), context, visitorId)),
    ),
  ),
  conversion_value: ofGoal(sumMetric(['conversion'], conversionValue)),
  value_per_conversion: ofGoal(ratioMetric(['conversion'], shareOf(conversionValue, conversions))),

  orders: sumMetric(['order'], orders),
  buyers: sumMetric(['order'], (group, context) =>
    sumOfLeast(ordersOf(group, 'purchased'), context, (order) => context.view.personOf(order, true)),
  ),
  revenue: sumMetric(['order'], revenue),
  avg_order_value: ratioMetric(['order'], shareOf(revenue, pricedOrders)),
  revenue_per_visit: ratioMetric(['order', 'visit'], shareOf(revenue, visits)),
  revenue_per_visitor: ratioMetric(['order', 'visit'], shareOf(revenue, visitors)),
  order_conversion_rate: ratioMetric(['visit'], (group, context) =>
    ratio(sum(boughtVisits(group, context), context), sum(context.wideVisits(), context)),
  ),
  refunds: sumMetric(['order'], (group, context) => sum(ordersOf(group, 'refunded'), context)),
  refund_revenue: sumMetric(['order'], refundRevenue),
  gross_revenue: sumMetric(['order'], grossRevenue),
  first_orders: sumMetric(['order'], (group, context) =>
    sum(
      ordersOf(group, 'purchased').filter(({ is_first }) => is_first === true),
      context,
    ),
  ),
  repeat_orders: sumMetric(['order'], (group, context) =>
    sum(
      ordersOf(group, 'purchased').filter(({ is_first }) => is_first === false),
      context,
    ),
  ),

  product_quantity: sumMetric(['line'], quantity('purchased')),
  product_revenue: sumMetric(['line'], productRevenue),
  product_orders: sumMetric(['line'], (group, context) =>
    sumOfLeast(linesOf(group, 'purchased'), context, ({ transaction_id }) => transaction_id),
  ),
  product_avg_price: ratioMetric(['line'], shareOf(productRevenue, pricedQuantity)),
  product_refunded_quantity: sumMetric(['line'], quantity('refunded')),

  people: sumMetric(['visit'], audience.people),
  people_share: ratioMetric(['visit'], audience.peopleShare),
  undefined_share: ratioMetric(['visit'], audience.undefinedShare),
  network_share: ratioMetric(['visit'], audience.networkShare),
  affinity_index: ratioMetric(['visit'], audience.affinityIndex),
};

/** @param id with its parameter */
export function metricOf(id: string): { metric: OracleMetric; goal: string } {
  const colon = id.indexOf(':');
  const name = colon === -1 ? id : id.slice(0, colon);
  const metric = Object.hasOwn(METRICS, name) ? METRICS[name] : undefined;
  if (metric === undefined) throw new Error(`the oracle does not know the metric ${id}`);
  return { metric, goal: colon === -1 ? '' : id.slice(colon + 1) };
}
