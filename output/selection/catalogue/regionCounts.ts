/** Popularity in the cities and countries that recent questions have named. */
import { LRUCache } from 'lru-cache';
import type { RegionSums } from '../../../db/popularity/readPopularity.ts';
import { trendOf, type DecayedSums, type Period } from '../../../domain/output/popularity.ts';

/** Counts of one region and period. */
export class RegionCounts {
  readonly #sums = new Map<number, RegionSums>();
  readonly #all: DecayedSums = { fast: 0, slow: 0 };
  /** Time of `performance.now()` from which the counts should be read again. */
  readonly freshUntil: number;

  /** @param slotOf returns the slot of an item id; items that the catalogue does not have are left out */
  constructor(sums: readonly RegionSums[], slotOf: (id: string) => number | undefined, freshUntil = Infinity) {
    this.freshUntil = freshUntil;
    for (const one of sums) {
      const slot = slotOf(one.itemId);
      if (slot === undefined) continue;
      this.#sums.set(slot, one);
      this.#all.fast += one.fast;
      this.#all.slow += one.slow;
    }
  }

  get size(): number {
    return this.#sums.size;
  }

  /** Returns the slots that people of the region interacted with. */
  slots(): Iterable<number> {
    return this.#sums.keys();
  }

  total(slot: number): number {
    return this.#sums.get(slot)?.total ?? 0;
  }

  /** Returns the trend in standard deviations; 0 for an item that nobody of the region interacted with. */
  trend(slot: number): number {
    const sums = this.#sums.get(slot);
    return sums ? trendOf(sums.fast, sums.slow, this.#all) : 0;
  }

  /** Returns the largest total. */
  most(): number {
    let max = 0;
    for (const { total } of this.#sums.values()) max = Math.max(max, total);
    return max;
  }
}

/**
 * Maximum number of cached items per catalogue, those of all regions together: some twenty large ones, or many small
 * ones.
 */
const MAX_KEPT = 200_000;
const ENTRY_BYTES = 200;
/** Memory of a region without items, as a number of items: names of regions come from outside. */
const EMPTY_SIZE = 5;

/** LRU cache of counts. */
export class Regions {
  readonly #kept = new LRUCache<string, RegionCounts>({
    maxSize: MAX_KEPT,
    sizeCalculation: ({ size }) => size + EMPTY_SIZE,
  });

  get bytes(): number {
    return this.#kept.calculatedSize * ENTRY_BYTES;
  }

  find(key: string, period: Period): RegionCounts | undefined {
    return this.#kept.get(nameOf(key, period));
  }

  keep(key: string, period: Period, counts: RegionCounts): void {
    this.#kept.set(nameOf(key, period), counts);
  }
}

function nameOf(key: string, period: Period): string {
  return `${period} ${key}`;
}
