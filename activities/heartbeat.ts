/**
 * Interval of the heartbeats, which distinguish silent work (a slow provider, a statement that waits for a lock) from a
 * dead worker. How long a worker may be silent before it counts as dead is in domain/jobs/activityOptions.ts.
 */
export const HEARTBEAT_MS = 5_000;
