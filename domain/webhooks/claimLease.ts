/**
 * Maximum duration of a claim, whichever process makes the attempt: after it another process may make it. Retries have
 * a shorter one of their own (activities/webhook/attemptRetry.ts).
 */
export const MAX_LEASE_MS = 50_000;
