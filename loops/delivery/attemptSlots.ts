/**
 * Limits the concurrent attempts per webhook, whichever lane makes them. The number allowed in this process is set from
 * outside for a limited time (loops/delivery/workerShare.ts); until then none is allowed.
 */

/** Maximum number of concurrent requests to one webhook, over all workers. */
export const ATTEMPTS_PER_WEBHOOK = 16;
/** How many of these may be tests and resends: they take precedence over others and leave room for them. */
export const URGENT_ATTEMPTS_PER_WEBHOOK = 4;

/** `urgent`: a person is waiting for the result, so it need not queue behind a slow backlog. */
export type SlotKind = 'ordinary' | 'urgent';

/** Releases the slot; must be called once. */
export type ReleaseSlot = () => void;

interface Counter {
  taken: number;
  /** How many of the taken slots are urgent. */
  urgent: number;
  /** Waiters by kind; each queue is first in, first out. */
  readonly queues: Record<SlotKind, Waiter[]>;
}

interface Waiter {
  grant(): void;
}

export class AttemptSlots {
  readonly #counters = new Map<string, Counter>();
  #limit = 0;
  #validUntil = 0;
  #taken = 0;
  #idle: (() => void)[] = [];

  /**
   * Allows `limit` slots for each webhook from now on; slots taken beyond that are not revoked.
   * @param validUntil time by performance.now() after which no slot is allowed until the next call
   */
  allow(limit: number, validUntil = Infinity): void {
    this.#limit = limit;
    this.#validUntil = validUntil;
    for (const [webhookId, counter] of this.#counters) this.#grantWaiting(webhookId, counter);
  }

  /** Number of slots of one webhook that are allowed now. */
  get limit(): number {
    return performance.now() < this.#validUntil ? this.#limit : 0;
  }

  /** Number of slots taken, over all webhooks. */
  get taken(): number {
    return this.#taken;
  }

  /** Number of slots taken by the webhook that has the most. */
  get maxTaken(): number {
    let most = 0;
    for (const { taken } of this.#counters.values()) most = Math.max(most, taken);
    return most;
  }

  /** Resolves when no slot is taken. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#taken === 0) resolve();
      else this.#idle.push(resolve);
    });
  }

  /** Returns a slot at once, or null when the webhook has none left or others of this kind are waiting. */
  tryAcquire(webhookId: string, kind: SlotKind = 'ordinary'): ReleaseSlot | null {
    const counter = this.#counterOf(webhookId);
    if (counter.queues[kind].length === 0 && this.#hasRoom(counter, kind)) return this.#take(webhookId, counter, kind);
    this.#deleteIfIdle(webhookId, counter);
    return null;
  }

  /** Resolves with a slot in the order of waiting; null when the signal fires first. */
  acquire(webhookId: string, kind: SlotKind, signal: AbortSignal): Promise<ReleaseSlot | null> {
    const atOnce = signal.aborted ? null : this.tryAcquire(webhookId, kind);
    if (atOnce !== null || signal.aborted) return Promise.resolve(atOnce);
    const counter = this.#counterOf(webhookId);
    const queue = counter.queues[kind];
    return new Promise((resolve) => {
      const giveUp = (): void => {
        queue.splice(queue.indexOf(waiter), 1);
        this.#deleteIfIdle(webhookId, counter);
        resolve(null);
      };
      const waiter: Waiter = {
        grant: () => {
          signal.removeEventListener('abort', giveUp);
          resolve(this.#take(webhookId, counter, kind));
        },
      };
      queue.push(waiter);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  #hasRoom(counter: Counter, kind: SlotKind): boolean {
    const { limit } = this;
    if (counter.taken >= limit) return false;
    return kind === 'ordinary' || counter.urgent < maxUrgentSlots(limit);
  }

  #grantWaiting(webhookId: string, counter: Counter): void {
    for (const kind of ['urgent', 'ordinary'] as const) {
      while (this.#hasRoom(counter, kind)) {
        const next = counter.queues[kind].shift();
        if (next === undefined) break;
        next.grant();
      }
    }
    this.#deleteIfIdle(webhookId, counter);
  }

  #counterOf(webhookId: string): Counter {
    let counter = this.#counters.get(webhookId);
    if (counter === undefined) {
      counter = { taken: 0, urgent: 0, queues: { ordinary: [], urgent: [] } };
      this.#counters.set(webhookId, counter);
    }
    return counter;
  }

  #deleteIfIdle(webhookId: string, { taken, queues }: Counter): void {
    if (taken + queues.ordinary.length + queues.urgent.length === 0) this.#counters.delete(webhookId);
  }

  #take(webhookId: string, counter: Counter, kind: SlotKind): ReleaseSlot {
    const urgent = kind === 'urgent' ? 1 : 0;
    counter.taken += 1;
    counter.urgent += urgent;
    this.#taken += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      counter.taken -= 1;
      counter.urgent -= urgent;
      this.#taken -= 1;
      this.#grantWaiting(webhookId, counter);
      if (this.#taken === 0) for (const resolve of this.#idle.splice(0)) resolve();
    };
  }
}

/** Returns how many of the slots may be urgent: the same share as in the overall limit, but at least one. */
function maxUrgentSlots(limit: number): number {
  return Math.max(1, Math.floor((limit * URGENT_ATTEMPTS_PER_WEBHOOK) / ATTEMPTS_PER_WEBHOOK));
}
