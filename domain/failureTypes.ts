/**
 * Failure types that cross from activities to workflows. Compared by name: `instanceof` does not
 * hold across the workflow sandbox.
 */
export const FAILURE = {
  /** Never works for this input; the step is failed. */
  permanent: 'Permanent',
  /** May work later; quick retries first, then the step is deferred. */
  temporary: 'Temporary',
  /** May work much later only (out of quota, a wrong key): deferred without quick retries. */
  exhausted: 'Exhausted',
  /** Our own database is away, or no place is free: nobody's fault but ours, so it uses up no deferral. */
  interrupted: 'Interrupted',
} as const;
