/** The constants of the rules of visits. For their origin see docs/decisions/visits.md. */
import { DAY_MS, MINUTE_MS } from '../timeUnits.ts';

/**
 * A longer pause between two hits ends the visit; one of exactly this length does not. It is applied in
 * visitByPause.ts, and in SQL in db/visits/visitEnd.ts.
 */
export const VISIT_PAUSE_MS = 30 * MINUTE_MS;

/** A shorter visit with at most one page view and without a goal is a bounce (visit.ts). */
export const BOUNCE_MS = 15_000;

/** A longer pause between two visits restarts the history of sources. */
export const SOURCE_HISTORY_MS = 90 * DAY_MS;

/** Above these limits a visitor is a robot, and further requests and events are dropped. */
export const REQUESTS_LIMIT = { count: 60, periodMs: 10_000, keptMs: MINUTE_MS } as const;
export const EVENTS_LIMIT = { count: 1_000, minutes: 60 } as const;

/** A crawler that runs no scripts: more page views than this in a visit, faster than this, and no other activity. */
export const PLAIN_PAGES = { count: 60, msPerPage: 5_000 } as const;

/** Maximum number of different params that a visit keeps from its page views. */
export const VISIT_PARAMS = 50;
