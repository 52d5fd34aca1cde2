/** Maximum duration of a claim, whichever process makes the attempt: after it another process may make it. */
export const MAX_LEASE_MS = 50_000;

/**
 * The claim of a retry: longer than the attempt's 10 s and the time to store its result. When a worker dies, the lease
 * expires before Temporal abandons the attempt (ACTIVITY_OPTIONS.webhook).
 */
export const RETRY_LEASE_MS = 45_000;
