/** Writes what follows from hits besides visits: conversions, orders and user data. */
import type pg from 'pg';
import {
  insertConversions,
  insertOrders,
  type ConversionInsert,
  type OrderInsert,
} from '../../db/siteFacts/insertFacts.ts';
import { applyUserData } from '../../db/sitePeople/applyTagAndServerData.ts';
import type { Attribution } from '../../domain/sites/siteFacts.ts';
import type { UserDataRecord } from '../../domain/people/personData.ts';
import type { Outcome, TagConversion, TagOrder, TagUserData } from '../../domain/visits/addRequestToVisits.ts';
import type { Visit } from '../../domain/visits/visitState.ts';

/**
 * Writes the orders, the conversions and the user data. Data that the API sent about a purchase is kept, and a purchase
 * that is reported again reaches no goal. Like the API, it writes orders before conversions, so a transaction that
 * waits for another one with the same purchase has not written conversions of that purchase yet.
 */
export async function writeFacts(client: pg.PoolClient, { conversions, orders, users }: Outcome): Promise<void> {
  const bought = await writeOrders(client, orders, users);
  const counted = conversions.filter(
    ({ visit, transactionId }) => transactionId === null || bought.has(purchaseKey(visit, transactionId)),
  );
  if (counted.length > 0) await insertConversions(client, counted.map(conversionInsert));
  for (const [siteId, records] of Map.groupBy(users, (record) => record.siteId))
    await applyUserData(client, siteId, records.map(userData));
}

/** @returns the purchases that are new */
async function writeOrders(
  client: pg.PoolClient,
  orders: readonly TagOrder[],
  users: readonly TagUserData[],
): Promise<Set<string>> {
  if (orders.length === 0) return new Set();
  const logins = users.filter(({ user }) => user.user_id !== undefined);
  const outcomes = await insertOrders(client, orders.map(orderInsert), logins);
  return new Set(
    orders
      .filter(({ status }, index) => status === 'purchased' && outcomes[index] === 'new')
      .map(({ visit, order }) => purchaseKey(visit, order.transaction_id)),
  );
}

const purchaseKey = ({ row }: Visit, transactionId: string): string => `${row.site_id} ${transactionId}`;

function conversionInsert({
  visit,
  userId,
  at,
  receivedAt,
  transactionId: _of,
  ...conversion
}: TagConversion): ConversionInsert {
  return {
    ...conversion,
    ...ownerOf(visit, userId),
    origin: 'tag',
    occurredAt: new Date(at),
    receivedAt: new Date(receivedAt),
  };
}

/** Purchases and refunds are never sampled, so each has weight 1. */
function orderInsert({ status, order, at, receivedAt, visit, userId }: TagOrder): OrderInsert {
  return {
    ...ownerOf(visit, userId),
    origin: 'tag',
    status,
    transactionId: order.transaction_id,
    weight: 1,
    currency: order.currency,
    revenue: order.revenue,
    products: order.products,
    promoCode: order.promo_code,
    occurredAt: new Date(at),
    receivedAt: new Date(receivedAt),
  };
}

/** Returns the owner of a fact. When its user is null, it comes from the visitor's links. */
function ownerOf(
  { row }: Visit,
  userId: string | null,
): {
  siteId: string;
  visitorId: string;
  userId: string | null;
  attribution: Attribution;
} {
  return {
    siteId: row.site_id,
    visitorId: row.visitor_id,
    userId,
    attribution: { state: 'visit', visitId: row.visit_id, startedAt: new Date(row.started_at) },
  };
}

function userData({ visitorId, at, user }: TagUserData): UserDataRecord {
  const { user_id: userId, is_proven: isProven, fingerprint_uuid: fingerprint, ...data } = user;
  return {
    visitorId,
    userId: userId ?? null,
    ...(isProven !== undefined && { isProven }),
    fingerprint: fingerprint ?? null,
    data,
    source: 'user',
    at: new Date(at),
  };
}
