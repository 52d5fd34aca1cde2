/** Output of the generator. Times are epoch milliseconds. */
import type { CollectType } from '../../domain/collect/collected.ts';

export interface TrafficOptions {
  seed: number;
  /** The traffic ends before this moment. */
  until: number;
  /** Number of days in the site's time zone, including that of `until`. */
  days: number;
  /** Visitors on an average day; there are about twice as many visits, robots included, with 8 events each. */
  visitorsPerDay: number;
  timezone: string;
  /** Origin of the site's pages, without a trailing slash. */
  origin: string;
}

export interface TrafficProduct {
  id: string;
  name: string;
  category: string;
  brand: string;
  variant?: string;
  price: number;
  qty: number;
}

export interface TrafficOrder {
  transaction_id: string;
  revenue: number;
  currency: string;
  products: TrafficProduct[];
  promo_code?: string;
}

/** An event as POST /collect accepts it, but with a numeric time. */
export interface TrafficEvent {
  id: string;
  at: number;
  type: CollectType;
  url: string;
  referrer?: string;
  title?: string;
  name?: string;
  target?: string;
  depth?: number;
  x?: number;
  y?: number;
  selector?: string;
  params?: Record<string, unknown>;
  order?: TrafficOrder;
  user?: Record<string, unknown>;
}

export interface TagBatch {
  kind: 'collect';
  at: number;
  visitorId: string;
  ip: string;
  userAgent: string;
  /** Null for senders that run no scripts. */
  device: { screen: string; window: string; language: string; timezone: string } | null;
  events: TrafficEvent[];
}

export interface ServerConversion {
  id: string;
  goal: string;
  visitor_id: string;
  occurred_at: string;
  value?: number;
}

export interface ServerOrder extends Omit<TrafficOrder, 'revenue' | 'products' | 'promo_code'> {
  visitor_id: string;
  occurred_at: string;
  status: 'purchased' | 'refunded';
  revenue?: number;
  products?: TrafficProduct[];
}

export type ServerFact =
  | { kind: 'conversion'; at: number; record: ServerConversion }
  | { kind: 'order'; at: number; record: ServerOrder };

export type TrafficRecord = TagBatch | ServerFact;
