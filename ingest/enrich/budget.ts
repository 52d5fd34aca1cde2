/** Bounds the time that strangers can make a costly function use. */

export interface Budget {
  /** What may be used up at once, in milliseconds. */
  burstMs: number;
  /** Of each second, what comes back: 0.5 is half of one core. */
  share: number;
  /** Milliseconds that each call brings of its own: what costs no more is never refused. */
  perCallMs?: number;
}

/** Both in milliseconds, from any beginning. */
export interface Clocks {
  /** Never goes back. */
  now(): number;
  /** What this thread has used of a core: while others have it, nothing is used up. */
  used(): number;
}

const REAL: Clocks = {
  now: () => performance.now(),
  used() {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
};

/** A bucket of time that fills with the clock, and with each call. */
export class TimeLeft {
  readonly #budget: Budget;
  readonly #clocks: Clocks;
  #leftMs: number;
  #filledAt: number;

  constructor(budget: Budget, clocks: Clocks = REAL) {
    this.#budget = budget;
    this.#clocks = clocks;
    this.#leftMs = budget.burstMs;
    this.#filledAt = clocks.now();
  }

  /** @returns whether one more call may be made */
  call(): boolean {
    const { burstMs, share, perCallMs = 0 } = this.#budget;
    const now = this.#clocks.now();
    this.#leftMs = Math.min(burstMs, this.#leftMs + (now - this.#filledAt) * share + perCallMs);
    this.#filledAt = now;
    return this.#leftMs > 0;
  }

  spend(ms: number): void {
    this.#leftMs -= ms;
  }
}

/** Runs `compute` as long as there is time left; else answers null at once. */
export function budgeted<A extends unknown[], V>(
  compute: (...args: A) => V,
  budget: Budget,
  clocks: Clocks = REAL,
): (...args: A) => V | null {
  const left = new TimeLeft(budget, clocks);
  return (...args) => {
    if (!left.call()) return null;
    const before = clocks.used();
    const value = compute(...args);
    left.spend(clocks.used() - before);
    return value;
  };
}
