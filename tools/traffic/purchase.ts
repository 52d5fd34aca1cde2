/** From the cart to the order, and the later reports of the shop's server. */
import type { Trail } from './trail.ts';
import { CART, CHECKOUT, PROMO_CODES, THANKS } from './shop/site.ts';
import type { ServerFact, TrafficOrder } from './types.ts';
import type { VisitFacts } from './visitFacts.ts';

const DAY_MS = 86_400_000;
const CURRENCY = 'RUB';

/** Percentages of orders reported by the tag, by the server, or by both, which counts once. */
const REPORTED_BY = [
  [55, 'tag'],
  [20, 'server'],
  [25, 'both'],
] as const;

export function buy(trail: Trail, facts: VisitFacts): void {
  const { chance, person, visitIndex } = facts;
  trail.open(CART);
  trail.stay(chance.between(5, 40));
  trail.open(CHECKOUT);
  trail.stay(chance.between(20, 120));
  if (chance.percent(35)) return trail.leave(60, chance.between(2, 20));
  trail.open(THANKS);
  const order = orderOf(trail, facts, `T-${person.visitorId.slice(0, 8)}-${visitIndex}`);
  const by = chance.weighted(REPORTED_BY);
  if (by !== 'server') trail.add({ type: 'purchase', order });
  if (by !== 'tag') trail.reportByServer(serverOrder(order, trail.at, person.visitorId));
  trail.leave(80, chance.between(3, 15));
  if (chance.percent(20))
    trail.reportByServer(lead(order, trail.at + chance.between(1, 48) * 3_600_000, person.visitorId));
  if (chance.percent(4))
    trail.reportByServer(refund(order, trail.at + chance.between(1, 9) * DAY_MS, person.visitorId, chance.percent(60)));
  return undefined;
}

function orderOf(trail: Trail, { chance }: VisitFacts, id: string): TrafficOrder {
  const products = trail.takeCart();
  const full = products.reduce((sum, { price, qty }) => sum + price * qty, 0);
  const hasPromo = chance.percent(15);
  return {
    transaction_id: id,
    revenue: hasPromo ? Math.round(full * 0.9) : full,
    currency: CURRENCY,
    products,
    ...(hasPromo && { promo_code: chance.pick(PROMO_CODES) }),
  };
}

/** Formats whole seconds, as the API writes times. */
export function timestamp(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** Returns the server's report of an order, without a promo code, for which the API has no field. */
function serverOrder(
  { transaction_id: id, revenue, currency, products }: TrafficOrder,
  at: number,
  visitorId: string,
): ServerFact {
  return {
    kind: 'order',
    at,
    record: {
      transaction_id: id,
      revenue,
      currency,
      products,
      visitor_id: visitorId,
      occurred_at: timestamp(at),
      status: 'purchased',
    },
  };
}

function refund(
  { transaction_id: id, currency, revenue }: TrafficOrder,
  at: number,
  visitorId: string,
  isFull: boolean,
): ServerFact {
  const part = isFull ? {} : { revenue: Math.round(revenue / 2) };
  return {
    kind: 'order',
    at,
    record: {
      transaction_id: id,
      currency,
      visitor_id: visitorId,
      occurred_at: timestamp(at),
      status: 'refunded',
      ...part,
    },
  };
}

function lead({ transaction_id: id, revenue }: TrafficOrder, at: number, visitorId: string): ServerFact {
  return {
    kind: 'conversion',
    at,
    record: {
      id: `L-${id}`.slice(0, 64),
      goal: 'lead',
      visitor_id: visitorId,
      occurred_at: timestamp(at),
      value: revenue,
    },
  };
}
