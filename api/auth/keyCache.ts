/** Caches the owners of keys for a few seconds, so that a burst of requests is one look-up. */
import { LRUCache } from 'lru-cache';
import type { KeyLookUps } from './keyLookUps.ts';

/**
 * A revoked key, a blocked client and an archived project take effect within this time, even when the notification
 * about it (db/accounts/projectKeys.ts ACCESS_CHANNEL) is lost.
 */
export const KEY_CACHE_TTL_MS = 5_000;
const CAPACITY = 10_000;

interface Entry<T> {
  owner: Promise<T | null>;
  expiresAt: number;
}

export interface KeyCache<T> {
  /**
   * @param ip the client's address
   * @throws {HttpError} 429 when the address has sent too many unknown keys (keyLookUps.ts)
   */
  ownerOf(hash: Buffer, ip: string): Promise<T | null>;
  /** Clears the cache. */
  forget(): void;
}

/**
 * Wraps a look-up by key hash. Requests with the same key share a running look-up; a failed one is forgotten at once.
 * After `forget` every key is looked up again, including keys whose look-up is running, since it may have read the old
 * state. Unknown keys are cached separately, so that a flood of them evicts no valid key.
 * @param now a monotonic clock in milliseconds
 */
export function cacheByHash<T>(
  lookUp: (hash: Buffer) => Promise<T | null>,
  lookUps: KeyLookUps,
  now: () => number = () => performance.now(),
): KeyCache<T> {
  const entries = new LRUCache<string, Entry<T>>({ max: CAPACITY });
  const strangers = new LRUCache<string, Entry<T>>({ max: CAPACITY });
  const running = new Map<string, Entry<T>>();
  const keep = (key: string, entry: Entry<T>, owner: T | null): void => {
    if (running.get(key) !== entry) return;
    running.delete(key);
    (owner === null ? strangers : entries).set(key, entry);
  };
  const ownerOf = (hash: Buffer, ip: string): Promise<T | null> => {
    const key = hash.toString('base64');
    const known = running.get(key) ?? entries.get(key) ?? strangers.get(key);
    if (known && known.expiresAt > now()) return known.owner;
    const entry: Entry<T> = {
      owner: lookUps.find(ip, hash, () => lookUp(hash)),
      expiresAt: now() + KEY_CACHE_TTL_MS,
    };
    running.set(key, entry);
    entry.owner.then(
      (owner) => keep(key, entry, owner),
      () => running.get(key) === entry && running.delete(key),
    );
    return entry.owner;
  };
  const forget = (): void => [running, entries, strangers].forEach((known) => known.clear());
  return { ownerOf, forget };
}

/** Returns a function that runs `touch` for an id at most once a minute; its errors do not affect the request. */
export function touchEveryMinute(
  now: () => number = () => performance.now(),
): (id: string, touch: () => Promise<void>) => void {
  const touched = new LRUCache<string, number>({ max: CAPACITY });
  return (id, touch) => {
    const last = touched.get(id);
    if (last !== undefined && now() - last < 60_000) return;
    touched.set(id, now());
    touch().catch(() => touched.delete(id));
  };
}
