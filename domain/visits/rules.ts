/** The figures of the rules of visits. Where they come from: docs/decisions/visits.md. */

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** A longer pause between two hits ends the visit; one of exactly this length does not. */
export const VISIT_PAUSE_MS = 30 * MINUTE_MS;

/** A visit that is shorter, of one page view at most and without a goal, is a bounce. */
export const BOUNCE_MS = 15_000;

/** A longer pause between two visits begins the history of sources anew. */
export const SOURCE_HISTORY_MS = 90 * DAY_MS;

/** Beyond these a visitor is a robot, and what is beyond them is dropped. */
export const REQUESTS_LIMIT = { count: 60, periodMs: 10_000, keptMs: MINUTE_MS } as const;
export const EVENTS_LIMIT = { count: 1_000, minutes: 60 } as const;

/** Over the daily quota hits of one visitor in so many are kept, each standing for so many. */
export const QUOTA_SAMPLE = 10;

/** A crawler that runs no scripts: more page views than this in a visit, faster than this, and no other sign of life. */
export const PLAIN_PAGES = { count: 60, msPerPage: 5_000 } as const;

/** Different params that a visit keeps of its page views. */
export const VISIT_PARAMS = 50;
