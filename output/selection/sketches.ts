/**
 * The signs of vectors' numbers: in how many of them two vectors differ tells about the angle between them (Charikar
 * 2002, "Similarity estimation techniques from rounding algorithms"). To compare the signs of 100,000 vectors of 512
 * numbers takes a tenth of the time that the numbers take.
 */
import { countBits } from '../../domain/search/typos.ts';

/** Signs of the first 512 numbers; more tell hardly more. */
const WORDS = 16;

export class Sketches {
  #words = new Uint32Array(0);

  get bytes(): number {
    return this.#words.byteLength;
  }

  set(slot: number, vector: Int8Array | null): void {
    this.#reserve(slot + 1);
    const start = slot * WORDS;
    if (vector === null) this.#words.fill(0, start, start + WORDS);
    else this.#words.set(sketchOf(vector), start);
  }

  /** In how many signs slots differ from a vector. */
  distanceTo(vector: Int8Array): (slot: number) => number {
    const own = sketchOf(vector);
    const words = this.#words;
    const used = Math.min(WORDS, Math.ceil(vector.length / 32));
    return (slot) => {
      let distance = 0;
      const start = slot * WORDS;
      for (let at = 0; at < used; at += 1)
        distance += countBits(((own[at] as number) ^ (words[start + at] as number)) >>> 0);
      return distance;
    };
  }

  #reserve(slots: number): void {
    if (slots * WORDS <= this.#words.length) return;
    const words = new Uint32Array(WORDS * Math.max(256, slots, Math.ceil((this.#words.length / WORDS) * 1.5)));
    words.set(this.#words);
    this.#words = words;
  }
}

function sketchOf(vector: Int8Array): Uint32Array {
  const words = new Uint32Array(WORDS);
  for (let at = 0; at < Math.min(vector.length, 32 * WORDS); at += 1)
    if ((vector[at] as number) > 0) words[at >> 5] = ((words[at >> 5] as number) | (1 << (at & 31))) >>> 0;
  return words;
}
