/** Caches the nearest items of an item, and updates them by later changes. */
import type { NeighbourLists, NeighbourList } from './neighbourLists.ts';
import { TopSlots } from './topSlots.ts';
import type { NearSlots } from './vectorColumns.ts';

/** Neighbours kept per item: enough for most requests after filters. */
export const MAX_NEIGHBOURS = 500;
/** An incomplete list with fewer entries is computed again at any cost. Sketches find this many without a miss. */
const MIN_KEPT = 100;
/** Number of logged changes; for a list that is older, computing it again costs no more than updating it. */
const LOGGED = 5_000;

/** The comparisons that the catalogue provides. */
export interface SimilaritySource {
  /**
   * Returns the best slots with at least this score, including the subject itself: at least `wanted` of them, if there
   * are that many.
   */
  near: (minCosine: number, wanted: number) => NearSlots;
  /** Compares a slot with the subject; NaN when they cannot be compared. */
  score: (slot: number) => number;
  /** Slots with lower scores are not neighbours. */
  minCosine: number;
}

export class Neighbours {
  readonly #lists: NeighbourLists;
  readonly #owner: number;
  /** Changed slots in the order of their changes, without the oldest. */
  #log: number[] = [];
  /** Number of changes that are no longer in the log. */
  #truncated = 0;

  constructor(lists: NeighbourLists) {
    this.#lists = lists;
    this.#owner = lists.newOwner();
  }

  /** Records that a slot's vector was replaced or removed; the cached list of that slot becomes invalid. */
  changed(slot: number): void {
    this.#log.push(slot);
    this.#lists.evict(this.#owner, slot);
    if (this.#log.length < 2 * LOGGED) return;
    this.#truncated += LOGGED;
    this.#log = this.#log.slice(LOGGED);
  }

  /** Returns true when the list of a subject is cached and includes all changes; it then stays cached for longer. */
  isCurrent(subject: number): boolean {
    return this.#lists.find(this.#owner, subject)?.upTo === this.#end;
  }

  /** Returns the cached list of a subject, up to date and without the subject itself; null when it must be computed. */
  find(subject: number, scoring: SimilaritySource): NeighbourList | null {
    const known = this.#lists.find(this.#owner, subject);
    const renewed = known && known.upTo >= this.#truncated ? this.#renew(known, subject, scoring) : null;
    if (renewed !== null && renewed !== known) this.#lists.keep(this.#owner, subject, renewed);
    return renewed;
  }

  /** Computes a new list. @returns the list and its cost in comparisons */
  make(subject: number, { near, minCosine }: SimilaritySource): { list: NeighbourList; cost: number } {
    const { slots, cosines, isAll, cost } = near(minCosine, MIN_KEPT + 1);
    const list = this.#best(subject, slots, cosines, isAll);
    this.#lists.keep(this.#owner, subject, list);
    return { list, cost };
  }

  /** Drops all cached lists of the catalogue. */
  drop(): void {
    this.#lists.evictAll(this.#owner);
  }

  get #end(): number {
    return this.#truncated + this.#log.length;
  }

  #best(subject: number, slots: Uint32Array, cosines: Float32Array, isAll: boolean): NeighbourList {
    const top = new TopSlots(MAX_NEIGHBOURS);
    let farthest = 1;
    for (let at = 0; at < slots.length; at += 1) {
      if (slots[at] === subject) continue;
      farthest = Math.min(farthest, cosines[at] as number);
      top.offer(slots[at] as number, cosines[at] as number);
    }
    return this.#listOf(top, isAll ? null : farthest);
  }

  /** Returns null when too little is left of the list. */
  #renew(list: NeighbourList, subject: number, { score, minCosine }: SimilaritySource): NeighbourList | null {
    if (list.upTo === this.#end) return list;
    const changed = new Set(this.#log.slice(list.upTo - this.#truncated));
    const top = new TopSlots(MAX_NEIGHBOURS);
    for (const [at, slot] of list.slots.entries()) if (!changed.has(slot)) top.offer(slot, list.scores[at] ?? 0);
    for (const slot of changed) {
      const value = Math.fround(score(slot));
      const isNear = value >= minCosine && (list.floor === null || value > list.floor);
      if (isNear && slot !== subject) top.offer(slot, value);
    }
    const renewed = this.#listOf(top, list.floor);
    return renewed.floor !== null && renewed.slots.length < MIN_KEPT ? null : renewed;
  }

  #listOf(top: TopSlots, floor: number | null): NeighbourList {
    const scored = top.take();
    return { ...scored, floor: top.isCut ? (scored.scores.at(-1) ?? null) : floor, upTo: this.#end };
  }
}
