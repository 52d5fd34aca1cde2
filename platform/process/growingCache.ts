/** A bounded cache that takes memory as it fills. */
import { LRUCache } from 'lru-cache';

/**
 * Returns a cache of the `most` values that were used last. With `max` lru-cache reserves room for all of them at once:
 * an API process has a dozen caches for floods of addresses and keys, 17 MB that are rarely used.
 */
export function growingCache<K extends NonNullable<unknown>, V extends NonNullable<unknown>>(
  most: number,
): LRUCache<K, V> {
  return new LRUCache<K, V>({ maxSize: most, sizeCalculation: () => 1 });
}
