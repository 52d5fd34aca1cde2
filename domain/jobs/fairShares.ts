/** Divides the places of a batch among waiting tenants. */

export interface Waiting {
  /** A priority of domain/jobs/queues.ts PRIORITY: a smaller one goes first. */
  priority: number;
  /** Number of waiting rows. */
  due: number;
}

/**
 * Returns the number of places for each tenant, at most `room` in all: more urgent ones first, and among equals the
 * same number for all as far as they have work (max-min fairness), so that one tenant's thousands do not hold up
 * another's few.
 */
export function allocateFairly(waiting: readonly Waiting[], room: number): number[] {
  const shares = waiting.map(() => 0);
  const order = waiting.map((_, index) => index).sort((a, b) => compare(waiting[a], waiting[b]));
  const equals = new Map<number, number>();
  for (const { priority } of waiting) equals.set(priority, (equals.get(priority) ?? 0) + 1);
  let left = room;
  for (const index of order) {
    if (left === 0) break;
    const one = waiting[index];
    if (!one) continue;
    const equalsLeft = equals.get(one.priority) ?? 1;
    const share = Math.min(one.due, Math.ceil(left / equalsLeft));
    equals.set(one.priority, equalsLeft - 1);
    shares[index] = share;
    left -= share;
  }
  return shares;
}

/** Among equals those with little work come first: the places they leave go to the others. */
function compare(a: Waiting | undefined, b: Waiting | undefined): number {
  return a && b ? a.priority - b.priority || a.due - b.due : 0;
}
