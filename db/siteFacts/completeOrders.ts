/** A purchase or refund that both the tag and the site's server report: one row, which each report completes. */
import type { Queryable } from '../pool.ts';
import { fits } from './visitOfFact.ts';

/** The server's value wins, whichever came first; the tag's is used where the server gave none. */
const reported = (column: string): string =>
  `case when excluded.origin = 'api' then coalesce(excluded.${column}, o.${column}) else coalesce(o.${column}, excluded.${column}) end`;

/**
 * The columns of the owner and the visit. Like the times of the report, they are the server's unless it found no visit.
 */
const OWNER = ['visitor_id', 'attribution', 'visit_id', 'visit_started_at'];
const isServersVisit = `excluded.origin = 'api' and excluded.attribution <> 'none'`;
const serversOrOld = (column: string): string =>
  `case when ${isServersVisit} then excluded.${column} else o.${column} end`;

/**
 * A statement that waits for the visitor's first login sees the order with the user whom that login gave it, while its
 * own user was looked up before.
 */
const USER_OF_SERVERS_VISIT = `coalesce(excluded.user_id, case when excluded.attribution = 'visit' and excluded.visitor_id = o.visitor_id then o.user_id end)`;

/**
 * Amounts come with their own currency, or that of the site where they have none; those of products are amounts too.
 * The currency is that of the first amount in this list, so it does not depend on which report came first.
 */
const CURRENCY = [
  [`excluded.origin = 'api' and excluded.revenue is not null`, 'excluded.currency'],
  ['o.revenue is not null', 'o.currency'],
  ['excluded.revenue is not null', 'excluded.currency'],
  [`excluded.origin = 'api' and excluded.products is not null`, 'excluded.currency'],
  ['o.products is not null', 'o.currency'],
  ['excluded.products is not null', 'excluded.currency'],
].map(([isFirst, currency]) => `when ${isFirst} then ${currency}`);

/** A refund counts at the time of receipt of its request. */
const isRefund = `o.status = 'refunded'`;
/**
 * A report looks for the visit of a fact before the time of the fact. The tag's visit, if it is kept, may have begun
 * later than the server's time; then that time is not used.
 */
const isServersTime = `(${isServersVisit}) or (excluded.origin = 'api' and (o.visit_started_at is null or ${isRefund} or (${fits({ from: 'o.visit_started_at', to: 'o.visit_started_at' }, 'excluded.occurred_at')})))`;

/**
 * Updates an existing row `o`. The time under which the lake may have it is kept as well as the server's, so that the
 * older row can be found. The server changes a row once, and its report is final; the tag changes it as long as it has
 * gaps.
 */
export const COMPLETION = `on conflict (site_id, transaction_id, status) do update set
    revenue = ${reported('revenue')},
    currency = case ${CURRENCY.join(' ')} else ${reported('currency')} end,
    products = ${reported('products')},
    promo_code = ${reported('promo_code')},
    user_id = case when ${isServersVisit} then ${USER_OF_SERVERS_VISIT} when excluded.origin = 'api' then coalesce(excluded.user_id, o.user_id) else o.user_id end,
    ${OWNER.map((column) => `${column} = ${serversOrOld(column)}`).join(',\n    ')},
    server_at = case when ${isServersTime} then case when ${isRefund} then excluded.received_at else excluded.occurred_at end else o.server_at end,
    occurred_at = case when ${isRefund} then ${serversOrOld('occurred_at')} else o.occurred_at end,
    received_at = case when ${isRefund} then o.received_at else ${serversOrOld('received_at')} end,
    origin = 'api', lake_batch = null
  where o.origin <> excluded.origin
    and (excluded.origin = 'api' or (o.revenue is null and excluded.revenue is not null)
         or (o.products is null and excluded.products is not null) or (o.promo_code is null and excluded.promo_code is not null))`;

interface ValuedConversion {
  siteId: string;
  origin: string;
  id: string;
  value: number | null;
}

/** Sets the value of existing conversions to the present value of their purchases; they go to the lake again. */
export async function revalueConversions(client: Queryable, rows: readonly ValuedConversion[]): Promise<void> {
  const valued = rows.filter(({ value }) => value !== null);
  if (valued.length === 0) return;
  await client.query({
    name: 'site-conversions-revalue',
    text: `update site_conversions c set value = n.value, lake_batch = null
             from unnest($1::text[], $2::text[], $3::text[], $4::numeric[]) n (site_id, origin, id, value)
            where c.site_id = n.site_id and c.origin = n.origin and c.id = n.id and c.value is distinct from n.value`,
    values: [
      valued.map(({ siteId }) => siteId),
      valued.map(({ origin }) => origin),
      valued.map(({ id }) => id),
      valued.map(({ value }) => value),
    ],
  });
}

/** The columns that a purchase and its conversions share. */
const MOVED = [...OWNER, 'user_id', 'server_at'];

/**
 * Gives the conversions of these purchases, including those of deleted goals, the same owner, visit and time. The
 * visits that lose conversions are noted for a recount. Their visits are not locked here, because the ingest waits for
 * orders while it holds locks on visits.
 */
export async function moveConversions(
  client: Queryable,
  siteId: string,
  transactionIds: readonly string[],
): Promise<void> {
  if (transactionIds.length === 0) return;
  await client.query({
    name: 'site-conversions-move',
    text: `with left_behind as materialized (
             select c.site_id, c.origin, c.id, c.shard, c.visitor_id as old_visitor, c.visit_id as old_visit, o.received_at, ${MOVED.map((column) => `o.${column}`).join(', ')}
               from unnest($2::text[]) t (id)
               join site_orders o on o.site_id = $1 and o.transaction_id = t.id and o.status = 'purchased'
               join site_conversions c on c.site_id = $1 and c.origin = 'tag' and c.id > 'order:' || t.id || ':' and c.id < 'order:' || t.id || ';'
                and c.id = 'order:' || t.id || ':' || c.goal
              where (${MOVED.map((column) => `c.${column}`).join(', ')}) is distinct from (${MOVED.map((column) => `o.${column}`).join(', ')})
              order by c.id collate "C" for update of c
           ), moved as (
             update site_conversions c set ${[...MOVED, 'received_at'].map((column) => `${column} = l.${column}`).join(', ')}, lake_batch = null
               from left_behind l where c.site_id = l.site_id and c.origin = l.origin and c.id = l.id)
           insert into site_recounts (site_id, visitor_id, visit_id, shard)
           select distinct site_id, old_visitor, old_visit, shard from left_behind
            where old_visit is not null and old_visit is distinct from visit_id order by 1, 2, 3
           on conflict do nothing`,
    values: [siteId, transactionIds],
  });
}
