import { MINUTE_MS } from '../timeUnits.ts';

/**
 * A longer pause between two hits ends the visit; one of exactly this length does not. visitByPause.ts applies it, and
 * db/visits/visitEnd.ts does so in SQL (docs/decisions/visits.md).
 */
export const VISIT_PAUSE_MS = 30 * MINUTE_MS;

/** The same in seconds. Recordings of a visitor with a shorter pause between them belong to one visit. */
export const VISIT_PAUSE_SECONDS = VISIT_PAUSE_MS / 1000;
