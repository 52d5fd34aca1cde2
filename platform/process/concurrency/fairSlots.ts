/**
 * Slots of a scarce resource, shared between keys in turns. In activities/media/prepare.ts a key is a project, which
 * may not hold all of them.
 */

interface Waiter {
  key: string;
  begin: () => void;
}

export class FairSlots {
  #free: number;
  readonly #maxPerKey: number;
  readonly #held = new Map<string, number>();
  readonly #waiting: Waiter[] = [];

  /**
   * Creates the slots.
   * @param size number of concurrent pieces of work, at least 1
   * @param maxPerKey how many of these one key may hold
   */
  constructor(size: number, maxPerKey = size) {
    this.#free = size;
    this.#maxPerKey = maxPerKey;
  }

  /**
   * Runs `work` in its turn: a free slot goes to the key that holds the fewest, and among equals to the one that
   * requested first.
   * @throws the signal's reason when it fires during the wait; `work` is not called then
   */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#take(key, signal);
    try {
      return await work();
    } finally {
      this.#release(key);
    }
  }

  #take(key: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal.reason);
      };
      const waiter = {
        key,
        begin: (): void => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(waiter);
      this.#next();
    });
  }

  #release(key: string): void {
    const held = this.#heldBy(key) - 1;
    if (held > 0) this.#held.set(key, held);
    else this.#held.delete(key);
    this.#free += 1;
    this.#next();
  }

  #next(): void {
    if (this.#free === 0) return;
    const chosen = this.#waiting
      .filter(({ key }) => this.#heldBy(key) < this.#maxPerKey)
      .reduce<Waiter | null>(
        (best, each) => (best && this.#heldBy(best.key) <= this.#heldBy(each.key) ? best : each),
        null,
      );
    if (chosen === null) return;
    this.#waiting.splice(this.#waiting.indexOf(chosen), 1);
    this.#held.set(chosen.key, this.#heldBy(chosen.key) + 1);
    this.#free -= 1;
    chosen.begin();
  }

  #heldBy(key: string): number {
    return this.#held.get(key) ?? 0;
  }
}
