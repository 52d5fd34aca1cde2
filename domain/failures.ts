/**
 * Failure types that cross from activities to workflows. Compared by name: `instanceof` does not
 * hold across the workflow sandbox.
 */
export const FAILURE = {
  /** Never works for this input; the step is failed. */
  permanent: 'Permanent',
  /** May work later; quick retries first, then the step is deferred. */
  temporary: 'Temporary',
  /** May work much later only (out of quota): deferred without quick retries. */
  exhausted: 'Exhausted',
} as const;

export type FailureType = (typeof FAILURE)[keyof typeof FAILURE];
