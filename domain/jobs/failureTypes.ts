/**
 * Failure types that cross from activities to workflows. They are compared by name, because `instanceof` does not work
 * across the workflow sandbox.
 */
export const FAILURE = {
  /** Never succeeds for this input; the step fails. */
  permanent: 'Permanent',
  /** May succeed later; after quick retries the step is deferred. */
  temporary: 'Temporary',
  /** May succeed only much later (quota exhausted, a wrong key): deferred without quick retries. */
  exhausted: 'Exhausted',
  /**
   * The product's own database is unavailable, no slot is free, or the worker is stopping. It is not the input's fault,
   * so it uses up no deferral.
   */
  interrupted: 'Interrupted',
} as const;
