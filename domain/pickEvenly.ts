/** Returns all values, or `most` of them, evenly spaced and including the first and the last. */
export function pickEvenly<T>(values: readonly T[], most: number): T[] {
  if (values.length <= most) return [...values];
  const step = (values.length - 1) / Math.max(1, most - 1);
  const chosen = new Set(Array.from({ length: most }, (_, index) => Math.round(index * step)));
  return values.filter((_, at) => chosen.has(at));
}
