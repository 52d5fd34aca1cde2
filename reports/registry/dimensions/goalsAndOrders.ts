/** Goals, orders and their products. */
import { call, literal, raw, sql, type Sql } from '../../sql/index.ts';
import { c, l, o } from '../entry/columns.ts';
import type { Dimension } from '../entry/types.ts';
import { dimension } from './defineDimension.ts';

export const GOAL: readonly Dimension[] = [
  dimension({
    id: 'goal',
    group: 'goal',
    level: 'goal',
    label: { en: 'Goal', ru: 'Цель' },
    names: 'goals',
    key: c.goal,
  }),
  dimension({
    id: 'goal_source',
    group: 'goal',
    level: 'goal',
    label: { en: 'Source of the conversion', ru: 'Способ достижения цели' },
    key: c.goal_source,
  }),
];

const order = (id: string, key: Sql, en: string, ru: string): Dimension =>
  dimension({ id, group: 'order', level: 'order', label: { en, ru }, key });

export const ORDER: readonly Dimension[] = [
  order('order_status', o.status, 'Order status', 'Статус заказа'),
  order('order_currency', o.currency, 'Order currency', 'Валюта заказа'),
  order('transaction_id', o.transaction_id, 'Order', 'Заказ'),
  order('promo_code', o.promo_code, 'Promo code', 'Промокод'),
];

const product = (id: string, key: Sql, en: string, ru: string): Dimension =>
  dimension({ id, group: 'product', level: 'product', label: { en, ru }, key });

export const PRODUCT: readonly Dimension[] = [
  product('product_id', l.product_id, 'Product', 'Товар'),
  product('product_name', l.product_name, 'Product name', 'Название товара'),
  product('product_brand', l.product_brand, 'Product brand', 'Бренд товара'),
  product('product_variant', l.product_variant, 'Product variant', 'Вариант товара'),
  ...[1, 2, 3, 4, 5].map((level) =>
    product(
      `product_category_level${level}`,
      sql`nullif(${call('splitPart', l.product_category, literal('/'), raw(String(level)))}, '')`,
      `Product category, level ${level}`,
      `Категория товара, уровень ${level}`,
    ),
  ),
];
