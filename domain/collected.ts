/** What the intake of the tag stores of a batch, and the ingest reads: checked, and by our own clock. */

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

/** The argument of svc('user') without what was wrong in it; contacts are keyed hashes (domain/contacts.ts). */
export interface TagUser {
  user_id?: string;
  /** Whether a user_hash proved the user_id; missing where the site had no secret to prove it with. */
  is_proven?: boolean;
  fingerprint_uuid?: string;
  email_hash?: string;
  phone_hash?: string;
  gender?: 'male' | 'female';
  age?: number;
  city?: string;
  /** Ages in years, 0 to 17. */
  children?: number[];
  interests?: string[];
  params?: Record<string, unknown>;
}

/** Where on the page, for maps of clicks and scrolls; null for what was not told. */
export interface CollectedLayout {
  /** Within the clicked element: 0 at its left or top edge, 1 at the other one. */
  element_x: number | null;
  element_y: number | null;
  /** CSS pixels: what is seen of the page, and the whole of it. */
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
  /** UUID of visitor and event id: a repeat has the same, and it is the id of the hit. */
  key: string;
  /** Epoch milliseconds, the device's clock error taken off; never after the receipt. */
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
  /** Missing where nothing of it was told. */
  layout?: CollectedLayout;
  params: Record<string, unknown> | null;
  order: CollectedOrder | null;
  user: TagUser | null;
}

/** `collect_inbox.batch`: the events of one visitor that one request brought, none of them known before. */
export interface CollectedBatch {
  device: CollectedDevice | null;
  events: CollectedEvent[];
}

/** A repeat within so many hours is known as one: a tracker may use its ids again afterwards. */
const REPEAT_HOURS = 24;

/**
 * For how many hours the ids of events are remembered. Where older events are taken (LATE_EVENT_HOURS), a
 * repeat of one may come as late as that.
 */
export function rememberHoursOf(lateEventHours: number): number {
  return Math.max(REPEAT_HOURS, lateEventHours);
}
