/** The sketches of a catalogue's vectors, which tell which of them are worth comparing with one. */
import { mostDifferentBits, SKETCH_BITS, SKETCH_BYTES, sketchInto } from '../../domain/output/sketches.ts';
import { withRoom } from '../columns.ts';
import { differencesFrom } from './sketchDistances.ts';

export interface Candidates {
  slots: Uint32Array;
  /** Every slot that can have the cosine is among them, but for rare chances (domain/output/sketches.ts). */
  isAll: boolean;
  /** 1 for those that differ most, a quarter of them: what was cut off differs even more. */
  isLast: Uint8Array;
}

export interface CandidatesAsked {
  /** Slots below this one. */
  slots: number;
  least: number;
  /** As many candidates, and those that are as near as the last one. */
  most: number;
  /** The space of each slot, and the one whose vectors can be compared. */
  spaceOf: Int16Array;
  space: number;
}

/** The share of the candidates that tells what lies beyond them. */
const LAST = 1 / 4;

/** Catalogues are asked one after the other, so they share their memory. */
let differences = new Int32Array(0);

export class SketchColumns {
  #sketches = new Uint8Array(0);

  get bytes(): number {
    return this.#sketches.byteLength;
  }

  set(slot: number, vector: Int8Array): void {
    this.#sketches = withRoom(this.#sketches, (slot + 1) * SKETCH_BYTES);
    sketchInto(this.#sketches.subarray(slot * SKETCH_BYTES, (slot + 1) * SKETCH_BYTES), vector);
  }

  /** The slots that may have a cosine of `least` or more with the vector, the nearest when they are too many; by number. */
  candidates(vector: Int8Array, { slots, least, most, spaceOf, space }: CandidatesAsked): Candidates {
    const count = Math.min(slots, this.#sketches.length / SKETCH_BYTES);
    const subject = new Uint8Array(SKETCH_BYTES);
    sketchInto(subject, vector);
    differences = withRoom(differences, count);
    const howMany = new Uint32Array(SKETCH_BITS + 1);
    differencesFrom(subject, this.#sketches.subarray(0, count * SKETCH_BYTES), (first, counts) => {
      differences.set(counts, first);
      for (let at = 0; at < counts.length; at += 1) {
        if (spaceOf[first + at] !== space) continue;
        const bits = counts[at] as number;
        howMany[bits] = (howMany[bits] as number) + 1;
      }
    });
    const farthest = mostDifferentBits(least);
    const { bits, found } = nearest(howMany, farthest, most);
    const { bits: lastFrom } = nearest(howMany, bits, found * (1 - LAST));
    const candidates = new Uint32Array(found);
    const isLast = new Uint8Array(found);
    let at = 0;
    for (let slot = 0; slot < count; slot += 1)
      if ((differences[slot] as number) <= bits && spaceOf[slot] === space) {
        candidates[at] = slot;
        isLast[at] = (differences[slot] as number) >= lastFrom ? 1 : 0;
        at += 1;
      }
    return { slots: candidates, isAll: bits === farthest, isLast };
  }
}

/** The number of bits that takes in `most` sketches or a few more, and how many it takes in. */
function nearest(howMany: Uint32Array, farthest: number, most: number): { bits: number; found: number } {
  let found = howMany[0] ?? 0;
  let bits = 0;
  while (bits < farthest && found < most) {
    bits += 1;
    found += howMany[bits] ?? 0;
  }
  return { bits, found };
}
