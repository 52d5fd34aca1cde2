/** Who has how many places in a batch, when several tenants wait. */

export interface Waiting {
  /** domain/queues.ts PRIORITY: a smaller one goes first. */
  priority: number;
  /** Rows that wait. */
  due: number;
}

/**
 * Places for each of those who wait, at most `room` in all: whoever is more urgent first, and among
 * equals all the same number as far as they have work for it (max-min fairness), so one tenant's
 * thousands do not keep another's few waiting.
 */
export function shareOut(waiting: readonly Waiting[], room: number): number[] {
  const shares = waiting.map(() => 0);
  const order = waiting.map((_, index) => index).sort((a, b) => compare(waiting[a], waiting[b]));
  let left = room;
  for (const [place, index] of order.entries()) {
    const one = waiting[index];
    if (!one) continue;
    const equals = order.slice(place).filter((other) => waiting[other]?.priority === one.priority).length;
    const share = Math.min(one.due, Math.ceil(left / equals));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

/** Those with little work come first among equals: what they leave is for the others. */
function compare(a: Waiting | undefined, b: Waiting | undefined): number {
  return a && b ? a.priority - b.priority || a.due - b.due : 0;
}
