/**
 * Limits the cost of unknown keys: otherwise anybody could cause a query with each random key of the right form, before
 * any other limit applies. Each address has a budget of unsuccessful lookups. A key that was valid recently costs
 * nothing, so that a flood from an address does not lock out its other clients.
 */
import { rateLimited } from '../http/errors.ts';
import { limitKeyOf } from '../http/limits/trustedProxies.ts';
import { growingCache } from '../../platform/process/growingCache.ts';

/** A client configured with a wrong key gets 401 for a while; one that guesses keys gets 2 attempts a second. */
export const FAILED_LOOKUPS = { capacity: 120, perSecond: 2 } as const;

/** Maximum number of addresses with a used budget, and of valid keys, that one process remembers. */
const CAPACITY = 20_000;

/** Counts in this process only, since it protects the queries of this process. */
export interface KeyLookups {
  /**
   * Finds the owner of a key with `lookup`; null when the key is unknown. While the whole budget of an address is
   * reserved by running lookups, the next one waits for their results: a burst of many valid keys is not refused.
   * @param ip the client's address
   * @param hash hash of the key
   * @throws {HttpError} 429 when the address has sent too many unknown keys
   */
  find<T>(ip: string, hash: Buffer, lookup: () => Promise<T | null>): Promise<T | null>;
}

interface Budget {
  left: number;
  /** Time at which `left` was computed, in milliseconds of the clock. */
  at: number;
  running: number;
  /** Resolves when the next of the running lookups ends. */
  ended: PromiseWithResolvers<void>;
}

/** @param now a monotonic clock in milliseconds */
export function createKeyLookups(now: () => number = () => performance.now()): KeyLookups {
  const valid = growingCache<string, true>(CAPACITY);
  const budgets = new Budgets(now);
  return {
    async find(ip, hash, lookup) {
      const name = hash.toString('base64');
      const owner = valid.get(name) === undefined ? await budgets.spend(limitKeyOf(ip), lookup) : await lookup();
      if (owner === null) valid.delete(name);
      else valid.set(name, true);
      return owner;
    },
  };
}

class Budgets {
  readonly #byAddress = growingCache<string, Budget>(CAPACITY);
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  async spend<T>(address: string, lookup: () => Promise<T | null>): Promise<T | null> {
    const budget = await this.#reserve(address);
    let isFailure = false;
    try {
      const owner = await lookup();
      isFailure = owner === null;
      return owner;
    } finally {
      budget.running -= 1;
      if (!isFailure) budget.left += 1;
      budget.ended.resolve();
      budget.ended = Promise.withResolvers();
    }
  }

  /**
   * Reserves one lookup of the address's budget.
   * @throws {HttpError} 429 when none is left and no running lookup can return one
   */
  async #reserve(address: string): Promise<Budget> {
    for (;;) {
      const budget = this.#budgetOf(address);
      if (budget.left >= 1) {
        budget.left -= 1;
        budget.running += 1;
        return budget;
      }
      if (budget.running === 0) throw rateLimited((1 - budget.left) / FAILED_LOOKUPS.perSecond);
      await budget.ended.promise;
    }
  }

  #budgetOf(address: string): Budget {
    const time = this.#now();
    const budget = this.#byAddress.get(address) ?? {
      left: FAILED_LOOKUPS.capacity,
      at: time,
      running: 0,
      ended: Promise.withResolvers<void>(),
    };
    const earned = ((time - budget.at) / 1000) * FAILED_LOOKUPS.perSecond;
    budget.left = Math.min(FAILED_LOOKUPS.capacity - budget.running, budget.left + earned);
    budget.at = time;
    this.#byAddress.set(address, budget);
    return budget;
  }
}
