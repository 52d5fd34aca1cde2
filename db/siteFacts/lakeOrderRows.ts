/**
 * Orders as the lake has them: the fields that a refund takes from its purchase, and which purchase is a person's
 * first.
 */
import type pg from 'pg';
import type { CollectedProduct } from '../../domain/collect/collected.ts';
import type { OrderLineRow, OrderRow } from '../../domain/reports/lakeRows.ts';
import { isFullRefund } from '../../domain/orders/refunds.ts';
import type { SiteOrderStatus } from '../../domain/sites/siteFacts.ts';
import { OCCURRED } from './attributePending.ts';
import { userOfUnseenLogin } from './giveFactsToUsers.ts';
import { factRow, type StoredFact } from './lakeFactRow.ts';

interface OrderKey {
  site_id: string;
  transaction_id: string;
  status: SiteOrderStatus;
}

/** Returns SQL for the time of a purchase. */
const at = (alias: string): string => `coalesce(${alias}.server_at, ${alias}.occurred_at)`;

/**
 * SQL condition: the purchase `b` changes the purchase `l` of the same person, because `l` was the first one until now,
 * or because the server moved `b` past it.
 */
const IS_CHANGED_BY_IT = `((l.is_first and ${at('l')} >= ${at('b')}) or ${at('l')} between b.occurred_at and ${at('b')})`;

/**
 * Marks the orders to stage, and with them those that they change: the refund of a purchase, which may have been staged
 * before it, and the purchase that was its person's first until now. This is decided by what is committed when a
 * purchase is staged, so the order of the writes does not matter. Pending orders are left until they are attributed: if
 * one was marked, its visit would never reach the lake. A purchase with amounts but without a currency gets that of
 * the site, which may have another one by the time of its refund. One without amounts is left without a currency, because
 * the tag may still report both. An order that only now gets its user is staged in the next turn, when others see its
 * user too.
 */
export async function settleOrders(
  client: pg.ClientBase,
  shard: number,
  batchId: string,
  limit: number,
): Promise<OrderKey[]> {
  const { rows } = await client.query<OrderKey>({
    name: 'site-orders-settle',
    text: `with picked as materialized (
             select site_id, transaction_id, status, visitor_id, user_id, occurred_at, server_at, ${userOfUnseenLogin('site_orders', OCCURRED.site_orders)} as late_user from site_orders
              where shard = $1 and lake_batch is null and attribution <> 'pending' limit $3 for update skip locked
           ), given as (
             update site_orders o set user_id = p.late_user from picked p
              where p.late_user is not null and o.site_id = p.site_id and o.transaction_id = p.transaction_id and o.status = p.status
           ), bought as materialized (
             select * from picked where status = 'purchased' and late_user is null
           ), touched as (
             select site_id, transaction_id, status from picked where late_user is null
             union
             select r.site_id, r.transaction_id, r.status from bought b
               join site_orders r on r.site_id = b.site_id and r.transaction_id = b.transaction_id and r.status = 'refunded'
             union
             select l.site_id, l.transaction_id, l.status from bought b
               join site_orders l on l.site_id = b.site_id and l.visitor_id = b.visitor_id and l.status = 'purchased' and ${IS_CHANGED_BY_IT}
             union
             select l.site_id, l.transaction_id, l.status from bought b
               join site_orders l on l.site_id = b.site_id and l.user_id = b.user_id and l.status = 'purchased' and ${IS_CHANGED_BY_IT})
           update site_orders o set lake_batch = $2,
                  currency = coalesce(o.currency, case when o.status = 'purchased' and (o.revenue is not null or o.products is not null) then (select s.currency from sites s where s.id = o.site_id) end),
                  is_first = case when o.status = 'purchased' then
                  not exists (select from site_orders e where e.site_id = o.site_id and e.visitor_id = o.visitor_id and e.status = 'purchased'
                                 and (${at('e')}, e.transaction_id) < (${at('o')}, o.transaction_id))
              and not exists (select from site_orders e where e.site_id = o.site_id and e.user_id = o.user_id and e.status = 'purchased'
                                 and (${at('e')}, e.transaction_id) < (${at('o')}, o.transaction_id)) end
             from touched t
            where o.site_id = t.site_id and o.transaction_id = t.transaction_id and o.status = t.status and o.attribution <> 'pending'
              and (o.site_id, o.transaction_id, o.status) not in (select site_id, transaction_id, status from picked where late_user is not null)
           returning o.site_id, o.transaction_id, o.status`,
    values: [shard, batchId, limit],
  });
  return rows;
}

export interface StoredOrder extends StoredFact, OrderKey {
  origin: string;
  at: Date;
  /** The time under which the lake may have an older row. */
  former_at: Date | null;
  /** Currency of the revenue: a refund that takes the revenue of its purchase has the purchase's currency. */
  currency: string;
  /** Currency of the order's own prices, and of an amount that it states itself. */
  own_currency: string;
  revenue: number | null;
  /** The revenue that the refund states itself; `revenue` above falls back to the purchase's. */
  own_revenue: number | null;
  products: CollectedProduct[] | null;
  promo_code: string | null;
  is_first: boolean | null;
  /** Null when this is not a refund, or when its purchase is unknown. */
  bought: { revenue: number | null; currency: string; products: CollectedProduct[] | null } | null;
  site_currency: string;
  rates: Record<string, number>;
}

/** A refund counts at the time of its request. */
const REPORTED_AT = `case when o.status = 'refunded' then o.received_at else o.occurred_at end`;
const OWN_CURRENCY = 'coalesce(o.currency, p.currency, s.currency)';

/** Returns orders to stage. A refund has the owner and the visit of its purchase, once that is known. */
export async function readStagedOrders(client: pg.ClientBase, keys: readonly OrderKey[]): Promise<StoredOrder[]> {
  if (keys.length === 0) return [];
  const own = (column: string): string =>
    `case when p.attribution <> 'pending' then p.${column} else o.${column} end as ${column}`;
  const { rows } = await client.query<StoredOrder>({
    name: 'site-orders-staged',
    text: `select o.site_id, o.transaction_id, o.status, o.origin, ${['visitor_id', 'user_id', 'visit_id', 'visit_started_at'].map(own).join(', ')}, o.weight,
                  coalesce(o.server_at, ${REPORTED_AT}) as at, case when o.server_at is not null then ${REPORTED_AT} end as former_at,
                  case when o.revenue is null and p.revenue is not null then coalesce(p.currency, s.currency) else ${OWN_CURRENCY} end as currency, ${OWN_CURRENCY} as own_currency,
                  coalesce(o.revenue, p.revenue)::float8 as revenue, o.revenue::float8 as own_revenue,
                  o.products, o.promo_code, o.is_first, s.currency as site_currency, s.rates,
                  case when p.site_id is not null
                    then json_build_object('revenue', p.revenue, 'currency', coalesce(p.currency, s.currency), 'products', p.products) end as bought
             from unnest($1::text[], $2::text[], $3::text[]) as k (site_id, transaction_id, status)
             join site_orders o on o.site_id = k.site_id and o.transaction_id = k.transaction_id and o.status = k.status
             join sites s on s.id = o.site_id
             left join site_orders p on o.status = 'refunded' and p.site_id = o.site_id and p.transaction_id = o.transaction_id and p.status = 'purchased'`,
    values: [keys.map((key) => key.site_id), keys.map((key) => key.transaction_id), keys.map((key) => key.status)],
  });
  return rows;
}

export function orderRows(orders: readonly StoredOrder[]): { orders: OrderRow[]; order_lines: OrderLineRow[] } {
  const staged = orders.map((order) => ({ order, isFull: order.status === 'refunded' ? isFull(order) : null }));
  return {
    orders: staged.map(({ order, isFull }) => ({
      ...factRow(order, order.at),
      ...(order.former_at !== null && { former_at: order.former_at.getTime() }),
      transaction_id: order.transaction_id,
      status: order.status,
      origin: order.origin,
      currency: order.currency,
      revenue: order.revenue,
      promo_code: order.promo_code,
      is_first: order.is_first,
      is_full_refund: isFull,
    })),
    order_lines: staged.flatMap(({ order, isFull }) => linesOf(order, isFull ?? false)),
  };
}

function isFull({ own_revenue: revenue, own_currency: currency, bought, site_currency, rates }: StoredOrder): boolean {
  return isFullRefund({ revenue, currency }, bought, { currency: site_currency, rates });
}

/** A full refund that names no products refunds the whole purchase. */
function linesOf(order: StoredOrder, isFullRefund: boolean): OrderLineRow[] {
  const { products, currency } = order.products
    ? { products: order.products, currency: order.own_currency }
    : {
        products: (isFullRefund ? order.bought?.products : null) ?? [],
        currency: order.bought?.currency ?? order.own_currency,
      };
  return products.map((product, line) => ({
    ...factRow(order, order.at),
    transaction_id: order.transaction_id,
    status: order.status,
    line,
    currency,
    product_id: product.id,
    product_name: product.name,
    product_brand: product.brand,
    product_variant: product.variant,
    product_category: product.category,
    price: product.price,
    quantity: product.qty ?? 1,
  }));
}
