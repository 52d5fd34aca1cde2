/** Limits for undelivered events of one webhook. */

/**
 * Number of undelivered events of a webhook above which new ones are dropped, and below which they are accepted again.
 */
export const BACKLOG_LIMIT = 50_000;
export const BACKLOG_RESUME = 40_000;
