/** How much may be undelivered to one webhook. */

/** Undelivered events of a webhook from which its new ones are dropped, and below which no longer. */
export const BACKLOG_LIMIT = 50_000;
export const BACKLOG_RESUME = 40_000;
