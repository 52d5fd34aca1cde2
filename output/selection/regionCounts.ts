/** What is popular in the cities and countries that questions have named lately. */
import type { RegionSums } from '../../db/popularity/read.ts';
import { trendOf, type FadingSums, type Period } from '../../domain/output/popularity.ts';

/** Counts of one region and period. */
export class RegionCounts {
  readonly #sums = new Map<number, RegionSums>();
  readonly #all: FadingSums = { fast: 0, slow: 0 };
  readonly readAt = performance.now();

  /** @param slotOf of an item's id; items that the catalogue does not have are left out */
  constructor(sums: readonly RegionSums[], slotOf: (id: string) => number | undefined) {
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

  /** Of what the people of the region touched. */
  slots(): Iterable<number> {
    return this.#sums.keys();
  }

  total(slot: number): number {
    return this.#sums.get(slot)?.total ?? 0;
  }

  /** In standard deviations; 0 for what nobody of the region touched. */
  trend(slot: number): number {
    const sums = this.#sums.get(slot);
    return sums ? trendOf(sums.fast, sums.slow, this.#all) : 0;
  }

  /** The largest total. */
  most(): number {
    let most = 0;
    for (const { total } of this.#sums.values()) most = Math.max(most, total);
    return most;
  }
}

/** Of one catalogue. */
const KEPT = 20;
const ENTRY_BYTES = 200;

/** The counts that were asked for last. */
export class Regions {
  /** In the order of their use. */
  readonly #kept = new Map<string, RegionCounts>();

  get bytes(): number {
    let bytes = 0;
    for (const { size } of this.#kept.values()) bytes += size * ENTRY_BYTES;
    return bytes;
  }

  find(key: string, period: Period): RegionCounts | undefined {
    const name = nameOf(key, period);
    const known = this.#kept.get(name);
    if (known) {
      this.#kept.delete(name);
      this.#kept.set(name, known);
    }
    return known;
  }

  keep(key: string, period: Period, counts: RegionCounts): void {
    const name = nameOf(key, period);
    this.#kept.delete(name);
    this.#kept.set(name, counts);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > KEPT && !oldest.done) this.#kept.delete(oldest.value);
  }
}

function nameOf(key: string, period: Period): string {
  return `${period} ${key}`;
}
