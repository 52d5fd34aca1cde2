/** Conversions and orders of sites: what their senders and their keepers agree on. */

/** A fact belongs to a visit that began so long before it at most: 90 days, whatever daylight saving does. */
export const ATTRIBUTION_HOURS = 90 * 24;

/** What amounts may be: a DECIMAL(24, 6) of the lake holds many of them added up, and a double tells their cents apart. */
export const MAX_AMOUNT = 1e12;
export const MAX_QUANTITY = 1e9;

export const CONVERSION_REJECTIONS = ['unknown_goal', 'unknown_visitor', 'too_old'] as const;
export type ConversionRejection = (typeof CONVERSION_REJECTIONS)[number];

export const ORDER_REJECTIONS = ['unknown_visitor', 'too_old', 'invalid_products'] as const;
export type OrderRejection = (typeof ORDER_REJECTIONS)[number];

export const SITE_ORDER_STATUSES = ['purchased', 'refunded'] as const;
export type SiteOrderStatus = (typeof SITE_ORDER_STATUSES)[number];

/**
 * Of which visit a fact is. `pending`: hits that were received before it are still being ingested, and one of
 * them may begin its visit. `none`: there is no visit, and will be none; the fact counts nevertheless.
 */
export type Attribution = { state: 'pending' | 'none' } | { state: 'visit'; visitId: string; startedAt: Date };

/** What became of a batch; accepted + duplicates + rejected is the number sent. */
export interface BatchOutcome<Code extends string> {
  accepted: number;
  duplicates: number;
  rejected: { index: number; code: Code }[];
}

/** The time that counts: a sent one in the future, or none at all, is that of the receipt. */
export function momentOf(sent: Date | null, receivedAt: Date): Date {
  return sent === null || sent > receivedAt ? receivedAt : sent;
}
