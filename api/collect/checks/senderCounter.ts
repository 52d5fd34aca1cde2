/**
 * Counts from which hosts batches come, and stores the counts every few seconds, so that a batch only costs a map
 * look-up.
 */
import type { RefusedKeyCount, SenderCount } from '../../../db/sites/senders.ts';
import { keyHash } from '../../../domain/accounts/keyFormats.ts';

/** Limits the memory that made-up hosts or keys can fill; those beyond it are not counted. */
const MAX_SENDERS = 1_000;
const MAX_KEYS = 100;
const FLUSH_INTERVAL_MS = 5_000;
const MAX_HOST_LENGTH = 253;

/** @throws when the counts were not stored; the counter keeps them in that case */
export type StoreCounts = (senders: readonly SenderCount[], keys: readonly RefusedKeyCount[]) => Promise<void>;

export class SenderCounter {
  readonly #store: StoreCounts;
  readonly #timer: NodeJS.Timeout;
  #senders = new Map<string, SenderCount>();
  #keys = new Map<string, RefusedKeyCount>();

  constructor(store: StoreCounts, everyMs = FLUSH_INTERVAL_MS) {
    this.#store = store;
    this.#timer = setInterval(() => void this.flush(), everyMs);
    this.#timer.unref();
  }

  /** @param host host of the page; empty without one */
  countBatch(siteId: string, outcome: SenderCount['outcome'], host: string): void {
    const now = new Date();
    const id = `${siteId} ${outcome} ${host}`;
    const known = this.#senders.get(id);
    if (known) {
      known.requests += 1;
      known.lastAt = now;
    } else if (this.#senders.size < MAX_SENDERS) {
      this.#senders.set(id, {
        siteId,
        outcome,
        host: host.slice(0, MAX_HOST_LENGTH),
        requests: 1,
        firstAt: now,
        lastAt: now,
      });
    }
  }

  /** @param key the key in the batch, of any type */
  countRefusedKey(host: string, key: unknown): void {
    const now = new Date();
    const text = typeof key === 'string' ? key : '';
    // Only the part of a key that the cabinet shows; an invalid key may be anything.
    const prefix = /^[\w-]{1,8}/.exec(text)?.[0] ?? '';
    const id = `${host} ${text}`;
    const known = this.#keys.get(id);
    if (known) {
      known.requests += 1;
      known.lastAt = now;
    } else if (this.#keys.size < MAX_KEYS && text.length < 100) {
      const hash = keyHash(text);
      this.#keys.set(id, {
        host: host.slice(0, MAX_HOST_LENGTH),
        prefix,
        hash,
        requests: 1,
        firstAt: now,
        lastAt: now,
      });
    }
  }

  /** Stores the counts. Those that could not be stored are kept for the next flush. */
  async flush(): Promise<void> {
    const [senders, keys] = [this.#senders, this.#keys];
    if (senders.size + keys.size === 0) return;
    [this.#senders, this.#keys] = [new Map(), new Map()];
    try {
      await this.#store([...senders.values()], [...keys.values()]);
    } catch {
      this.#senders = mergeCounts(senders, this.#senders, MAX_SENDERS);
      this.#keys = mergeCounts(keys, this.#keys, MAX_KEYS);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}

/** Merges two maps up to the limit, and adds up the counts of entries that are in both. */
function mergeCounts<T extends SenderCount | RefusedKeyCount>(
  earlier: ReadonlyMap<string, T>,
  later: ReadonlyMap<string, T>,
  most: number,
): Map<string, T> {
  const all = new Map(earlier);
  for (const [id, counted] of later) {
    const { requests, firstAt } = earlier.get(id) ?? { requests: 0, firstAt: counted.firstAt };
    all.set(id, { ...counted, requests: requests + counted.requests, firstAt });
  }
  return new Map([...all].slice(0, most));
}
