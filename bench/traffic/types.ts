/** What the generator makes. Times are epoch milliseconds. */
import type { CollectType } from '../../domain/collected.ts';

export interface TrafficOptions {
  seed: number;
  /** The traffic ends before this moment. */
  until: number;
  /** Days of the site's time zone, the one of `until` included. */
  days: number;
  /** Of a mean day; about twice as many visits, robots included, and 8 events in each. */
  visitorsPerDay: number;
  timezone: string;
  /** Of the site's pages, without a slash at the end. */
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

/** As POST /collect takes it, its time still a number. */
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

export interface CollectSending {
  kind: 'collect';
  at: number;
  visitorId: string;
  ip: string;
  userAgent: string;
  /** Null of those that run no scripts. */
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

export type ServerSending =
  | { kind: 'conversion'; at: number; record: ServerConversion }
  | { kind: 'order'; at: number; record: ServerOrder };

export type Sending = CollectSending | ServerSending;
