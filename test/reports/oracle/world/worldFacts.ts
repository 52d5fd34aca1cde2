/** Conversions, orders and their lines: of visits, of visitors without a visit, of users. */
import type { ConversionRow, FactRow, OrderLineRow, OrderRow } from '../../../../domain/reports/lakeRows.ts';
import type { Dice } from './dice.ts';
import * as pools from './pools.ts';
import { DAY, HOUR, type RandomVisit, type RandomVisitor } from './worldVisits.ts';

export interface RandomFacts {
  conversions: ConversionRow[];
  orders: OrderRow[];
  lines: OrderLineRow[];
}

/** Returns facts of one visitor, or of users without a known visitor. */
export function randomFacts(
  dice: Dice,
  visitor: RandomVisitor,
  visits: readonly RandomVisit[],
  base: number,
  prefix: string,
): RandomFacts {
  const conversions = dice.times(0, 3, (index) =>
    randomConversion(dice, factOf(dice, visitor, visits, base), `${prefix}-${index}`),
  );
  const bought = dice.times(0, 2, (index) =>
    randomOrder(dice, factOf(dice, visitor, visits, base), `${prefix}-t${index}`),
  );
  const refunds = bought.filter(() => dice.chance(50)).map((order) => refundOf(dice, order));
  const unknown = dice.chance(10)
    ? [refundOf(dice, randomOrder(dice, factOf(dice, visitor, visits, base), `${prefix}-x`))].map((order) => ({
        ...order,
        is_full_refund: false,
      }))
    : [];
  const orders = [...bought, ...refunds, ...unknown];
  return { conversions, orders, lines: orders.flatMap((order) => randomLines(dice, order)) };
}

/** Attributes a fact to the last visit that began at or before it, at most 90 days earlier. */
function factOf(dice: Dice, visitor: RandomVisitor, visits: readonly RandomVisit[], base: number): FactRow {
  const near = visits.length > 0 && dice.chance(70) ? dice.pick(visits).row : null;
  const at =
    near === null
      ? base + dice.int(-100, 100) * HOUR
      : near.started_at + dice.pick([0, 1, 60_000, 2 * HOUR, dice.int(0, 80) * DAY]);
  const isOfUser = dice.chance(15);
  const visit = isOfUser
    ? undefined
    : visits.findLast(({ row }) => row.started_at <= at && at - row.started_at <= 90 * DAY);
  return {
    site_id: visitor.siteId,
    visitor_id: isOfUser ? null : visitor.visitorId,
    visitor_bucket: visitor.bucket,
    user_id: isOfUser || (dice.chance(30) && visitor.userId !== null) ? dice.pick(pools.USERS) : visitor.userId,
    visit_id: visit?.row.visit_id ?? null,
    visit_started_at:
      visit === undefined ? null : Math.min(at, visit.row.started_at + dice.pick([0, 0, dice.int(0, HOUR)])),
    at,
    weight: 1,
  };
}

function randomConversion(dice: Dice, fact: FactRow, id: string): ConversionRow {
  return {
    ...fact,
    weight: dice.pick([1, 1, 10]),
    origin: dice.pick(['tag', 'api']),
    conversion_id: id,
    goal: dice.pick([...pools.GOALS, pools.GONE_GOAL]),
    goal_source: dice.pick(['tag', 'api', 'url', 'event'] as const),
    value: dice.pick([null, 0, 10.5, 0.1, 1_000_000.01]),
  };
}

function randomOrder(dice: Dice, fact: FactRow, id: string): OrderRow {
  return {
    ...fact,
    transaction_id: id,
    status: 'purchased',
    origin: dice.pick(['tag', 'api']),
    currency: dice.pick(pools.CURRENCIES),
    revenue: dice.pick([null, 0, 100, 100.1, 0.33, 99_999.99, dice.int(1, 100_000) / 100]),
    promo_code: dice.pick(['SALE', 'sale', null]),
    is_first: dice.pick([true, false, null]),
    is_full_refund: null,
  };
}

/** Returns a refund of an order, at any later time. */
function refundOf(dice: Dice, order: OrderRow): OrderRow {
  const isFull = dice.chance(50);
  return {
    ...order,
    status: 'refunded',
    at: order.at + dice.pick([0, HOUR, 5 * DAY, 40 * DAY, 130 * DAY]),
    is_first: null,
    is_full_refund: isFull,
    revenue: isFull || order.revenue === null ? order.revenue : Math.round(order.revenue * 30) / 100,
  };
}

function randomLines(dice: Dice, order: OrderRow): OrderLineRow[] {
  const {
    site_id,
    visitor_id,
    visitor_bucket,
    user_id,
    visit_id,
    visit_started_at,
    at,
    weight,
    transaction_id,
    status,
    currency,
  } = order;
  return dice.times(0, 3, (index) => {
    const [id, name, brand, variant, category] = dice.pick(pools.PRODUCTS);
    return {
      site_id,
      visitor_id,
      visitor_bucket,
      user_id,
      visit_id,
      visit_started_at,
      at,
      weight,
      transaction_id,
      status,
      currency,
      line: index + 1,
      product_id: id,
      product_name: name,
      product_brand: brand,
      product_variant: variant,
      product_category: category,
      price: dice.pick([null, 0, 10, 99.99, 0.07]),
      quantity: dice.pick([1, 2, 0.5, 0.333, 100]),
    };
  });
}
