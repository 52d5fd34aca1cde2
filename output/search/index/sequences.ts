/**
 * The terms of each row in the order of its text, for phrases: as variable-length numbers (LEB128), of which the first
 * terms that were met, the frequent ones, take one or two bytes. 0 parts fields, so that no phrase goes across two.
 */
import { withRoom } from '../../columns.ts';

export const BREAK = 0;

/** Bytes of the largest number. */
const MOST_BYTES = 5;

/** The terms of a phrase as they are written in a row, one after the other. */
export type Phrase = Uint8Array;

export function phraseOf(terms: readonly number[]): Phrase {
  const bytes = new Uint8Array(terms.length * MOST_BYTES);
  let end = 0;
  for (const term of terms) end = write(term, bytes, end);
  return bytes.subarray(0, end);
}

/** @returns where the next one may be written */
function write(term: number, bytes: Uint8Array, from: number): number {
  let end = from;
  let rest = term;
  while (rest > 127) {
    bytes[end] = (rest & 127) | 128;
    end += 1;
    rest >>>= 7;
  }
  bytes[end] = rest;
  return end + 1;
}

/** In each of four bytes its lowest bit, and its highest. */
const LOWEST = 0x01010101;
const HIGHEST = 0x80808080;

export class Sequences {
  #bytes = new Uint8Array(0);
  /** The same memory, four bytes at a time. */
  #words = new Int32Array(0);
  #end = 0;
  #starts = new Uint32Array(0);
  #rows = 0;
  /** How often each byte was written: phrases are looked for by their rarest one. */
  readonly #written = new Float64Array(256);

  get bytes(): number {
    return this.#bytes.length + this.#starts.length * 4;
  }

  /** The next row. */
  push(terms: readonly number[]): void {
    this.#reserve(this.#end + terms.length * MOST_BYTES);
    this.#starts = withRoom(this.#starts, this.#rows + 1);
    const start = this.#end;
    this.#starts[this.#rows] = start;
    this.#rows += 1;
    for (const term of terms) this.#end = write(term, this.#bytes, this.#end);
    for (let at = start; at < this.#end; at += 1) {
      const byte = this.#bytes[at] as number;
      this.#written[byte] = (this.#written[byte] as number) + 1;
    }
  }

  /** Whether the terms of a phrase come one after the other in a row. */
  hasPhrase(row: number, phrase: Phrase): boolean {
    const words = this.#words;
    const start = this.#starts[row] as number;
    const end = row + 1 < this.#rows ? (this.#starts[row + 1] as number) : this.#end;
    const rarest = this.#rarestOf(phrase);
    const wanted = Math.imul(phrase[rarest] as number, LOWEST);
    const last = (end - 1) >> 2;
    for (let word = start >> 2; word <= last; word += 1) {
      const differing = (words[word] as number) ^ wanted;
      // The highest bit of each of the four bytes that is 0, so the wanted one (Warren 2012, "Hacker's Delight", 6-1).
      let places = (differing - LOWEST) & ~differing & HIGHEST;
      for (; places !== 0; places &= places - 1) {
        const from = word * 4 + ((31 - Math.clz32(places & -places)) >> 3) - rarest;
        if (from >= start && from + phrase.length <= end && this.#isAt(from, start, phrase)) return true;
      }
    }
    return false;
  }

  #rarestOf(phrase: Phrase): number {
    let rarest = 0;
    for (let at = 1; at < phrase.length; at += 1) {
      const isRarer =
        (this.#written[phrase[at] as number] as number) < (this.#written[phrase[rarest] as number] as number);
      if (isRarer) rarest = at;
    }
    return rarest;
  }

  #isAt(from: number, start: number, phrase: Phrase): boolean {
    for (let at = 0; at < phrase.length; at += 1) if (this.#bytes[from + at] !== phrase[at]) return false;
    // Where the number before has ended: its end may look like the first one of the phrase.
    return from === start || (this.#bytes[from - 1] as number) < 128;
  }

  #reserve(size: number): void {
    const bytes = withRoom(this.#bytes, size + Int32Array.BYTES_PER_ELEMENT);
    if (bytes === this.#bytes) return;
    this.#bytes = bytes;
    this.#words = new Int32Array(bytes.buffer, 0, bytes.length >> 2);
  }

  /** @param renumbered the new number of each row, ascending; −1 for a dead one */
  compact(renumbered: Int32Array): void {
    let to = 0;
    let rows = 0;
    for (let row = 0; row < this.#rows; row += 1) {
      const start = this.#starts[row] as number;
      const end = row + 1 < this.#rows ? (this.#starts[row + 1] as number) : this.#end;
      if ((renumbered[row] as number) < 0) continue;
      this.#bytes.copyWithin(to, start, end);
      this.#starts[rows] = to;
      rows += 1;
      to += end - start;
    }
    this.#rows = rows;
    this.#end = to;
  }
}
