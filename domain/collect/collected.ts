/** A batch as the tag's intake stores it and the ingest reads it: validated, with times by the server's clock. */

export const COLLECT_TYPES = [
  'pageview',
  'event',
  'goal',
  'purchase',
  'refund',
  'user',
  'form',
  'click',
  'outbound',
  'download',
  'scroll',
  'ping',
] as const;
export type CollectType = (typeof COLLECT_TYPES)[number];

export interface CollectedDevice {
  screen: string | null;
  window: string | null;
  language: string | null;
  timezone: string | null;
}

export interface CollectedProduct {
  id: string | null;
  name: string | null;
  category: string | null;
  brand: string | null;
  variant: string | null;
  price: number | null;
  qty: number | null;
}

export interface CollectedOrder {
  transaction_id: string;
  revenue: number | null;
  currency: string | null;
  products: CollectedProduct[] | null;
  promo_code: string | null;
}

/**
 * The argument of svc('user') without its invalid parts; contacts are keyed hashes (domain/people/contactHashes.ts).
 */
export interface TagUser {
  user_id?: string;
  /** True when a user_hash proved the user_id; missing where the site had no secret to prove it with. */
  is_proven?: boolean;
  fingerprint_uuid?: string;
  email_hash?: string;
  phone_hash?: string;
  gender?: 'male' | 'female';
  /** In years. */
  age?: number;
  city?: string;
  /** Ages in years, 0 to 17. */
  children?: number[];
  interests?: string[];
  params?: Record<string, unknown>;
}

/** A position on the page, for maps of clicks and scrolls; null for values that were not sent. */
export interface CollectedLayout {
  /** Within the clicked element: 0 at its left or top edge, 1 at the opposite edge. */
  element_x: number | null;
  element_y: number | null;
  /** CSS pixels: the visible part of the page, and the whole page. */
  viewport_width: number | null;
  viewport_height: number | null;
  document_width: number | null;
  document_height: number | null;
}

export const LAYOUT_FIELDS = [
  'element_x',
  'element_y',
  'viewport_width',
  'viewport_height',
  'document_width',
  'document_height',
] as const satisfies readonly (keyof CollectedLayout)[];

export interface CollectedEvent {
  /** A UUID made of visitor and event id: a repeat has the same one, and it is the id of the hit. */
  key: string;
  /** Epoch milliseconds, corrected for the error of the device's clock; never after the receipt. */
  at: number;
  type: CollectType;
  url: string;
  referrer: string | null;
  title: string | null;
  name: string | null;
  target: string | null;
  /** Percent. */
  depth: number | null;
  x: number | null;
  y: number | null;
  selector: string | null;
  /** Missing when none of it was sent. */
  layout?: CollectedLayout;
  params: Record<string, unknown> | null;
  order: CollectedOrder | null;
  user: TagUser | null;
}

/** `collect_inbox.batch`: the events of one visitor in one request, none of them known before. */
export interface CollectedBatch {
  device: CollectedDevice | null;
  events: CollectedEvent[];
}
