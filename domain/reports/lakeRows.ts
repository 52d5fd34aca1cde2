/**
 * Rows of the lake's tables, as they are staged (JSON) and as the lake has them. Times are epoch milliseconds here and
 * TIMESTAMP (UTC) in the lake; ids of visitors, visits and hits are UUIDs; money is a decimal number in `currency`.
 */
import type { CollectType } from '../collect/collected.ts';
import type { TrafficSource } from '../sites/trafficSource.ts';

/** One row for each hit of every type; rows never change. */
export interface HitRow {
  site_id: string;
  hit_id: string;
  visit_id: string;
  visitor_id: string;
  /** 0–9999, by which reports sample whole visitors (domain/reports/visitorSample.ts). */
  visitor_bucket: number;
  at: number;
  /**
   * The start of the visit as known when the hit was ingested: page metrics belong to its period. A late hit may move
   * the start back, so the visit's own `started_at` is authoritative; this value is never before it, and at most
   * LATE_EVENT_HOURS after it (docs/decisions/visits.md).
   */
  visit_started_at: number;
  type: CollectType;
  /** Number of hits that it represents: 10 where the quota keeps a tenth of the visitors. */
  weight: number;
  page_url: string;
  /** Lower case, without port. */
  page_domain: string;
  /** Without query and fragment. */
  page_path: string;
  page_title: string | null;
  referrer: string | null;
  /** Event name, goal code or form id. */
  name: string | null;
  /** JSON text of the params. */
  params: string | null;
  /** Outbound or download address. */
  target: string | null;
  target_domain: string | null;
  /** Percent, for scroll hits. */
  depth: number | null;
  x: number | null;
  y: number | null;
  selector: string | null;
  /**
   * The fields of `CollectedLayout` (domain/collect/collected.ts): missing in rows that were staged before these
   * existed.
   */
  element_x?: number | null;
  element_y?: number | null;
  viewport_width?: number | null;
  viewport_height?: number | null;
  document_width?: number | null;
  document_height?: number | null;
}

export interface ClientFacts {
  /** desktop, mobile, tablet, tv, console, other. */
  device_type: string;
  device_brand: string | null;
  device_model: string | null;
  os: string | null;
  os_version: string | null;
  browser: string | null;
  browser_version: string | null;
  browser_engine: string | null;
}

/** Derived from the IP. Continent and country are ISO codes (EU, RU); region and city are names in English. */
export interface Place {
  continent: string | null;
  country: string | null;
  region: string | null;
  city: string | null;
}

/** One row for each visit; replaced as a whole when a late hit changes the visit. */
export interface VisitRow extends ClientFacts, Place {
  site_id: string;
  visit_id: string;
  visitor_id: string;
  visitor_bucket: number;
  user_id: string | null;
  started_at: number;
  /** The last hit. */
  ended_at: number;
  duration_s: number;
  /** Weight of the visit. Its page views and hits have weights of their own: the two fields below are their sums. */
  weight: number;
  pageviews: number;
  /** Sum of the weights of its page views: the metric `pageviews` is the sum of this column. */
  weighted_pageviews: number;
  /** Number of all hits but pings. */
  hits: number;
  /** Sum of the weights of these hits. */
  weighted_hits: number;
  /** Number of conversions of the visit, reported by the tag or the API: a visit with one is not a bounce. */
  goals: number;
  is_bounce: boolean;
  is_robot: boolean;
  robot_reason: string | null;
  /** 1 for the visitor's first visit. */
  visit_number: number;
  first_visit_at: number;
  previous_visit_at: number | null;
  entry_url: string | null;
  entry_domain: string | null;
  entry_path: string | null;
  exit_url: string | null;
  exit_path: string | null;
  /** JSON text: params of its page views, with the latest value of each key. */
  params: string | null;
  browser_language: string | null;
  screen_resolution: string | null;
  window_size: string | null;
  visitor_timezone: string | null;
  /** STRUCT in the lake, one for each attribution model. */
  source_last: TrafficSource;
  source_last_significant: TrafficSource;
  source_first: TrafficSource;
}

/** The common fields of conversions, orders and their lines: their owner and their visit. */
export interface FactRow {
  site_id: string;
  visitor_id: string | null;
  /** The user's bucket where no visitor is known, so that a sample of facts represents the others as well. */
  visitor_bucket: number;
  user_id: string | null;
  visit_id: string | null;
  /** As for hits: the start of the visit when the fact was attributed. */
  visit_started_at: number | null;
  /** The time at which it counts; for a refund the time of its request. */
  at: number;
  weight: number;
}

/**
 * Set in staged rows only, when the server reported a different time: the time under which the lake may have an older
 * row.
 */
export interface FormerTime {
  former_at?: number;
}

export interface ConversionRow extends FactRow, FormerTime {
  /**
   * `api` or `tag`: the source of the id. For purchase goals it is `tag`, whoever reported the purchase, and
   * `goal_source` names the reporter.
   */
  origin: string;
  conversion_id: string;
  goal: string;
  goal_source: 'tag' | 'api' | 'url' | 'event';
  value: number | null;
}

export interface OrderRow extends FactRow, FormerTime {
  transaction_id: string;
  status: 'purchased' | 'refunded';
  origin: string;
  currency: string;
  revenue: number | null;
  promo_code: string | null;
  is_first: boolean | null;
  /** For refunds: it lowers the number of orders by one as well as the revenue. */
  is_full_refund: boolean | null;
}

export interface OrderLineRow extends FactRow {
  transaction_id: string;
  status: 'purchased' | 'refunded';
  line: number;
  currency: string;
  product_id: string | null;
  product_name: string | null;
  product_brand: string | null;
  product_variant: string | null;
  /** Levels separated by /. */
  product_category: string | null;
  price: number | null;
  quantity: number;
}

export interface LakeRows {
  hits: HitRow[];
  visits: VisitRow[];
  conversions: ConversionRow[];
  orders: OrderRow[];
  order_lines: OrderLineRow[];
}

export type LakeTable = keyof LakeRows;

/** The columns by which a row replaces an older one; hits are only ever added. */
export const LAKE_KEYS: Readonly<Record<Exclude<LakeTable, 'hits'>, readonly string[]>> = {
  visits: ['site_id', 'visit_id'],
  conversions: ['site_id', 'origin', 'conversion_id'],
  orders: ['site_id', 'transaction_id', 'status'],
  order_lines: ['site_id', 'transaction_id', 'status'],
};
