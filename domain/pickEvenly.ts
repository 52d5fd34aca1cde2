/** Returns all values, or `maxCount` of them, evenly spaced and including the first and the last. */
export function pickEvenly<T>(values: readonly T[], maxCount: number): T[] {
  if (values.length <= maxCount) return [...values];
  const step = (values.length - 1) / Math.max(1, maxCount - 1);
  const chosen = new Set(Array.from({ length: maxCount }, (_, index) => Math.round(index * step)));
  return values.filter((_, at) => chosen.has(at));
}
