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

/** Runs `compute` as long as there is time left, a bucket that fills with the clock; else answers null at once. */
export function budgeted<A extends unknown[], V>(
  compute: (...args: A) => V,
  { burstMs, share, perCallMs = 0 }: Budget,
  clocks: Clocks = REAL,
): (...args: A) => V | null {
  let leftMs = burstMs;
  let filledAt = clocks.now();
  return (...args) => {
    const now = clocks.now();
    leftMs = Math.min(burstMs, leftMs + (now - filledAt) * share + perCallMs);
    filledAt = now;
    if (leftMs <= 0) return null;
    const before = clocks.used();
    const value = compute(...args);
    leftMs -= clocks.used() - before;
    return value;
  };
}
