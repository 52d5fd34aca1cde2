/** Orders, net of refunds unless the name says otherwise, and what was in them. */
import type { Metric, Terms } from '../types.ts';
import { amountRatio, distinct, metric, ratio, sum } from './define.ts';
import { allVisits, visitors, visits } from './visits.ts';

const IS_PURCHASE = `o.status = 'purchased'`;
const IS_REFUND = `o.status = 'refunded'`;
const amount = ({ money }: Terms): string => money('o.revenue', 'o.currency');
const missing =
  (rows: string) =>
  (terms: Terms): string =>
    `${rows} and o.revenue is not null and ${amount(terms)} is null`;
/** A part of a purchase that is given back lowers revenue alone. */
const SIGN = `case when ${IS_PURCHASE} then 1 when o.is_full_refund then -1 end`;

const orders = sum('order', 'orders', `${SIGN} * o.weight`);
/** Those whose money is known: what is left out of an amount is left out of what the amount is divided by. */
const pricedOrders = sum(
  'order',
  'priced_orders',
  (terms) => `case when ${amount(terms)} is not null then ${SIGN} * o.weight end`,
);
const revenue = sum(
  'order',
  'revenue',
  (terms) => `case when ${IS_PURCHASE} then o.weight else -o.weight end * ${amount(terms)}`,
  { isMissing: missing('true') },
);
const grossRevenue = sum(
  'order',
  'gross_revenue',
  (terms) => `case when ${IS_PURCHASE} then o.weight * ${amount(terms)} end`,
  { isMissing: missing(IS_PURCHASE) },
);
const refunds = sum('order', 'refunds', `case when ${IS_REFUND} then o.weight end`);
const refundRevenue = sum(
  'order',
  'refund_revenue',
  (terms) => `case when ${IS_REFUND} then o.weight * ${amount(terms)} end`,
  { isMissing: missing(IS_REFUND) },
);
const firstOrders = sum('order', 'first_orders', `case when ${IS_PURCHASE} and o.is_first then o.weight end`);
const repeatOrders = sum('order', 'repeat_orders', `case when ${IS_PURCHASE} and not o.is_first then o.weight end`);
const buyers = distinct('order', 'buyers', ({ person }) => [person], {
  where: () => IS_PURCHASE,
  namedUser: 'o.user_id',
});
/** Of visits of the period, whenever the purchase came. */
const buyingVisits = sum('visit', 'buying_visits', (terms) => `case when ${terms.bought()} then v.weight end`);

type Given = Omit<Parameters<typeof metric>[0], 'group' | 'level'>;
const of = (given: Given): Metric => metric({ group: 'orders', level: 'order', ...given });
const perVisit = (sql: string | ((terms: Terms) => string)): Metric['ofVisit'] => ({
  from: 'order',
  sql: typeof sql === 'string' ? () => sql : sql,
});

export const ORDERS: readonly Metric[] = [
  of({
    id: 'orders',
    type: 'count',
    label: { en: 'Orders', ru: 'Заказы' },
    ofVisit: perVisit(`sum(${SIGN})`),
    sql: (use) => use(orders),
  }),
  of({ id: 'buyers', type: 'count', label: { en: 'Buyers', ru: 'Покупатели' }, sql: (use) => use(buyers) }),
  of({
    id: 'revenue',
    type: 'money',
    label: { en: 'Revenue', ru: 'Доход' },
    ofVisit: perVisit((terms) => `sum(case when ${IS_PURCHASE} then 1 else -1 end * ${amount(terms)})`),
    sql: (use) => use(revenue),
  }),
  of({
    id: 'avg_order_value',
    type: 'money',
    label: { en: 'Average order', ru: 'Средний чек' },
    sql: (use) => amountRatio(use(revenue), use(pricedOrders)),
  }),
  of({
    id: 'revenue_per_visit',
    type: 'money',
    label: { en: 'Revenue per visit', ru: 'Доход на визит' },
    sql: (use) => amountRatio(use(revenue), use(visits)),
  }),
  of({
    id: 'revenue_per_visitor',
    type: 'money',
    label: { en: 'Revenue per visitor', ru: 'Доход на посетителя' },
    sql: (use) => amountRatio(use(revenue), use(visitors)),
  }),
  of({
    id: 'order_conversion_rate',
    type: 'share',
    label: { en: 'Conversion rate into orders', ru: 'Конверсия в заказ' },
    sql: (use) => ratio(use(buyingVisits), use(allVisits)),
  }),
  of({
    id: 'refunds',
    type: 'count',
    label: { en: 'Refunds', ru: 'Возвраты' },
    ofVisit: perVisit(`count(*) filter (where ${IS_REFUND})`),
    sql: (use) => use(refunds),
  }),
  of({
    id: 'refund_revenue',
    type: 'money',
    label: { en: 'Revenue refunded', ru: 'Сумма возвратов' },
    ofVisit: perVisit((terms) => `sum(${amount(terms)}) filter (where ${IS_REFUND})`),
    sql: (use) => use(refundRevenue),
  }),
  of({
    id: 'gross_revenue',
    type: 'money',
    label: { en: 'Revenue without refunds', ru: 'Доход без вычета возвратов' },
    ofVisit: perVisit((terms) => `sum(${amount(terms)}) filter (where ${IS_PURCHASE})`),
    sql: (use) => use(grossRevenue),
  }),
  of({
    id: 'first_orders',
    type: 'count',
    label: { en: 'First orders', ru: 'Первые заказы' },
    ofVisit: perVisit(`count(*) filter (where ${IS_PURCHASE} and o.is_first)`),
    sql: (use) => use(firstOrders),
  }),
  of({
    id: 'repeat_orders',
    type: 'count',
    label: { en: 'Repeat orders', ru: 'Повторные заказы' },
    ofVisit: perVisit(`count(*) filter (where ${IS_PURCHASE} and not o.is_first)`),
    sql: (use) => use(repeatOrders),
  }),
];
