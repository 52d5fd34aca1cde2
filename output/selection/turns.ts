/**
 * One ranking at a time, in the order of the questions. Between two of them the event loop takes in what has come
 * meanwhile: new questions, and the news that somebody does not wait any longer.
 */
export class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #isRunning = false;

  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.#waiting.length >= this.#most;
  }

  /** Settles when it is the caller's turn, which lasts until the caller gives way to the event loop. */
  take(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isRunning) this.#next();
    });
  }

  #next(): void {
    this.#isRunning = this.#waiting.length > 0;
    if (!this.#isRunning) return;
    setImmediate(() => {
      this.#waiting.shift()?.();
      this.#next();
    });
  }
}
