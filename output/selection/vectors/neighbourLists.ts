/** LRU cache of the neighbour lists of all catalogues of the process. */
import { LRUCache } from 'lru-cache';
import type { ScoredSlots } from './topSlots.ts';

export interface NeighbourList extends ScoredSlots {
  /** Upper bound of the scores of missing neighbours, as far as sketches can tell; null when none is missing. */
  floor: number | null;
  /** Number of the catalogue's changes that the list includes. */
  upTo: number;
}

/** Maximum number of lists. A full list takes 4 KB, so all take up to 120 MB. */
export const MAX_LISTS = 30_000;
/**
 * Comparisons per second in the whole process for lists that an answer can do without, those of a person's items. They
 * cost about 0.2 s of each second, however many people arrive whose items have no cached lists.
 */
const COMPARISONS_A_SECOND = 1_000_000;
/** Comparisons per request, some 10 ms, unless the list is the request's first. */
const COMPARISONS_A_REQUEST = 60_000;
/**
 * Debt that the first lists of requests may run up, so that other lists cannot use up the comparisons that a person's
 * first event needs.
 */
const MAX_DEBT = COMPARISONS_A_SECOND;

/** The comparisons that a request may spend on lists that are not cached. */
export interface ComparisonBudget {
  left: number;
  /** Nothing has been spent yet. */
  isUntouched: boolean;
}

/** Upper bound of slots; owners are multiples of it in the keys. */
const OWNER = 2 ** 32;

export class NeighbourLists {
  readonly #lists = new LRUCache<number, NeighbourList>({ max: MAX_LISTS });
  #owners = 0;
  #comparisons = COMPARISONS_A_SECOND;
  #countedAt = performance.now();

  /** Returns the budget of one request. */
  newBudget(): ComparisonBudget {
    const now = performance.now();
    const earned = ((now - this.#countedAt) / 1000) * COMPARISONS_A_SECOND;
    this.#comparisons = Math.min(COMPARISONS_A_SECOND, this.#comparisons + earned);
    this.#countedAt = now;
    return { left: this.#comparisons > 0 ? COMPARISONS_A_REQUEST : 0, isUntouched: true };
  }

  /** Returns true when the comparisons may be made: the first list of a request may exceed its budget. */
  allows(budget: ComparisonBudget, comparisons: number): boolean {
    return budget.isUntouched ? this.#comparisons > -MAX_DEBT : comparisons <= budget.left;
  }

  /** Charges comparisons that were made. */
  charge(budget: ComparisonBudget, comparisons: number): void {
    budget.left -= comparisons;
    budget.isUntouched = false;
    this.#comparisons -= comparisons;
  }

  /** Returns a new number for a catalogue. */
  newOwner(): number {
    this.#owners += 1;
    return this.#owners;
  }

  find(owner: number, slot: number): NeighbourList | undefined {
    return this.#lists.get(owner * OWNER + slot);
  }

  keep(owner: number, slot: number, list: NeighbourList): void {
    this.#lists.set(owner * OWNER + slot, list);
  }

  evict(owner: number, slot: number): void {
    this.#lists.delete(owner * OWNER + slot);
  }

  evictAll(owner: number): void {
    const own = Array.from(this.#lists.keys()).filter((key) => Math.floor(key / OWNER) === owner);
    for (const key of own) this.#lists.delete(key);
  }
}
