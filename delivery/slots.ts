/** At most so many attempts per webhook at a time in one process, whichever lane makes them. */

/** Requests of one webhook under way at a time. */
export const ATTEMPTS_PER_WEBHOOK = 16;
/** Further ones for tests and resends, so that a person's click never waits behind a slow backlog. */
export const URGENT_ATTEMPTS_PER_WEBHOOK = 4;

/** Gives the slot back; call it once. */
export type ReleaseSlot = () => void;

interface Counter {
  taken: number;
  /** Resolved with the slot handed on, in order of asking. */
  readonly queue: Waiter[];
}

interface Waiter {
  grant(): void;
}

export class Slots {
  readonly #counters = new Map<string, Counter>();
  #taken = 0;

  /** Slots taken, over all keys. */
  get taken(): number {
    return this.#taken;
  }

  /** A slot at once, or null when `limit` of the key are taken or others wait for one. */
  tryAcquire(key: string, limit: number): ReleaseSlot | null {
    const counter = this.#counterOf(key);
    if (counter.taken >= limit) return null;
    return this.#take(key, counter);
  }

  /** A slot in turn; null when the signal fires first. */
  acquire(key: string, limit: number, signal: AbortSignal): Promise<ReleaseSlot | null> {
    const atOnce = signal.aborted ? null : this.tryAcquire(key, limit);
    if (atOnce !== null || signal.aborted) return Promise.resolve(atOnce);
    const counter = this.#counterOf(key);
    return new Promise((resolve) => {
      const giveUp = (): void => {
        counter.queue.splice(counter.queue.indexOf(waiter), 1);
        resolve(null);
      };
      const waiter: Waiter = {
        grant: () => {
          signal.removeEventListener('abort', giveUp);
          resolve(this.#take(key, counter));
        },
      };
      counter.queue.push(waiter);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  #counterOf(key: string): Counter {
    let counter = this.#counters.get(key);
    if (counter === undefined) {
      counter = { taken: 0, queue: [] };
      this.#counters.set(key, counter);
    }
    return counter;
  }

  #take(key: string, counter: Counter): ReleaseSlot {
    counter.taken += 1;
    this.#taken += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      counter.taken -= 1;
      this.#taken -= 1;
      const next = counter.queue.shift();
      if (next !== undefined) next.grant();
      else if (counter.taken === 0) this.#counters.delete(key);
    };
  }
}
