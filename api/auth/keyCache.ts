/** Caches the owners of keys for a few seconds, so that a burst of requests costs one look-up. */
import { growingCache } from '../../platform/process/growingCache.ts';
import type { KeyLookups } from './keyLookups.ts';

/**
 * A revoked key, a blocked client and an archived project take effect within this time, even when the notification
 * about it (db/accounts/projectKeys.ts ACCESS_CHANNEL) is lost.
 */
export const KEY_CACHE_TTL_MS = 5_000;
const CAPACITY = 10_000;

export interface KeyCache<T> {
  /**
   * Returns the owner of a key; null when the key is unknown.
   * @param ip the client's address
   * @throws {HttpError} 429 when the address has sent too many unknown keys (keyLookups.ts)
   */
  ownerOf(hash: Buffer, ip: string): Promise<T | null>;
  /** Clears the cache. */
  invalidate(): void;
}

/**
 * Wraps a look-up by key hash. Requests with the same key share a running look-up; a failed one is forgotten at once.
 * After `invalidate` every key is looked up again, including keys whose look-up is running, since it may have read the old
 * state. Unknown keys are cached separately, so that a flood of them evicts no valid key.
 * @param now a monotonic clock in milliseconds
 */
export function cacheByHash<T>(
  lookup: (hash: Buffer) => Promise<T | null>,
  lookups: KeyLookups,
  now: () => number = () => performance.now(),
): KeyCache<T> {
  const createCache = () => growingCache<string, Promise<T | null>>(CAPACITY, { ttl: KEY_CACHE_TTL_MS, now });
  const [running, owners, strangers] = [createCache(), createCache(), createCache()];
  const keep = (key: string, found: Promise<T | null>, owner: T | null, start: number): void => {
    if (running.get(key) !== found) return;
    running.delete(key);
    (owner === null ? strangers : owners).set(key, found, { start });
  };
  const ownerOf = (hash: Buffer, ip: string): Promise<T | null> => {
    const key = hash.toString('base64');
    const known = running.get(key) ?? owners.get(key) ?? strangers.get(key);
    if (known) return known;
    // Its lifetime counts from before the look-up: the state that it reads is at least that recent.
    const start = now();
    const found = lookups.find(ip, hash, () => lookup(hash));
    running.set(key, found, { start });
    found.then(
      (owner) => keep(key, found, owner, start),
      () => running.get(key) === found && running.delete(key),
    );
    return found;
  };
  const invalidate = (): void => [running, owners, strangers].forEach((cache) => cache.clear());
  return { ownerOf, invalidate };
}

/** Returns a function that runs `touch` for an id at most once a minute; its errors do not affect the request. */
export function touchEveryMinute(
  now: () => number = () => performance.now(),
): (id: string, touch: () => Promise<void>) => void {
  const touched = growingCache<string, true>(CAPACITY, { ttl: 60_000, now });
  return (id, touch) => {
    if (touched.get(id)) return;
    touched.set(id, true);
    touch().catch(() => touched.delete(id));
  };
}
