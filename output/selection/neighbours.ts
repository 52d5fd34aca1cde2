/** The items nearest to one, kept and brought up to date by what has changed since. */
import type { NeighbourLists, NeighbourList } from './neighbourLists.ts';
import { TopSlots } from './topSlots.ts';
import type { NearSlots } from './vectorColumns.ts';

/** So many are kept of each item: what filters leave of them is enough for most requests. */
export const KEPT = 500;
/** A list that has shrunk below this is made anew. */
const KEPT_AT_LEAST = 300;
/** Changes that are remembered; a list that is older is made anew, which then costs no more. */
const LOGGED = 5_000;

/** What is asked of the catalogue. */
export interface Scoring {
  /** The slots with such a score or a higher one, the subject's own included. */
  near: (least: number) => NearSlots;
  /** Compares a slot with the subject; NaN for one that cannot be compared. */
  score: (slot: number) => number;
  /** Lower scores are no neighbours. */
  least: number;
}

export class Neighbours {
  readonly #lists: NeighbourLists;
  readonly #owner: number;
  /** Slots in the order of their changes, the oldest forgotten. */
  #log: number[] = [];
  /** Changes that are not in the log any more. */
  #forgotten = 0;

  constructor(lists: NeighbourLists) {
    this.#lists = lists;
    this.#owner = lists.newOwner();
  }

  /** A slot has got another vector, or none: what is kept of it as a subject is void. */
  changed(slot: number): void {
    this.#log.push(slot);
    this.#lists.forget(this.#owner, slot);
    if (this.#log.length < 2 * LOGGED) return;
    this.#forgotten += LOGGED;
    this.#log = this.#log.slice(LOGGED);
  }

  /** The subject itself is left out. */
  of(subject: number, scoring: Scoring): NeighbourList {
    const known = this.#lists.find(this.#owner, subject);
    const renewed = known && known.upTo >= this.#forgotten ? this.#renew(known, subject, scoring) : null;
    const list = renewed ?? this.#make(subject, scoring);
    if (list !== known) this.#lists.keep(this.#owner, subject, list);
    return list;
  }

  /** Whether a list of the slot is kept, so that it costs little. */
  isKept(subject: number): boolean {
    return this.#lists.has(this.#owner, subject);
  }

  /** Nothing is kept of the catalogue from here on. */
  drop(): void {
    this.#lists.forgetAll(this.#owner);
  }

  get #end(): number {
    return this.#forgotten + this.#log.length;
  }

  #make(subject: number, { near, least }: Scoring): NeighbourList {
    const top = new TopSlots(KEPT);
    const { slots, cosines, isAll } = near(least);
    let farthest = 1;
    for (let at = 0; at < slots.length; at += 1) {
      if (slots[at] === subject) continue;
      farthest = Math.min(farthest, cosines[at] as number);
      top.offer(slots[at] as number, cosines[at] as number);
    }
    return this.#listOf(top, isAll ? null : farthest);
  }

  /** Null when too little is left of it. */
  #renew(list: NeighbourList, subject: number, { score, least }: Scoring): NeighbourList | null {
    if (list.upTo === this.#end) return list;
    const changed = new Set(this.#log.slice(list.upTo - this.#forgotten));
    const top = new TopSlots(KEPT);
    for (const [at, slot] of list.slots.entries()) if (!changed.has(slot)) top.offer(slot, list.scores[at] ?? 0);
    for (const slot of changed) {
      const value = Math.fround(score(slot));
      const isNear = value >= least && (list.floor === null || value > list.floor);
      if (isNear && slot !== subject) top.offer(slot, value);
    }
    const renewed = this.#listOf(top, list.floor);
    return renewed.floor !== null && renewed.slots.length < KEPT_AT_LEAST ? null : renewed;
  }

  #listOf(top: TopSlots, floor: number | null): NeighbourList {
    const scored = top.take();
    return { ...scored, floor: top.isCut ? (scored.scores.at(-1) ?? null) : floor, upTo: this.#end };
  }
}
