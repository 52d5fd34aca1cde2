/** Conversions, orders with their lines and refunds, and logins, as expressions over the visits of a month. */
import type { LakeConnection } from '../../../../reports/lake/connection.ts';
import { END } from './sitesAndPeriod.ts';

const GOALS = `['cart', 'call', 'signup', 'form', 'video', 'pricing', 'chat', 'download']`;
const PRODUCTS = 800;
const ORDER = `chance('order', i) < 0.012`;

const MACROS = [
  // One visitor in ten is known by name, and was logged in during most visits.
  `user_of(visitor, i) as case when chance('user', visitor) < 0.1 and chance('login', i) < 0.7 then 'user-' || visitor end`,
  `price_of(product) as (290 + below('price', product, 5000))::DECIMAL(24,6)`,
];

export async function createFacts(connection: LakeConnection): Promise<void> {
  for (const macro of MACROS) await connection.query(`create or replace temp macro ${macro}`);
}

/** Creates the facts before the visits, which include their number. */
export async function createMonthFacts(connection: LakeConnection): Promise<void> {
  await connection.query(`create or replace temp table month_goals as
    select site_id, i, visitor, started_at, k, case when k = 9 then 'purchase' else popular('goal', i * 16 + k, ${GOALS}) end as goal
      from (select *, unnest(case when chance('goal', i) < 0.012 then [0, 1] when chance('goal', i) < 0.06 then [0] else []::INTEGER[] end || case when ${ORDER} then [9] else [] end) as k from month_base)`);
  await connection.query(`create or replace temp table month_lines as
    select *, zipf('product', i * 8 + line, ${PRODUCTS}) as product, (1 + zipf('quantity', i * 8 + line, 4))::DECIMAL(24,6) as quantity
      from (select site_id, i, visitor, started_at, number, unnest(range(1, 2 + zipf('lines', i, 5))) as line from month_base where ${ORDER})`);
  await connection.query(`create or replace temp table month_orders as
    with sums as (select i, sum(price_of(product) * quantity)::DECIMAL(24,6) as revenue from month_lines group by i),
    bought as (select site_id, i, visitor, started_at, number, revenue from month_base join sums using (i))
    select *, 'purchased' as status, started_at + interval 4 minute as happened_at from bought
    union all select *, 'refunded', started_at + interval 6 day from bought where chance('refund', i) < 0.05 and started_at + interval 6 day < TIMESTAMP '${END}'`);
}

const FACT = `site_id, uuid_of('visitor', visitor) as visitor_id, below('bucket', visitor, 10000)::SMALLINT as visitor_bucket, user_of(visitor, i) as user_id,
  uuid_of('visit', i) as visit_id, started_at as visit_started_at, 1::SMALLINT as weight`;

export const CONVERSIONS = `
  select ${FACT}, started_at + interval 2 minute as "at", 'tag' as origin, uuid_of('conversion', i * 16 + k)::VARCHAR as conversion_id, goal,
         case when goal = 'pricing' then 'url' when goal in ('form', 'purchase') then 'event' else 'tag' end as goal_source,
         case when goal in ('cart', 'signup') then (100 + below('value', i, 900))::DECIMAL(24,6) end as value from month_goals`;

export const ORDERS = `
  select ${FACT}, happened_at as "at", 'order-' || i as transaction_id, status, 'tag' as origin, 'RUB' as currency, revenue,
         case when chance('promo', i) < 0.2 then ['CHAI10', 'LETO', 'PODAROK'][1 + below('code', i, 3)] end as promo_code,
         case when status = 'purchased' then number = 1 end as is_first, case when status = 'refunded' then true end as is_full_refund from month_orders`;

export const ORDER_LINES = `
  select ${FACT}, started_at + interval 4 minute as "at", 'order-' || i as transaction_id, 'purchased' as status, line::INTEGER as line, 'RUB' as currency,
         'product-' || product as product_id, 'Чай ' || product as product_name, 'Brand ' || product % 40 as product_brand, ['50 г', '100 г', '250 г'][1 + product % 3] as product_variant,
         ['Чай', 'Посуда', 'Сладости'][1 + product % 3] || '/' || 'Раздел ' || product % 15 as product_category, price_of(product) as price, quantity from month_lines`;
