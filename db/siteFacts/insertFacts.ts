/**
 * Stores conversions and orders of sites. Each counts once, whichever way and however often it arrives.
 * takeServerFacts.ts decides the effect of a repeat from a server.
 */
import type { CollectedProduct } from '../../domain/collect/collected.ts';
import { shardOf } from '../../domain/collect/shards.ts';
import type { Attribution, SiteOrderStatus } from '../../domain/sites/siteFacts.ts';
import type { Queryable } from '../pool.ts';
import { COMPLETION } from './completeOrders.ts';
import { isFree } from './giveFactsToUsers.ts';
import { userOfVisitor } from './visitOfFact.ts';
import { MAX_AMOUNT } from '../../domain/sites/amountLimits.ts';

interface FactInsert {
  siteId: string;
  visitorId: string | null;
  /** Null means the user who was signed in on the visitor's device. */
  userId: string | null;
  occurredAt: Date;
  receivedAt: Date;
  weight: number;
  attribution: Attribution;
}

export interface ConversionInsert extends FactInsert {
  origin: 'api' | 'tag';
  /**
   * For the API it is the client's own id. For the tag it is made of hit and goal, or of transaction and goal, whoever
   * reports the purchase. It is unique within site and origin.
   */
  id: string;
  goal: string;
  goalSource: 'tag' | 'api' | 'url' | 'event';
  /** In the site's currency; null when the goal has no amount either. */
  value: number | null;
}

export interface OrderInsert extends FactInsert {
  transactionId: string;
  status: SiteOrderStatus;
  origin: 'api' | 'tag';
  /** Null means the site's currency, and for a refund that of its purchase. */
  currency: string | null;
  /** Null means unknown, and for a refund the revenue of its purchase. */
  revenue: number | null;
  products: readonly CollectedProduct[] | null;
  promoCode: string | null;
}

/** The user that the fact names, else the user who was signed in on its visitor's device, if that is known already. */
const USER = `case when r.attribution = 'pending' then r.user_id
  else coalesce(r.user_id, ${userOfVisitor({ site: 'r.site_id', visitor: 'r.visitor_id', occurred: 'r.occurred_at' })}) end`;

/**
 * Stores the conversions that do not exist yet, in one statement. If two transactions insert the same conversion, one
 * waits for the other; rows are inserted in key order, so that the two never deadlock.
 * @returns for each row whether it is new; of rows with the same id only the first is
 */
export async function insertConversions(client: Queryable, rows: readonly ConversionInsert[]): Promise<boolean[]> {
  const keyOf = (row: { siteId: string; origin: string; id: string }): string =>
    `${row.siteId}/${row.origin}/${row.id}`;
  const first = firstOfEach(rows, keyOf);
  if (first.size === 0) return [];
  const inserted = await client.query<{ siteId: string; origin: string; id: string }>({
    name: 'site-conversions-insert',
    text: `insert into site_conversions (site_id, origin, id, goal, goal_source, visitor_id, user_id, occurred_at, received_at, value, weight,
                                         attribution, visit_id, visit_started_at, shard)
           select site_id, origin, id, goal, goal_source, visitor_id, ${USER}, occurred_at, received_at, value, weight,
                  attribution, visit_id, visit_started_at, shard
             from json_to_recordset($1) as r (site_id text, origin text, id text, goal text, goal_source text, visitor_id uuid, user_id text,
                    occurred_at timestamptz, received_at timestamptz, value numeric, weight smallint,
                    attribution text, visit_id uuid, visit_started_at timestamptz, shard smallint)
            order by site_id, origin, id collate "C"
           on conflict do nothing returning site_id as "siteId", origin, id`,
    values: [
      JSON.stringify(
        [...first.values()].map((row) => ({
          ...commonColumns(row),
          origin: row.origin,
          id: row.id,
          goal: row.goal,
          goal_source: row.goalSource,
          value: amountOf(row.value),
        })),
      ),
    ],
  });
  return flagFirst(rows, keyOf, inserted.rows.map(keyOf));
}

/** `completed`: the other side had reported it, and this report changed it. `same`: nothing has changed. */
export type StoredOrderOutcome = 'new' | 'completed' | 'same';

/** A visitor who signs in within the transaction. */
export interface Login {
  siteId: string;
  visitorId: string;
}

/**
 * Stores the purchases and refunds that do not exist yet; those that the other side reported are completed
 * ({@link COMPLETION}). A purchase and its refund are two rows. New rows come first, in key order and before any row is
 * locked, so a transaction that waits for another one's new row holds no lock that the other may need. All known rows
 * that the transaction will change are locked after that, in key order again.
 * @param logins visitors to whose users their orders will be given (giveFactsToUsers.ts): these orders are locked too
 * @returns the outcome of each row; of rows with the same transaction and status the first counts
 */
export async function insertOrders(
  client: Queryable,
  rows: readonly OrderInsert[],
  logins: readonly Login[] = [],
): Promise<StoredOrderOutcome[]> {
  const first = firstOfEach(rows, orderKeyOf);
  if (first.size === 0) return [];
  const added = await storeOrders(client, 'add', [...first.values()]);
  const outcomes = new Map(added.map((row): [string, StoredOrderOutcome] => [orderKeyOf(row), 'new']));
  const known = [...first].flatMap(([key, row]) => (outcomes.has(key) ? [] : [row]));
  if (known.length > 0) {
    await lockOrders(client, known, logins);
    for (const row of await storeOrders(client, 'complete', known))
      outcomes.set(orderKeyOf(row), row.isNew ? 'new' : 'completed');
  }
  return rows.map((row) => {
    const outcome = outcomes.get(orderKeyOf(row)) ?? 'same';
    outcomes.delete(orderKeyOf(row));
    return outcome;
  });
}

type OrderKey = Pick<OrderInsert, 'siteId' | 'transactionId' | 'status'>;

const orderKeyOf = ({ siteId, status, transactionId }: OrderKey): string => `${siteId}/${status}/${transactionId}`;

const ON_CONFLICT = { add: 'on conflict do nothing', complete: COMPLETION };

/** @returns the rows that were added or changed */
async function storeOrders(
  client: Queryable,
  known: keyof typeof ON_CONFLICT,
  rows: readonly OrderInsert[],
): Promise<(OrderKey & { isNew: boolean })[]> {
  const stored = await client.query<OrderKey & { isNew: boolean }>({
    name: `site-orders-${known}`,
    text: `insert into site_orders as o (site_id, transaction_id, status, origin, visitor_id, user_id, occurred_at, received_at, currency, revenue, products,
                                    promo_code, weight, attribution, visit_id, visit_started_at, shard)
           select site_id, transaction_id, status, origin, visitor_id, ${USER}, occurred_at, received_at, currency, revenue, products,
                  promo_code, weight, attribution, visit_id, visit_started_at, shard
             from json_to_recordset($1) as r (site_id text, transaction_id text, status text, origin text, visitor_id uuid, user_id text,
                    occurred_at timestamptz, received_at timestamptz, currency text, revenue numeric, products json,
                    promo_code text, weight smallint, attribution text, visit_id uuid, visit_started_at timestamptz, shard smallint)
            order by site_id, transaction_id collate "C", status
           ${ON_CONFLICT[known]}
           returning o.site_id as "siteId", o.transaction_id as "transactionId", o.status, o.xmax = 0 as "isNew"`,
    values: [
      JSON.stringify(
        rows.map((row) => ({
          ...commonColumns(row),
          transaction_id: row.transactionId,
          status: row.status,
          origin: row.origin,
          currency: row.currency?.toUpperCase() ?? null,
          revenue: amountOf(row.revenue),
          products: row.products,
          promo_code: row.promoCode,
        })),
      ),
    ],
  });
  return stored.rows;
}

/**
 * Locks known orders, and those of visitors who sign in, in key order. If nobody signs in, the completion locks the known
 * ones in that order itself.
 */
async function lockOrders(client: Queryable, known: readonly OrderKey[], logins: readonly Login[]): Promise<void> {
  if (logins.length === 0) return;
  await client.query({
    name: 'site-orders-lock',
    text: `with wanted as (
             select * from unnest($1::text[], $2::text[], $3::text[]) as k (site_id, transaction_id, status)
             union
             select o.* from unnest($4::text[], $5::uuid[]) as l (site_id, visitor_id)
              cross join lateral (
                select site_id, transaction_id, status from site_orders o
                 where o.site_id = l.site_id and o.visitor_id = l.visitor_id and ${isFree('o')} offset 0) o)
           select from (select * from wanted order by site_id, transaction_id collate "C", status) w
            cross join lateral (
              select from site_orders o
               where o.site_id = w.site_id and o.transaction_id = w.transaction_id and o.status = w.status for update) o`,
    values: [
      known.map(({ siteId }) => siteId),
      known.map(({ transactionId }) => transactionId),
      known.map(({ status }) => status),
      logins.map(({ siteId }) => siteId),
      logins.map(({ visitorId }) => visitorId),
    ],
  });
}

function commonColumns({
  siteId,
  visitorId,
  userId,
  occurredAt,
  receivedAt,
  weight,
  attribution,
}: FactInsert): Record<string, unknown> {
  return {
    site_id: siteId,
    shard: shardOf(siteId),
    visitor_id: visitorId,
    user_id: userId,
    occurred_at: occurredAt,
    received_at: receivedAt,
    weight,
    attribution: attribution.state,
    ...(attribution.state === 'visit' && { visit_id: attribution.visitId, visit_started_at: attribution.startedAt }),
  };
}

/** Drops an out-of-range amount: the lake would refuse it later, and with it its whole batch. */
function amountOf(value: number | null): number | null {
  return value !== null && Math.abs(value) <= MAX_AMOUNT ? value : null;
}

function firstOfEach<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T> {
  const first = new Map<string, T>();
  for (const row of rows) {
    const key = keyOf(row);
    if (!first.has(key)) first.set(key, row);
  }
  return first;
}

function flagFirst<T>(rows: readonly T[], keyOf: (row: T) => string, inserted: readonly string[]): boolean[] {
  const left = new Set(inserted);
  return rows.map((row) => left.delete(keyOf(row)));
}
