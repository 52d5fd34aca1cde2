/** Turns at a scarce resource: so many at a time, in the order in which they asked. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param size how many may work at a time, at least 1 */
  constructor(size: number) {
    this.#free = size;
  }

  /**
   * Runs `work` when its turn has come.
   * @throws the signal's reason when it fires during the wait; `work` is not called then
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#take(signal);
    try {
      return await work();
    } finally {
      this.#giveBack();
    }
  }

  #take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(begin);
    });
  }

  /** A turn goes from hand to hand while somebody waits, so that nobody can slip in between. */
  #giveBack(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}
