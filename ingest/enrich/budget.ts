/** Bounds the time that strangers can make a costly function use. */

export interface Budget {
  /** What may be used up at once, in milliseconds. */
  burstMs: number;
  /** Of each second, what comes back: 0.5 is half of one core. */
  share: number;
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
export function budgeted<V>(
  compute: (text: string) => V,
  { burstMs, share }: Budget,
  clocks: Clocks = REAL,
): (text: string) => V | null {
  let leftMs = burstMs;
  let filledAt = clocks.now();
  return (text) => {
    const now = clocks.now();
    leftMs = Math.min(burstMs, leftMs + (now - filledAt) * share);
    filledAt = now;
    if (leftMs <= 0) return null;
    const before = clocks.used();
    const value = compute(text);
    leftMs -= clocks.used() - before;
    return value;
  };
}
