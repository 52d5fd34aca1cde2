/** Limits for undelivered events of one webhook. */

/**
 * Number of undelivered events of a webhook above which new ones are dropped, and below which they are accepted again.
 */
export const BACKLOG_LIMIT = 50_000;
export const BACKLOG_RESUME = 40_000;

/** Interval of counting the undelivered events (db/webhooks/backlog.ts). */
export const BACKLOG_REVIEW_MS = 5_000;
