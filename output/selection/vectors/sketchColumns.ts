/** The sketches of a catalogue's vectors, which show which vectors are worth comparing with a given one. */
import { maxDifferentBits, SKETCH_BYTES, sketchInto } from './sketches.ts';
import { withRoom } from '../../growableColumns.ts';
import { SketchRows } from './sketchRows.ts';

export interface Candidates {
  slots: Uint32Array;
  /** Every slot that can have the cosine is included, except in rare cases (sketches.ts). */
  isAll: boolean;
}

export interface CandidatesAsked {
  /** Only slots below this one. */
  slots: number;
  least: number;
  /** Number of candidates; those as near as the last one are added. */
  most: number;
  /** The space of each slot, and the space whose vectors can be compared. */
  spaceOf: Int16Array;
  space: number;
}

/** Reused by every query: catalogues are queried one at a time. */
let within = { slots: new Uint32Array(0), bits: new Uint32Array(0) };

export class SketchColumns {
  readonly #rows = new SketchRows();

  get bytes(): number {
    return this.#rows.bytes;
  }

  set(slot: number, vector: Int8Array): void {
    sketchInto(this.#rows.row(slot), vector);
  }

  /**
   * Returns the slots that may have a cosine of at least `least` with the vector, only the nearest when there are too
   * many, in ascending order.
   */
  candidates(vector: Int8Array, { slots, least, most, spaceOf, space }: CandidatesAsked): Candidates {
    const end = Math.min(slots, this.#rows.count);
    const subject = new Uint8Array(SKETCH_BYTES);
    sketchInto(subject, vector);
    const farthest = maxDifferentBits(least);
    const howMany = new Uint32Array(farthest + 1);
    within = { slots: withRoom(within.slots, end), bits: withRoom(within.bits, end) };
    const { slots: withinSlots, bits: withinBits } = within;
    let ends = 0;
    let bound = farthest;
    this.#rows.findNear(subject, { end, most: farthest }, (near) => {
      for (let at = 0; at < near.length; at += 2) {
        const slot = near[at] as number;
        if (spaceOf[slot] !== space) continue;
        const bits = near[at + 1] as number;
        howMany[bits] = (howMany[bits] as number) + 1;
        withinSlots[ends] = slot;
        withinBits[ends] = bits;
        ends += 1;
      }
      // Once there are enough, sketches that are farther than those cannot become candidates.
      if (ends >= most) bound = Math.min(bound, nearest(howMany, most).bits);
      return bound;
    });
    const { bits, found } = nearest(howMany, most);
    const candidates = new Uint32Array(found);
    let at = 0;
    for (let index = 0; index < ends; index += 1)
      if ((withinBits[index] as number) <= bits) {
        candidates[at] = withinSlots[index] as number;
        at += 1;
      }
    return { slots: candidates, isAll: bound === farthest && found === ends };
  }
}

/** Returns the smallest number of bits that covers at least `most` sketches, and how many it covers. */
function nearest(howMany: Uint32Array, most: number): { bits: number; found: number } {
  let found = howMany[0] ?? 0;
  let bits = 0;
  while (bits < howMany.length - 1 && found < most) {
    bits += 1;
    found += howMany[bits] ?? 0;
  }
  return { bits, found };
}
