/** Conversions and orders of sites: the definitions that their senders and their storage share. */

/** db/siteFacts/takeServerFacts.ts decides which facts are rejected. */
export const CONVERSION_REJECTIONS = ['unknown_goal', 'unknown_visitor', 'too_old'] as const;
export type ConversionRejection = (typeof CONVERSION_REJECTIONS)[number];

export const ORDER_REJECTIONS = ['unknown_visitor', 'too_old', 'invalid_products'] as const;
export type OrderRejection = (typeof ORDER_REJECTIONS)[number];

export const SITE_ORDER_STATUSES = ['purchased', 'refunded'] as const;
export type SiteOrderStatus = (typeof SITE_ORDER_STATUSES)[number];

/**
 * The visit of a fact. `pending`: hits that were received before it are still being ingested, and one of them may begin
 * its visit. `none`: there is no visit, and will be none; the fact counts nevertheless.
 */
export type Attribution = { state: 'pending' | 'none' } | { state: 'visit'; visitId: string; startedAt: Date };

/** The outcome of a batch; accepted + duplicates + rejected equals the number sent. */
export interface BatchOutcome<Code extends string> {
  accepted: number;
  duplicates: number;
  rejected: { index: number; code: Code }[];
}
