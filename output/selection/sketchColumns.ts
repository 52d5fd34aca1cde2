/** The sketches of a catalogue's vectors, which show which vectors are worth comparing with a given one. */
import { mostDifferentBits, SKETCH_BYTES, sketchInto } from './sketches.ts';
import { withRoom } from '../growableColumns.ts';
import { nearSketches } from './sketchDistances.ts';

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

/** Shared memory: catalogues are queried one at a time. */
let within = { slots: new Uint32Array(0), bits: new Int32Array(0) };

export class SketchColumns {
  #sketches = new Uint8Array(0);

  get bytes(): number {
    return this.#sketches.byteLength;
  }

  set(slot: number, vector: Int8Array): void {
    this.#sketches = withRoom(this.#sketches, (slot + 1) * SKETCH_BYTES);
    sketchInto(this.#sketches.subarray(slot * SKETCH_BYTES, (slot + 1) * SKETCH_BYTES), vector);
  }

  /**
   * Returns the slots that may have a cosine of at least `least` with the vector, only the nearest when there are too
   * many, in ascending order.
   */
  candidates(vector: Int8Array, { slots, least, most, spaceOf, space }: CandidatesAsked): Candidates {
    const count = Math.min(slots, this.#sketches.length / SKETCH_BYTES);
    const subject = new Uint8Array(SKETCH_BYTES);
    sketchInto(subject, vector);
    const farthest = mostDifferentBits(least);
    const howMany = new Uint32Array(farthest + 1);
    within = { slots: withRoom(within.slots, count), bits: withRoom(within.bits, count) };
    const { slots: withinSlots, bits: withinBits } = within;
    const near = nearSketches(subject, this.#sketches.subarray(0, count * SKETCH_BYTES), farthest, within);
    let ends = 0;
    for (let at = 0; at < near; at += 1) {
      const slot = withinSlots[at] as number;
      if (spaceOf[slot] !== space) continue;
      const bits = withinBits[at] as number;
      howMany[bits] = (howMany[bits] as number) + 1;
      withinSlots[ends] = slot;
      withinBits[ends] = bits;
      ends += 1;
    }
    const { bits, found } = nearest(howMany, most);
    const candidates = new Uint32Array(found);
    let at = 0;
    for (let place = 0; place < ends; place += 1)
      if ((withinBits[place] as number) <= bits) {
        candidates[at] = withinSlots[place] as number;
        at += 1;
      }
    return { slots: candidates, isAll: found === ends };
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
