/** Counts attempts by spans of their duration, which is enough for a percentile. */

/**
 * Upper ends of the spans in milliseconds: 10, 13, 16, 20 … 32 s. Each is about 26 % longer than the one before, which
 * rounding makes 23 to 30 %. An attempt has a timeout of ten seconds. Stored numbers depend on the order.
 */
export const DURATION_ENDS_MS: readonly number[] = Array.from({ length: 36 }, (_, index) =>
  Math.round(10 * 10 ** (index / 10)),
);

const MAX_MS = DURATION_ENDS_MS.at(-1) ?? 0;

/** Number of attempts whose duration lies in one span. */
export interface DurationCount {
  /** The index of the span: 0 up to the first end, and so on. */
  duration: number;
  attempts: number;
}

/**
 * Returns the maximum duration of the given share of attempts, in milliseconds: the end of the span in which it is
 * reached. So it is less than 30 % too long; only in the first span, which ends at 10 ms, the excess may be a larger
 * share. Null without attempts.
 * @param counts in the order of their spans
 */
export function percentile(counts: readonly DurationCount[], share: number): number | null {
  const total = counts.reduce((sum, { attempts }) => sum + attempts, 0);
  let seen = 0;
  for (const { duration, attempts } of counts) {
    seen += attempts;
    if (total > 0 && seen >= total * share) return DURATION_ENDS_MS[duration] ?? MAX_MS;
  }
  return null;
}
