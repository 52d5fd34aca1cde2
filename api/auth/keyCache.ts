/** Remembers whose key it is for a few seconds, so that a burst of requests is one look-up. */
import { BoundedMap } from '../http/boundedMap.ts';

/**
 * A revoked key, a blocked client and an archived project take effect within this time, even when the
 * notification of it (db/projectKeys.ts ACCESS_CHANNEL) is lost.
 */
export const KEY_CACHE_TTL_MS = 5_000;
const CAPACITY = 10_000;

interface Entry<T> {
  owner: Promise<T>;
  expiresAt: number;
}

export interface KeyCache<T> {
  ownerOf(hash: Buffer): Promise<T>;
  /** Forgets every key. */
  forget(): void;
}

/**
 * Wraps a look-up by key hash. Requests with one key share one running look-up; a failed one is
 * forgotten at once. After `forget` every key is looked up anew: also one whose look-up runs just
 * then, for it may have read what was before.
 * @param now a monotonic clock in milliseconds
 */
export function cacheByHash<T>(
  lookUp: (hash: Buffer) => Promise<T>,
  now: () => number = () => performance.now(),
): KeyCache<T> {
  const entries = new BoundedMap<string, Entry<T>>(CAPACITY);
  const ownerOf = (hash: Buffer): Promise<T> => {
    const key = hash.toString('base64');
    const known = entries.get(key);
    if (known && known.expiresAt > now()) return known.owner;
    const entry: Entry<T> = { owner: lookUp(hash), expiresAt: now() + KEY_CACHE_TTL_MS };
    entries.set(key, entry);
    entry.owner.catch(() => {
      if (entries.get(key) === entry) entries.delete(key);
    });
    return entry.owner;
  };
  return { ownerOf, forget: () => entries.clear() };
}

/** Runs `touch` for an id at most once a minute; its failure harms no request. */
export function touchEveryMinute(
  now: () => number = () => performance.now(),
): (id: string, touch: () => Promise<void>) => void {
  const touched = new BoundedMap<string, number>(CAPACITY);
  return (id, touch) => {
    const last = touched.get(id);
    if (last !== undefined && now() - last < 60_000) return;
    touched.set(id, now());
    touch().catch(() => touched.delete(id));
  };
}
