/**
 * Lets one ranking run at a time, in the order of the questions. Between two rankings the event loop handles new
 * questions and disconnected clients.
 */
export class RankingTurns {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #isRunning = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.#waiting.length >= this.#limit;
  }

  /** Resolves when it is the caller's turn, which lasts until the caller yields to the event loop. */
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
