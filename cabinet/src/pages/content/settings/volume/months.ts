const SHOWN = 12;

/** Returns the latest months, the current one first, as `2026-11`. */
export function lastMonths(now: Date): string[] {
  return Array.from({ length: SHOWN }, (_, back) =>
    new Date(Date.UTC(now.getFullYear(), now.getMonth() - back)).toISOString().slice(0, 7),
  );
}
