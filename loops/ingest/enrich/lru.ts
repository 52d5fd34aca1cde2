/**
 * Caches the latest results of a costly pure function of a text. Strangers choose the texts, so the cache is bounded.
 * Null means "not computed this time": it is returned but not cached.
 */
export function remembered<V extends {} | null>(capacity: number, compute: (text: string) => V): (text: string) => V {
  const entries = new Map<string, V>();
  return (text) => {
    const known = entries.get(text);
    if (known !== undefined) {
      entries.delete(text);
      entries.set(text, known);
      return known;
    }
    const value = compute(text);
    if (value === null) return value;
    entries.set(text, value);
    if (entries.size > capacity) dropOldest(entries);
    return value;
  };
}

function dropOldest(entries: Map<string, unknown>): void {
  const oldest = entries.keys().next();
  if (oldest.done !== true) entries.delete(oldest.value);
}
