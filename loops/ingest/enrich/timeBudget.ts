/** Limits the processor time that requests from strangers can spend in a costly function. */

export interface Budget {
  /** Maximum time that can be spent at once, in milliseconds. */
  burstMs: number;
  /** Share of each second that is refilled: 0.5 is half of one core. */
  share: number;
  /** Milliseconds that each call adds to the budget, so a call that costs no more is never refused. */
  perCallMs?: number;
}

/** Two clocks in milliseconds, with any origin. */
export interface Clocks {
  /** Reads a monotonic clock. */
  now(): number;
  /** Returns the processor time of this thread, so waiting for a busy core spends none of the budget. */
  used(): number;
}

const REAL: Clocks = {
  now: () => performance.now(),
  used() {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
};

/** A token bucket of time, refilled by the clock and by each call. */
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

  /** @returns true when one more call is allowed */
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

/** Runs `compute` while the budget lasts; afterwards returns null without running it. */
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
