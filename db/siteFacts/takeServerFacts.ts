/** Stores a batch of conversions or orders from a site's server: a handful of statements, whatever its size. */
import type pg from 'pg';
import type { CollectedProduct } from '../../domain/collect/collected.ts';
import type {
  BatchOutcome,
  ConversionRejection,
  OrderRejection,
  SiteOrderStatus,
} from '../../domain/sites/siteFacts.ts';
import { inTransaction } from '../pool.ts';
import { moveConversions, revalueConversions } from './completeOrders.ts';
import {
  insertConversions,
  insertOrders,
  type ConversionInsert,
  type OrderInsert,
  type StoredOrderOutcome,
} from './insertFacts.ts';
import { findKnownConversions, findKnownOrders, findJsGoals } from './knownFacts.ts';
import { findPurchaseGoals, purchaseConversions } from './purchaseGoals.ts';
import { resolveOwners, type FactOwner, type ResolvedFact } from './resolveOwners.ts';

export interface SentConversion extends FactOwner {
  id: string;
  goal: string;
  value: number | null;
}

export interface SentOrder extends FactOwner {
  transactionId: string;
  status: SiteOrderStatus;
  currency: string | null;
  revenue: number | null;
  products: readonly CollectedProduct[] | null | 'invalid';
}

export interface FactsRequest {
  siteId: string;
  receivedAt: Date;
}

/**
 * Stores conversions. Codes are checked in the order in which the document lists them; a repeat is a duplicate whatever
 * else is wrong with it.
 */
export async function takeConversions(
  pool: pg.Pool,
  { siteId, receivedAt }: FactsRequest,
  sent: readonly SentConversion[],
): Promise<BatchOutcome<ConversionRejection>> {
  const [known, goals] = await Promise.all([
    findKnownConversions(
      pool,
      siteId,
      sent.map(({ id }) => id),
    ),
    findJsGoals(
      pool,
      siteId,
      sent.map(({ goal }) => goal),
    ),
  ]);
  return inTransaction(pool, async (client) => {
    const resolved = await resolveOwners(client, siteId, sent);
    const validated = validateAll(sent, resolved, {
      known,
      keyOf: ({ id }) => id,
      refuse: ({ goal }, fact): ConversionRejection | null => {
        if (!goals.has(goal)) return 'unknown_goal';
        if (fact === null) return 'unknown_visitor';
        return fact.attribution.state === 'none' ? 'too_old' : null;
      },
    });
    const rows = validated.taken.map(({ record: { id, goal, occurredAt, value }, fact }): ConversionInsert => ({
      siteId,
      origin: 'api',
      id,
      goal,
      goalSource: 'api',
      occurredAt,
      receivedAt,
      value: value ?? goals.get(goal) ?? null,
      weight: 1,
      ...fact,
    }));
    return outcomeOf(validated, await insertConversions(client, rows));
  });
}

/**
 * Stores orders in the same way. A row that the tag reported is a duplicate that is completed, and keeps the tag's
 * visit where none is found. A new purchase reaches the site's purchase goals.
 */
export async function takeOrders(
  pool: pg.Pool,
  { siteId, receivedAt }: FactsRequest,
  sent: readonly SentOrder[],
): Promise<BatchOutcome<OrderRejection>> {
  const [origins, goals] = await Promise.all([
    findKnownOrders(
      pool,
      siteId,
      sent.map(({ transactionId }) => transactionId),
    ),
    findPurchaseGoals(pool, siteId),
  ]);
  return inTransaction(pool, async (client) => {
    const validated = validateOrders(sent, await resolveOwners(client, siteId, sent), origins);
    const rows = validated.taken.map(({ record: { products, ...order }, fact }): OrderInsert => ({
      siteId,
      origin: 'api',
      receivedAt,
      weight: 1,
      promoCode: null,
      ...order,
      products: products === 'invalid' ? null : products,
      ...fact,
    }));
    const outcomes = await insertOrders(client, rows);
    const those = (outcome: StoredOrderOutcome) => rows.filter((_row, index) => outcomes[index] === outcome);
    const completed = those('completed').filter(({ status }) => status === 'purchased');
    await insertConversions(client, purchaseConversions(those('new'), goals));
    await revalueConversions(client, purchaseConversions(completed, goals));
    await moveConversions(
      client,
      siteId,
      completed.map(({ transactionId }) => transactionId),
    );
    return outcomeOf(
      validated,
      outcomes.map((outcome) => outcome === 'new'),
    );
  });
}

/** A refund of a known purchase is never too old, because it belongs to the visit of that purchase. */
function validateOrders(
  sent: readonly SentOrder[],
  resolved: readonly (ResolvedFact | null)[],
  origins: ReadonlyMap<string, 'api' | 'tag'>,
): Validated<SentOrder, OrderRejection> {
  const known = new Set([...origins].filter(([, origin]) => origin === 'api').map(([key]) => key));
  const has = (transactionId: string, status: SiteOrderStatus): boolean => {
    const key = orderKey(transactionId, status);
    return origins.has(key) || known.has(key);
  };
  return validateAll(sent, resolved, {
    known,
    keyOf: ({ transactionId, status }) => orderKey(transactionId, status),
    refuse: ({ transactionId, status, products }, fact): OrderRejection | null => {
      const isTold = has(transactionId, status);
      if (fact === null && !isTold) return 'unknown_visitor';
      const isOfKnownPurchase = status === 'refunded' && has(transactionId, 'purchased');
      if (fact?.attribution.state === 'none' && !isTold && !isOfKnownPurchase) return 'too_old';
      return products === 'invalid' ? 'invalid_products' : null;
    },
  });
}

/** The key that findKnownOrders returns. */
const orderKey = (transactionId: string, status: SiteOrderStatus): string => `${status} ${transactionId}`;

interface Validated<Sent, Code extends string> {
  taken: { record: Sent; fact: ResolvedFact }[];
  rejected: BatchOutcome<Code>['rejected'];
  duplicates: number;
}

/**
 * Validates facts one after another: among equal keys the first accepted one counts; a rejected one leaves its key
 * free.
 */
function validateAll<Sent extends FactOwner, Code extends string>(
  sent: readonly Sent[],
  resolved: readonly (ResolvedFact | null)[],
  {
    known,
    keyOf,
    refuse,
  }: { known: Set<string>; keyOf(record: Sent): string; refuse(record: Sent, fact: ResolvedFact | null): Code | null },
): Validated<Sent, Code> {
  const validated: Validated<Sent, Code> = { taken: [], rejected: [], duplicates: 0 };
  for (const [index, record] of sent.entries()) {
    const key = keyOf(record);
    if (known.has(key)) {
      validated.duplicates += 1;
      continue;
    }
    const fact = resolved[index] ?? null;
    const code = refuse(record, fact);
    if (code !== null) validated.rejected.push({ index, code });
    else {
      known.add(key);
      validated.taken.push({ record, fact: fact ?? withoutVisit(record) });
    }
  }
  return validated;
}

/** Returns the owner of a fact whose visitor and user are unknown. */
function withoutVisit({ visitorId, userId }: FactOwner): ResolvedFact {
  return { visitorId, userId, attribution: { state: 'none' } };
}

/** Facts that another request has stored in the meantime are duplicates too. */
function outcomeOf<Code extends string>(
  { rejected, duplicates }: Validated<unknown, Code>,
  isNew: readonly boolean[],
): BatchOutcome<Code> {
  const accepted = isNew.filter(Boolean).length;
  return { accepted, duplicates: duplicates + isNew.length - accepted, rejected };
}
