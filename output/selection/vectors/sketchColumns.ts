/** The sketches of a catalogue's vectors, which show which vectors are worth comparing with a given one. */
import { maxDifferentBits, SKETCH_BYTES, sketchInto } from './sketches.ts';
import { withRoom } from '../../growableColumns.ts';
import { SketchRows } from './sketchRows.ts';

export interface Candidates {
  slots: Uint32Array;
  /** Every slot that can have the cosine is included, except in rare cases (sketches.ts). */
  isAll: boolean;
}

export interface CandidateQuery {
  /** Only slots below this one. */
  slots: number;
  minCosine: number;
  /** Number of candidates; those as near as the last one are added. */
  limit: number;
  /** The space of each slot, and the space whose vectors can be compared. */
  spaceOf: Int16Array;
  space: number;
}

/** Reused by every query: catalogues are queried one at a time. */
let scratch = { slots: new Uint32Array(0), bits: new Uint32Array(0) };

export class SketchColumns {
  readonly #rows = new SketchRows();

  get bytes(): number {
    return this.#rows.bytes;
  }

  set(slot: number, vector: Int8Array): void {
    sketchInto(this.#rows.row(slot), vector);
  }

  /**
   * Returns the slots that may have a cosine of at least `minCosine` with the vector, only the nearest when there are
   * too many, in ascending order.
   */
  candidates(vector: Int8Array, { slots, minCosine, limit, spaceOf, space }: CandidateQuery): Candidates {
    const end = Math.min(slots, this.#rows.count);
    const subject = new Uint8Array(SKETCH_BYTES);
    sketchInto(subject, vector);
    const maxBits = maxDifferentBits(minCosine);
    const countByBits = new Uint32Array(maxBits + 1);
    scratch = { slots: withRoom(scratch.slots, end), bits: withRoom(scratch.bits, end) };
    const { slots: withinSlots, bits: withinBits } = scratch;
    let count = 0;
    let bound = maxBits;
    this.#rows.findNear(subject, { end, maxBits }, (near) => {
      for (let at = 0; at < near.length; at += 2) {
        const slot = near[at] as number;
        if (spaceOf[slot] !== space) continue;
        const bits = near[at + 1] as number;
        countByBits[bits] = (countByBits[bits] as number) + 1;
        withinSlots[count] = slot;
        withinBits[count] = bits;
        count += 1;
      }
      // Once there are enough, sketches that are farther than those cannot become candidates.
      if (count >= limit) bound = Math.min(bound, nearest(countByBits, limit).bits);
      return bound;
    });
    const { bits, found } = nearest(countByBits, limit);
    const candidates = new Uint32Array(found);
    let at = 0;
    for (let index = 0; index < count; index += 1)
      if ((withinBits[index] as number) <= bits) {
        candidates[at] = withinSlots[index] as number;
        at += 1;
      }
    return { slots: candidates, isAll: bound === maxBits && found === count };
  }
}

/** Returns the smallest number of bits that covers at least `limit` sketches, and how many it covers. */
function nearest(countByBits: Uint32Array, limit: number): { bits: number; found: number } {
  let found = countByBits[0] ?? 0;
  let bits = 0;
  while (bits < countByBits.length - 1 && found < limit) {
    bits += 1;
    found += countByBits[bits] ?? 0;
  }
  return { bits, found };
}
