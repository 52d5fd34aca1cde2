/** The items nearest to one, kept and brought up to date by what has changed since. */

export interface Neighbour {
  slot: number;
  score: number;
}

/** So many are kept of each item: what filters leave of them is enough for most requests. */
const KEPT = 500;
/** Items whose neighbours are kept: 500 of them take 4 KB. */
const LISTS = 5_000;

interface List {
  neighbours: Neighbour[];
  /** As far as the log of changes is reckoned with. */
  upTo: number;
}

/**
 * Scores one slot against the subject; null for one that has no vector of the subject's model.
 */
export type ScoreSlot = (slot: number) => number | null;

export class Neighbours {
  readonly #lists = new Map<number, List>();
  /** Slots in the order of their changes. */
  readonly #log: number[] = [];

  /** A slot has got another vector, or none: what is kept of it as a subject is void. */
  changed(slot: number): void {
    this.#log.push(slot);
    this.#lists.delete(slot);
  }

  /** Descending by score; at most {@link KEPT}, the subject itself left out. */
  of(subject: number, slots: number, score: ScoreSlot): readonly Neighbour[] {
    const known = this.#lists.get(subject);
    const list =
      known && this.#log.length - known.upTo < slots / 2
        ? this.#renew(known, subject, score)
        : this.#make(subject, slots, score);
    // The map's order is that of use.
    this.#lists.delete(subject);
    this.#lists.set(subject, list);
    const oldest = this.#lists.keys().next();
    if (this.#lists.size > LISTS && !oldest.done) this.#lists.delete(oldest.value);
    return list.neighbours;
  }

  #make(subject: number, slots: number, score: ScoreSlot): List {
    const found: Neighbour[] = [];
    for (let slot = 0; slot < slots; slot += 1) addScored(found, slot, subject, score);
    return { neighbours: best(found), upTo: this.#log.length };
  }

  #renew({ neighbours, upTo }: List, subject: number, score: ScoreSlot): List {
    if (upTo === this.#log.length) return { neighbours, upTo };
    const changed = new Set(this.#log.slice(upTo));
    const found = neighbours.filter(({ slot }) => !changed.has(slot));
    for (const slot of changed) addScored(found, slot, subject, score);
    return { neighbours: best(found), upTo: this.#log.length };
  }
}

function addScored(found: Neighbour[], slot: number, subject: number, score: ScoreSlot): void {
  if (slot === subject) return;
  const value = score(slot);
  if (value === null) return;
  found.push({ slot, score: value });
}

function best(found: Neighbour[]): Neighbour[] {
  return found.sort((a, b) => b.score - a.score || a.slot - b.slot).slice(0, KEPT);
}
