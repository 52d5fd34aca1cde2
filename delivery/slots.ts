/**
 * At most so many attempts per webhook at a time, whichever lane makes them. How many this process
 * may make is said from outside and for a time (delivery/presence.ts); without a word it makes none.
 */

import { ATTEMPTS_PER_WEBHOOK, URGENT_ATTEMPTS_PER_WEBHOOK } from './limits.ts';

/** `urgent`: a person has asked and waits, so it need not queue behind a slow backlog. */
export type SlotKind = 'ordinary' | 'urgent';

/** Gives the slot back; call it once. */
export type ReleaseSlot = () => void;

interface Counter {
  taken: number;
  /** Of them, urgent ones. */
  urgent: number;
  /** Each is granted in the order of asking. */
  readonly queues: Record<SlotKind, Waiter[]>;
}

interface Waiter {
  grant(): void;
}

export class Slots {
  readonly #counters = new Map<string, Counter>();
  #limit = 0;
  #validUntil = 0;
  #taken = 0;
  #idle: (() => void)[] = [];

  /**
   * Allows `limit` slots of each webhook from now on; those taken beyond it are not called back.
   * @param validUntil by performance.now(): from then on none, until the next word
   */
  allow(limit: number, validUntil = Infinity): void {
    this.#limit = limit;
    this.#validUntil = validUntil;
    for (const [webhookId, counter] of this.#counters) this.#grantWaiting(webhookId, counter);
  }

  /** Slots of one webhook that are allowed at this moment. */
  get limit(): number {
    return performance.now() < this.#validUntil ? this.#limit : 0;
  }

  /** Slots taken, over all webhooks. */
  get taken(): number {
    return this.#taken;
  }

  /** Slots taken of the webhook that has most. */
  get mostTaken(): number {
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

  /** A slot at once, or null when the webhook has none left or others of the kind wait for one. */
  tryAcquire(webhookId: string, kind: SlotKind = 'ordinary'): ReleaseSlot | null {
    const counter = this.#counterOf(webhookId);
    if (counter.queues[kind].length === 0 && this.#hasRoom(counter, kind)) return this.#take(webhookId, counter, kind);
    this.#forget(webhookId, counter);
    return null;
  }

  /** A slot in turn; null when the signal fires first. */
  acquire(webhookId: string, kind: SlotKind, signal: AbortSignal): Promise<ReleaseSlot | null> {
    const atOnce = signal.aborted ? null : this.tryAcquire(webhookId, kind);
    if (atOnce !== null || signal.aborted) return Promise.resolve(atOnce);
    const counter = this.#counterOf(webhookId);
    const queue = counter.queues[kind];
    return new Promise((resolve) => {
      const giveUp = (): void => {
        queue.splice(queue.indexOf(waiter), 1);
        this.#forget(webhookId, counter);
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
    return kind === 'ordinary' || counter.urgent < urgentPart(limit);
  }

  #grantWaiting(webhookId: string, counter: Counter): void {
    for (const kind of ['urgent', 'ordinary'] as const) {
      while (this.#hasRoom(counter, kind)) {
        const next = counter.queues[kind].shift();
        if (next === undefined) break;
        next.grant();
      }
    }
    this.#forget(webhookId, counter);
  }

  #counterOf(webhookId: string): Counter {
    let counter = this.#counters.get(webhookId);
    if (counter === undefined) {
      counter = { taken: 0, urgent: 0, queues: { ordinary: [], urgent: [] } };
      this.#counters.set(webhookId, counter);
    }
    return counter;
  }

  #forget(webhookId: string, { taken, queues }: Counter): void {
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

/** The urgent ones among so many slots: the same part of a share as of the whole, at least one. */
function urgentPart(limit: number): number {
  return Math.max(1, Math.floor((limit * URGENT_ATTEMPTS_PER_WEBHOOK) / ATTEMPTS_PER_WEBHOOK));
}
