/** Products: the lines of orders. */
import { call, sql } from '../../sql/index.ts';
import { l } from '../entry/columns.ts';
import { money, type Expression } from '../entry/terms.ts';
import type { Metric } from '../entry/types.ts';
import { amountIf, amountRatio, distinct, metric, sum, sumIf, type GivenPerVisit } from './defineMetric.ts';

const IS_PURCHASE = sql`${l.status} = 'purchased'`;
const IS_REFUND = sql`${l.status} = 'refunded'`;
/**
 * The product of two DECIMAL(24,6) does not fit any DECIMAL; a DOUBLE is exact to the cent up to a thousand billion.
 */
const AMOUNT = money(sql`round(${call('double', l.price)} * ${call('double', l.quantity)}, 6)`, l.currency);
const WEIGHTED = sql`${l.weight} * ${l.quantity}`;

const quantity = sum('product', 'product_quantity', amountIf(IS_PURCHASE, WEIGHTED));
/** Products whose amount is known, as in orders.ts. */
const pricedQuantity = sum(
  'product',
  'priced_quantity',
  amountIf(sql`${IS_PURCHASE} and ${AMOUNT} is not null`, WEIGHTED),
);
const revenue = sum('product', 'product_revenue', amountIf(IS_PURCHASE, sql`${l.weight} * ${AMOUNT}`), {
  isRateMissing: sql`${IS_PURCHASE} and ${l.price} is not null and ${AMOUNT} is null`,
});
const refunded = sum('product', 'product_refunded_quantity', amountIf(IS_REFUND, WEIGHTED));
const orders = distinct('product', 'product_orders', l.transaction_id, { where: IS_PURCHASE });

type MetricOptions = Omit<Parameters<typeof metric>[0], 'group' | 'level'>;
const productMetric = (given: MetricOptions): Metric => metric({ group: 'products', level: 'product', ...given });
const perVisit = (value: Expression): GivenPerVisit => ({ level: 'product', value });

export const PRODUCTS: readonly Metric[] = [
  productMetric({
    id: 'product_quantity',
    type: 'number',
    label: { en: 'Products bought', ru: 'Куплено товаров' },
    perVisit: perVisit(sumIf(IS_PURCHASE, l.quantity)),
    value: quantity,
  }),
  productMetric({
    id: 'product_revenue',
    type: 'money',
    label: { en: 'Product revenue', ru: 'Доход по товарам' },
    perVisit: perVisit(sumIf(IS_PURCHASE, AMOUNT)),
    value: revenue,
  }),
  productMetric({
    id: 'product_orders',
    type: 'count',
    label: { en: 'Orders with the product', ru: 'Заказы с товаром' },
    perVisit: perVisit(sql`count(distinct ${l.transaction_id}) filter (where ${IS_PURCHASE})`),
    value: orders,
  }),
  productMetric({
    id: 'product_avg_price',
    type: 'money',
    label: { en: 'Average price', ru: 'Средняя цена' },
    value: amountRatio(revenue, pricedQuantity),
  }),
  productMetric({
    id: 'product_refunded_quantity',
    type: 'number',
    label: { en: 'Products returned', ru: 'Возвращено товаров' },
    perVisit: perVisit(sumIf(IS_REFUND, l.quantity)),
    value: refunded,
  }),
];
