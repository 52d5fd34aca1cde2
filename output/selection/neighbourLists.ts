/** The lists of neighbours of all catalogues of the process: those that were used last are kept. */
import type { ScoredSlots } from './topSlots.ts';

export interface NeighbourList extends ScoredSlots {
  /** Others have this score at most, and may be missing; null: nothing is missing. */
  floor: number | null;
  /** The number of changes of the catalogue that the list takes in. */
  upTo: number;
}

/** A full list takes 4 KB, hence 40 MB. */
const LISTS = 10_000;
/**
 * Comparisons for lists of a person's items, which an answer can do without: so many a second in the whole process, some
 * 0.2 s of its time, however many people come whose items nobody has asked for.
 */
const COMPARISONS_A_SECOND = 1_000_000;
/** In one request, unless the list is its first one: some 10 ms. */
const COMPARISONS_A_REQUEST = 50_000;
/** First lists of requests may go so far into debt, so that others do not take what a first event needs to show. */
const MOST_DEBT = COMPARISONS_A_SECOND;

/** What a request may spend on lists that are not kept. */
export interface ComparisonBudget {
  left: number;
  /** Nothing of it was spent. */
  isWhole: boolean;
}

/** Slots are below this. */
const OWNER = 2 ** 32;

export class NeighbourLists {
  /** In the order of their use. */
  readonly #lists = new Map<number, NeighbourList>();
  #owners = 0;
  #comparisons = COMPARISONS_A_SECOND;
  #countedAt = performance.now();

  /** The budget of one request. */
  newBudget(): ComparisonBudget {
    const now = performance.now();
    const earned = ((now - this.#countedAt) / 1000) * COMPARISONS_A_SECOND;
    this.#comparisons = Math.min(COMPARISONS_A_SECOND, this.#comparisons + earned);
    this.#countedAt = now;
    return { left: this.#comparisons > 0 ? COMPARISONS_A_REQUEST : 0, isWhole: true };
  }

  /** @returns whether so many comparisons may be made: the first of a request may be more than its budget */
  spend(budget: ComparisonBudget, comparisons: number): boolean {
    const isAllowed = budget.isWhole ? this.#comparisons > -MOST_DEBT : comparisons <= budget.left;
    if (!isAllowed) return false;
    budget.left -= comparisons;
    budget.isWhole = false;
    this.#comparisons -= comparisons;
    return true;
  }

  /** The number of a catalogue. */
  newOwner(): number {
    this.#owners += 1;
    return this.#owners;
  }

  has(owner: number, slot: number): boolean {
    return this.#lists.has(owner * OWNER + slot);
  }

  find(owner: number, slot: number): NeighbourList | undefined {
    const key = owner * OWNER + slot;
    const list = this.#lists.get(key);
    if (list) {
      this.#lists.delete(key);
      this.#lists.set(key, list);
    }
    return list;
  }

  keep(owner: number, slot: number, list: NeighbourList): void {
    this.forget(owner, slot);
    this.#lists.set(owner * OWNER + slot, list);
    const oldest = this.#lists.keys().next();
    if (this.#lists.size > LISTS && !oldest.done) this.#lists.delete(oldest.value);
  }

  forget(owner: number, slot: number): void {
    this.#lists.delete(owner * OWNER + slot);
  }

  forgetAll(owner: number): void {
    for (const key of this.#lists.keys()) if (Math.floor(key / OWNER) === owner) this.#lists.delete(key);
  }
}
