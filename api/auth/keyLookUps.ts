/**
 * Bounds what unknown keys may cost: a random key in the right form would otherwise be a query each, from
 * anybody, before any other limit is asked. Each address has a budget of look-ups that find nothing. A key that was
 * valid a moment ago costs none of it, so a flood from an address does not shut out others who work there.
 */
import { BoundedMap } from '../http/boundedMap.ts';
import { rateLimited } from '../http/errors.ts';
import { limitKeyOf } from '../http/peer.ts';

/** A client with a wrong key in its settings gets 401 for a while; one that tries keys has two a second. */
export const FAILED_LOOK_UPS = { capacity: 120, perSecond: 2 } as const;

/** Addresses whose budget is not full, and valid keys, that one process remembers. */
const CAPACITY = 20_000;

/** In this process alone: it is the queries of this process that are saved. */
export interface KeyLookUps {
  /**
   * Finds the owner of a key with `lookUp`. While all of an address's budget is out on look-ups that still run,
   * the next one waits for their outcome: a burst of many valid keys is refused nothing.
   * @param ip the client's address
   * @param hash of the key
   * @throws {HttpError} 429 when the address has found too few keys
   */
  find<T>(ip: string, hash: Buffer, lookUp: () => Promise<T | null>): Promise<T | null>;
}

interface Budget {
  left: number;
  /** When `left` was counted, in milliseconds of the clock. */
  at: number;
  running: number;
  /** Resolves when the next of the running look-ups ends. */
  ended: PromiseWithResolvers<void>;
}

/** @param now a monotonic clock in milliseconds */
export function createKeyLookUps(now: () => number = () => performance.now()): KeyLookUps {
  const valid = new BoundedMap<string, true>(CAPACITY);
  const budgets = new Budgets(now);
  return {
    async find(ip, hash, lookUp) {
      const name = hash.toString('base64');
      const owner = valid.get(name) === undefined ? await budgets.spend(limitKeyOf(ip), lookUp) : await lookUp();
      if (owner === null) valid.delete(name);
      else valid.set(name, true);
      return owner;
    },
  };
}

class Budgets {
  readonly #byAddress = new BoundedMap<string, Budget>(CAPACITY);
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  async spend<T>(address: string, lookUp: () => Promise<T | null>): Promise<T | null> {
    const budget = await this.#reserve(address);
    let isFailure = false;
    try {
      const owner = await lookUp();
      isFailure = owner === null;
      return owner;
    } finally {
      budget.running -= 1;
      if (!isFailure) budget.left += 1;
      budget.ended.resolve();
      budget.ended = Promise.withResolvers();
    }
  }

  /** Takes one of the address's budget. @throws {HttpError} 429 when there is none, and none comes back */
  async #reserve(address: string): Promise<Budget> {
    for (;;) {
      const budget = this.#budgetOf(address);
      if (budget.left >= 1) {
        budget.left -= 1;
        budget.running += 1;
        return budget;
      }
      if (budget.running === 0) throw rateLimited((1 - budget.left) / FAILED_LOOK_UPS.perSecond);
      await budget.ended.promise;
    }
  }

  #budgetOf(address: string): Budget {
    const time = this.#now();
    const budget = this.#byAddress.get(address) ?? {
      left: FAILED_LOOK_UPS.capacity,
      at: time,
      running: 0,
      ended: Promise.withResolvers<void>(),
    };
    const earned = ((time - budget.at) / 1000) * FAILED_LOOK_UPS.perSecond;
    budget.left = Math.min(FAILED_LOOK_UPS.capacity - budget.running, budget.left + earned);
    budget.at = time;
    this.#byAddress.set(address, budget);
    return budget;
  }
}
