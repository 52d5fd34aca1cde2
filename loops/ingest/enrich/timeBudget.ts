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

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const wallMs = (): number => performance.now();

const REAL: Clocks = { now: wallMs, used: threadMs };

/** Wall time after which the thread's own clock is read again. */
const READ_EVERY_MS = 5;

/**
 * Returns clocks for work of microseconds: reading the thread's own clock each time would cost as much as the work.
 * `used` follows the wall clock from one reading to the next. A pause of 5 ms or more is found by the reading after it
 * and not counted; while nothing pauses the thread, the two clocks agree.
 */
export function createFrequentClocks(now = wallMs, thread = threadMs): Clocks {
  let readAt = now();
  let usedThen = thread();
  return {
    now,
    used() {
      const at = now();
      if (at - readAt < READ_EVERY_MS) return usedThen + at - readAt;
      usedThen = thread();
      readAt = at;
      return usedThen;
    },
  };
}

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
