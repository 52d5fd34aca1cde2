/**
 * Caches the latest results of a costly pure function of a text. Strangers choose the texts, so the cache is bounded.
 * Null means "not computed this time": it is returned but not cached.
 */
import { LRUCache } from 'lru-cache';

export function memoise<V extends {} | null>(capacity: number, compute: (text: string) => V): (text: string) => V {
  const entries = new LRUCache<string, V & {}>({ max: capacity });
  return (text) => {
    const known = entries.get(text);
    if (known !== undefined) return known;
    const value = compute(text);
    if (value !== null) entries.set(text, value);
    return value;
  };
}
