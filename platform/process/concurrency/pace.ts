/**
 * Throttles work so that others have room: after each piece it rests many times as long, so that it never keeps a core
 * busy for seconds.
 */
import { WakeUp } from './wakeUp.ts';

/** Usual maximum rest: a piece may have waited for something other than the machine. */
const MAX_REST_MS = 60_000;

export class Pace {
  readonly #restFactor: number;
  readonly #maxRestMs: number;
  readonly #bell = new WakeUp();
  #isOver = false;

  /** Creates a pace. @param restFactor length of the rest as a multiple of the piece before it; 0: no rest */
  constructor(restFactor: number, maxRestMs = MAX_REST_MS) {
    this.#restFactor = restFactor;
    this.#maxRestMs = maxRestMs;
  }

  /** Returns true when no further piece may begin. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends the current rest; there is none afterwards. */
  end(): void {
    this.#isOver = true;
    this.#bell.ring();
  }

  /** Runs a piece of the work, then rests; an error of the piece is thrown after the rest. */
  async work<T>(piece: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      return await piece();
    } finally {
      const restMs = Math.min(this.#maxRestMs, (performance.now() - started) * this.#restFactor);
      if (restMs > 0 && !this.#isOver) await this.#bell.sleep(restMs);
    }
  }
}
