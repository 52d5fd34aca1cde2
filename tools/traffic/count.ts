/** Computes what the product should have stored of the traffic, by plain counting of what was sent. */
import { EVENTS_LIMIT } from '../../domain/visits/robotFrequency.ts';
import { VISIT_PAUSE_MS } from '../../domain/visits/visitPause.ts';
import { TRAFFIC_GOALS } from './shop/goals.ts';
import type { TagBatch, TrafficRecord, TrafficEvent } from './types.ts';

export interface TrafficSummary {
  requests: number;
  /** Number of events sent, and therefore accepted. */
  events: number;
  /** Number of those beyond the 1,000 per hour that are counted for one visitor. */
  surplus: number;
  /** Counted events by type. */
  hits: Record<string, number>;
  visitors: number;
  visits: number;
  /** Conversions by tag and server together, by goal code. */
  conversions: Record<string, number>;
  /** An order that both tag and server report counts once. */
  orders: number;
  refunds: number;
  /** Revenue of the orders, in roubles. */
  revenue: number;
  /** Times of the first and the last event. */
  from: number;
  to: number;
}

export interface TrafficCounter {
  add(sent: TrafficRecord): void;
  summary(): TrafficSummary;
}

export function createCounter(): TrafficCounter {
  const lastOf = new Map<string, number>();
  const taken = new Map<string, number>();
  const orders = new Map<string, number>();
  const refunds = new Set<string>();
  const total: TrafficSummary = {
    requests: 0,
    events: 0,
    surplus: 0,
    hits: {},
    visitors: 0,
    visits: 0,
    conversions: {},
    orders: 0,
    refunds: 0,
    revenue: 0,
    from: Infinity,
    to: -Infinity,
  };

  const take = (batch: TagBatch, event: TrafficEvent): void => {
    const last = lastOf.get(batch.visitorId);
    if (last === undefined || event.at - last > VISIT_PAUSE_MS) {
      total.visits += 1;
      taken.set(batch.visitorId, 0);
    }
    lastOf.set(batch.visitorId, event.at);
    total.events += 1;
    // A visit of the generator is shorter than the hour of the limit, and only robots have this many events.
    const number = (taken.get(batch.visitorId) ?? 0) + 1;
    taken.set(batch.visitorId, number);
    if (number > EVENTS_LIMIT.count) {
      total.surplus += 1;
      return;
    }
    bump(total.hits, event.type);
    for (const goal of goalsOf(event)) bump(total.conversions, goal);
    if (event.order !== undefined) orders.set(event.order.transaction_id, event.order.revenue);
  };

  return {
    add(sent) {
      total.requests += 1;
      if (sent.kind === 'collect') {
        for (const event of sent.events) take(sent, event);
        total.from = Math.min(total.from, sent.events[0]?.at ?? sent.at);
        total.to = Math.max(total.to, sent.at);
      } else if (sent.kind === 'conversion') bump(total.conversions, sent.record.goal);
      else if (sent.record.status === 'refunded') refunds.add(sent.record.transaction_id);
      else orders.set(sent.record.transaction_id, sent.record.revenue ?? 0);
    },
    summary: () => ({
      ...total,
      conversions: { ...total.conversions, ...purchaseGoals(orders.size) },
      visitors: lastOf.size,
      orders: orders.size,
      refunds: refunds.size,
      revenue: [...orders.values()].reduce((sum, revenue) => sum + revenue, 0),
    }),
  };
}

function purchaseGoals(orders: number): Record<string, number> {
  return Object.fromEntries(TRAFFIC_GOALS.filter(({ type }) => type === 'purchase').map(({ code }) => [code, orders]));
}

function bump(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

function goalsOf({ type, name, url }: TrafficEvent): string[] {
  return TRAFFIC_GOALS.filter(({ code, type: of, match }) => {
    switch (of) {
      case 'js':
        return type === 'goal' && name === code;
      case 'event':
        return type === 'event' && name === match?.name;
      case 'form':
        return type === 'form' && name === match?.form_id;
      // Counted with the orders: it is reached once per order, whoever reports the order.
      case 'purchase':
        return false;
      case 'url':
        return type === 'pageview' && new URL(url).pathname.startsWith(match?.value ?? ' ');
    }
  }).map(({ code }) => code);
}
