/** Lines of orders. */
import type { Metric, Terms } from '../types.ts';
import { amountRatio, distinct, metric, sum } from './define.ts';

const IS_PURCHASE = `l.status = 'purchased'`;
const IS_REFUND = `l.status = 'refunded'`;
/** The product of two DECIMAL(24,6) does not fit any DECIMAL; what DOUBLE has is exact to the cent up to a thousand billion. */
const amount = ({ money }: Terms): string => money('round(l.price::DOUBLE * l.quantity::DOUBLE, 6)', 'l.currency');

const quantity = sum('product', 'product_quantity', `case when ${IS_PURCHASE} then l.weight * l.quantity end`);
/** As the orders of an average (orders.ts). */
const pricedQuantity = sum(
  'product',
  'priced_quantity',
  (terms) => `case when ${IS_PURCHASE} and ${amount(terms)} is not null then l.weight * l.quantity end`,
);
const revenue = sum(
  'product',
  'product_revenue',
  (terms) => `case when ${IS_PURCHASE} then l.weight * ${amount(terms)} end`,
  {
    isMissing: (terms) => `${IS_PURCHASE} and l.price is not null and ${amount(terms)} is null`,
  },
);
const refunded = sum('product', 'product_refunded_quantity', `case when ${IS_REFUND} then l.weight * l.quantity end`);
const orders = distinct('product', 'product_orders', 'l.transaction_id', { where: () => IS_PURCHASE });

type Given = Omit<Parameters<typeof metric>[0], 'group' | 'level'>;
const of = (given: Given): Metric => metric({ group: 'products', level: 'product', ...given });
const perVisit = (sql: string | ((terms: Terms) => string)): Metric['ofVisit'] => ({
  from: 'product',
  sql: typeof sql === 'string' ? () => sql : sql,
});

export const PRODUCTS: readonly Metric[] = [
  of({
    id: 'product_quantity',
    type: 'number',
    label: { en: 'Products bought', ru: 'Куплено товаров' },
    ofVisit: perVisit(`sum(l.quantity) filter (where ${IS_PURCHASE})`),
    sql: (use) => use(quantity),
  }),
  of({
    id: 'product_revenue',
    type: 'money',
    label: { en: 'Revenue of products', ru: 'Доход по товарам' },
    ofVisit: perVisit((terms) => `sum(${amount(terms)}) filter (where ${IS_PURCHASE})`),
    sql: (use) => use(revenue),
  }),
  of({
    id: 'product_orders',
    type: 'count',
    label: { en: 'Orders with the product', ru: 'Заказы с товаром' },
    ofVisit: perVisit(`count(distinct l.transaction_id) filter (where ${IS_PURCHASE})`),
    sql: (use) => use(orders),
  }),
  of({
    id: 'product_avg_price',
    type: 'money',
    label: { en: 'Average price', ru: 'Средняя цена' },
    sql: (use) => amountRatio(use(revenue), use(pricedQuantity)),
  }),
  of({
    id: 'product_refunded_quantity',
    type: 'number',
    label: { en: 'Products returned', ru: 'Возвращено товаров' },
    ofVisit: perVisit(`sum(l.quantity) filter (where ${IS_REFUND})`),
    sql: (use) => use(refunded),
  }),
];
