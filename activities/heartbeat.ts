/**
 * Interval of the heartbeats, which distinguish silent work (a slow provider, a statement that waits for a lock) from a
 * dead worker. domain/jobs/activityOptions.ts says after which silence a worker counts as dead.
 */
export const HEARTBEAT_MS = 5_000;
