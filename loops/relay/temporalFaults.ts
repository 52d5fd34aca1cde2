/** Distinguishes a Temporal that does not answer from one that refuses. */

/** gRPC status codes. */
const DEADLINE_EXCEEDED = 4;
const UNAVAILABLE = 14;
const MAX_CAUSES = 4;

/** Returns true when the call got no answer: the fault is with the server or the network, not with the call. */
export function isUnanswered(error: unknown): boolean {
  let fault = error;
  for (let depth = 0; depth <= MAX_CAUSES && typeof fault === 'object' && fault !== null; depth += 1) {
    if ('code' in fault && (fault.code === DEADLINE_EXCEEDED || fault.code === UNAVAILABLE)) return true;
    fault = 'cause' in fault ? fault.cause : null;
  }
  return false;
}
