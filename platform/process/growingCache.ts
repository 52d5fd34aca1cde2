/** A bounded cache that takes memory as it fills. */
import { LRUCache } from 'lru-cache';

/**
 * Returns a cache of the `most` values that were used last. With `max` lru-cache reserves room for all of them at once:
 * an API process has a dozen caches for floods of addresses and keys, 17 MB that are rarely used.
 * @param expiry when values expire; its clock is read at each use, because by default the package starts a timer for
 * each millisecond in which it is used
 */
export function growingCache<K extends NonNullable<unknown>, V extends NonNullable<unknown>>(
  most: number,
  expiry?: { ttl: number; now: () => number },
): LRUCache<K, V> {
  return new LRUCache<K, V>({
    maxSize: most,
    sizeCalculation: () => 1,
    ...(expiry && { ttl: expiry.ttl, ttlResolution: 0, perf: { now: expiry.now } }),
  });
}
