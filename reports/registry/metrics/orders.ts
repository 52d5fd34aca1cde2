/** Orders, net of refunds unless the name says otherwise. */
import { sql, type Sql } from '../../sql/index.ts';
import { o, v } from '../entry/columns.ts';
import { HAS_PURCHASE, money, PERSON, type Expression } from '../entry/terms.ts';
import type { Metric } from '../entry/types.ts';
import {
  amountIf,
  amountRatio,
  countIf,
  distinct,
  metric,
  ratio,
  sum,
  sumIf,
  type GivenPerVisit,
} from './defineMetric.ts';
import { allVisits, visitors, visits } from './visits.ts';

const IS_PURCHASE = sql`${o.status} = 'purchased'`;
const IS_REFUND = sql`${o.status} = 'refunded'`;
/** In the site's currency, by its rates (compile/context/fillTerms.ts); null without a rate. */
const AMOUNT = money(o.revenue, o.currency);
/** Returns the condition that the row has an amount whose currency has no rate. */
const missing = (rows: Sql): Expression => sql`${rows} and ${o.revenue} is not null and ${AMOUNT} is null`;
/** A full refund cancels the order; a partial one only lowers revenue. */
const SIGN = sql`case when ${IS_PURCHASE} then 1 when ${o.is_full_refund} then -1 end`;

const orders = sum('order', 'orders', sql`${SIGN} * ${o.weight}`);
/** Orders whose amount is known: the denominator leaves out the same orders as the numerator. */
const pricedOrders = sum('order', 'priced_orders', amountIf(sql`${AMOUNT} is not null`, sql`${SIGN} * ${o.weight}`));
const revenue = sum(
  'order',
  'revenue',
  sql`case when ${IS_PURCHASE} then ${o.weight} else -${o.weight} end * ${AMOUNT}`,
  { isRateMissing: missing(sql`true`) },
);
const grossRevenue = sum('order', 'gross_revenue', amountIf(IS_PURCHASE, sql`${o.weight} * ${AMOUNT}`), {
  isRateMissing: missing(IS_PURCHASE),
});
const refunds = sum('order', 'refunds', amountIf(IS_REFUND, o.weight));
const refundRevenue = sum('order', 'refund_revenue', amountIf(IS_REFUND, sql`${o.weight} * ${AMOUNT}`), {
  isRateMissing: missing(IS_REFUND),
});
const firstOrders = sum('order', 'first_orders', amountIf(sql`${IS_PURCHASE} and ${o.is_first}`, o.weight));
const repeatOrders = sum('order', 'repeat_orders', amountIf(sql`${IS_PURCHASE} and not ${o.is_first}`, o.weight));
const buyers = distinct('order', 'buyers', PERSON, { where: IS_PURCHASE, namedUser: o.user_id });
/** Visits of the period that have a purchase at any time. */
const buyingVisits = sum('visit', 'buying_visits', amountIf(HAS_PURCHASE, v.weight));

type MetricOptions = Omit<Parameters<typeof metric>[0], 'group' | 'level'>;
const orderMetric = (given: MetricOptions): Metric => metric({ group: 'orders', level: 'order', ...given });
const perVisit = (value: Expression): GivenPerVisit => ({ level: 'order', value });

export const ORDERS: readonly Metric[] = [
  orderMetric({
    id: 'orders',
    type: 'count',
    label: { en: 'Orders', ru: 'Заказы' },
    perVisit: perVisit(sql`sum(${SIGN})`),
    value: orders,
  }),
  orderMetric({ id: 'buyers', type: 'count', label: { en: 'Buyers', ru: 'Покупатели' }, value: buyers }),
  orderMetric({
    id: 'revenue',
    type: 'money',
    label: { en: 'Revenue', ru: 'Доход' },
    perVisit: perVisit(sql`sum(case when ${IS_PURCHASE} then 1 else -1 end * ${AMOUNT})`),
    value: revenue,
  }),
  orderMetric({
    id: 'avg_order_value',
    type: 'money',
    label: { en: 'Average order value', ru: 'Средний чек' },
    value: amountRatio(revenue, pricedOrders),
  }),
  orderMetric({
    id: 'revenue_per_visit',
    type: 'money',
    label: { en: 'Revenue per visit', ru: 'Доход на визит' },
    value: amountRatio(revenue, visits),
  }),
  orderMetric({
    id: 'revenue_per_visitor',
    type: 'money',
    label: { en: 'Revenue per visitor', ru: 'Доход на посетителя' },
    value: amountRatio(revenue, visitors),
  }),
  orderMetric({
    id: 'order_conversion_rate',
    type: 'share',
    label: { en: 'Order conversion rate', ru: 'Конверсия в заказ' },
    value: ratio(buyingVisits, allVisits),
  }),
  orderMetric({
    id: 'refunds',
    type: 'count',
    label: { en: 'Refunds', ru: 'Возвраты' },
    perVisit: perVisit(countIf(IS_REFUND)),
    value: refunds,
  }),
  orderMetric({
    id: 'refund_revenue',
    type: 'money',
    label: { en: 'Refunded revenue', ru: 'Сумма возвратов' },
    perVisit: perVisit(sumIf(IS_REFUND, AMOUNT)),
    value: refundRevenue,
  }),
  orderMetric({
    id: 'gross_revenue',
    type: 'money',
    label: { en: 'Revenue before refunds', ru: 'Доход без вычета возвратов' },
    perVisit: perVisit(sumIf(IS_PURCHASE, AMOUNT)),
    value: grossRevenue,
  }),
  orderMetric({
    id: 'first_orders',
    type: 'count',
    label: { en: 'First orders', ru: 'Первые заказы' },
    perVisit: perVisit(countIf(sql`${IS_PURCHASE} and ${o.is_first}`)),
    value: firstOrders,
  }),
  orderMetric({
    id: 'repeat_orders',
    type: 'count',
    label: { en: 'Repeat orders', ru: 'Повторные заказы' },
    perVisit: perVisit(countIf(sql`${IS_PURCHASE} and not ${o.is_first}`)),
    value: repeatOrders,
  }),
];
