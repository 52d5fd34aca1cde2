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
/** Slots are below this. */
const OWNER = 2 ** 32;

export class NeighbourLists {
  /** In the order of their use. */
  readonly #lists = new Map<number, NeighbourList>();
  #owners = 0;

  /** The number of a catalogue. */
  newOwner(): number {
    this.#owners += 1;
    return this.#owners;
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
