/**
 * Throttles work so that others have room: after each piece it rests for a multiple of the time that the piece took, so
 * that it never keeps a core busy for seconds. {@link Pace.work} rests after each piece, {@link Pace.rest} between two
 * of them.
 */
import { WakeUp } from './wakeUp.ts';

/** Usual maximum rest: a piece may have waited for something other than the machine. */
const MAX_REST_MS = 60_000;

export interface PaceSettings {
  maxRestMs?: number;
  /** {@link Pace.rest} returns at once until the work has taken this long. */
  minWorkMs?: number;
  /** Replaces the pace's own timer; {@link Pace.end} then does not end a rest early. */
  pause?: ((ms: number) => Promise<void>) | undefined;
}

export class Pace {
  readonly #restFactor: () => number;
  readonly #maxRestMs: number;
  readonly #minWorkMs: number;
  readonly #pause: (ms: number) => Promise<void>;
  readonly #bell = new WakeUp();
  #begunAt = performance.now();
  #isOver = false;

  /**
   * Creates a pace, and begins the work before the first {@link rest}.
   * @param restFactor length of a rest as a multiple of the work before it, determined anew for each rest; 0: no rest
   */
  constructor(
    restFactor: number | (() => number),
    { maxRestMs = MAX_REST_MS, minWorkMs = 0, pause = (ms) => this.#bell.sleep(ms) }: PaceSettings = {},
  ) {
    this.#restFactor = typeof restFactor === 'number' ? () => restFactor : restFactor;
    this.#maxRestMs = maxRestMs;
    this.#minWorkMs = minWorkMs;
    this.#pause = pause;
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
    const begunAt = performance.now();
    try {
      return await piece();
    } finally {
      await this.#restFrom(performance.now() - begunAt);
    }
  }

  /**
   * Rests in proportion to the work since the last rest.
   * @returns false when that was too little for a rest
   */
  async rest(): Promise<boolean> {
    const spentMs = performance.now() - this.#begunAt;
    if (spentMs < this.#minWorkMs) return false;
    await this.#restFrom(spentMs);
    this.#begunAt = performance.now();
    return true;
  }

  async #restFrom(spentMs: number): Promise<void> {
    const restMs = Math.min(this.#maxRestMs, spentMs * this.#restFactor());
    if (restMs > 0 && !this.#isOver) await this.#pause(restMs);
  }
}
