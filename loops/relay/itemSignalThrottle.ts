/**
 * Limits how often a relay signals an item's workflow about changes. Temporal fails a workflow task for which more than
 * a hundred events wait, and the SDK (1.24) then applies the next task to a workflow that is still reading its plan:
 * the result cannot be replayed, and the workflow is stuck. A task lasts ten seconds at most, so it receives at most
 * forty signals from a relay (docs/decisions/item-signals.md).
 */
import type { ClaimedEntry } from '../../db/jobs/outbox.ts';
import { workflowIdOf } from './startWorkflow.ts';

/** Minimum time between two signals to an item. */
export const PACE_MS = 250;

export class ItemSignalThrottle {
  readonly #now: () => number;
  /** Time of the last signal to each item, the oldest first, within the last {@link PACE_MS}. */
  readonly #signalled = new Map<string, number>();
  #waitedForUntil = -Infinity;

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Splits rows into those handed over now, whose items are recorded as signalled, and those that have to wait for
   * {@link PACE_MS}.
   */
  split(entries: readonly ClaimedEntry[]): { now: ClaimedEntry[]; later: ClaimedEntry[] } {
    this.#evictOld();
    const isLate = (entry: ClaimedEntry): boolean => entry.kind === 'item' && this.#signalled.has(workflowIdOf(entry));
    const [now, later] = [entries.filter((entry) => !isLate(entry)), entries.filter(isLate)];
    for (const entry of now) if (entry.kind === 'item') this.#signalled.set(workflowIdOf(entry), this.#now());
    if (later.length > 0) this.#waitedForUntil = this.#now() + 2 * PACE_MS;
    return { now, later };
  }

  /** Returns true when a row that had to wait may soon be due. */
  isWaitedFor(): boolean {
    return this.#now() < this.#waitedForUntil;
  }

  #evictOld(): void {
    const since = this.#now() - PACE_MS;
    for (const [workflowId, at] of this.#signalled) {
      if (at > since) return;
      this.#signalled.delete(workflowId);
    }
  }
}
