/**
 * The terms of each row in the order of its text, for phrase search. They are variable-length numbers (LEB128), and the
 * frequent terms, which were numbered first, take one or two bytes. 0 separates fields, so that no phrase spans two.
 */
import { withRoom } from '../../growableColumns.ts';

export const BREAK = 0;

/** Size of the largest number in bytes. */
const MAX_BYTES = 5;

/** The terms of a phrase in sequence, as encoded in a row. */
export type Phrase = Uint8Array;

export function phraseOf(terms: readonly number[]): Phrase {
  const bytes = new Uint8Array(terms.length * MAX_BYTES);
  let end = 0;
  for (const term of terms) end = write(term, bytes, end);
  return bytes.subarray(0, end);
}

/** Encodes a term. @returns the offset of the next one */
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

/** The lowest and the highest bit of each of four bytes. */
const LOWEST = 0x01010101;
const HIGHEST = 0x80808080;

export class Sequences {
  #bytes = new Uint8Array(0);
  /** The same memory as 32-bit words. */
  #words = new Int32Array(0);
  #end = 0;
  #starts = new Uint32Array(0);
  #rows = 0;
  /** How often each byte value was written: phrases are searched by their rarest byte. */
  readonly #byteCounts = new Float64Array(256);

  get bytes(): number {
    return this.#bytes.length + this.#starts.length * 4;
  }

  /** Appends a row. */
  push(terms: readonly number[]): void {
    this.#reserve(this.#end + terms.length * MAX_BYTES);
    this.#starts = withRoom(this.#starts, this.#rows + 1);
    const start = this.#end;
    this.#starts[this.#rows] = start;
    this.#rows += 1;
    for (const term of terms) this.#end = write(term, this.#bytes, this.#end);
    for (let at = start; at < this.#end; at += 1) {
      const byte = this.#bytes[at] as number;
      this.#byteCounts[byte] = (this.#byteCounts[byte] as number) + 1;
    }
  }

  /** Returns true when the terms of a phrase follow each other in a row. */
  hasPhrase(row: number, phrase: Phrase): boolean {
    const words = this.#words;
    const start = this.#starts[row] as number;
    const end = row + 1 < this.#rows ? (this.#starts[row + 1] as number) : this.#end;
    const rarest = this.#rarestOf(phrase);
    const wanted = Math.imul(phrase[rarest] as number, LOWEST);
    const last = (end - 1) >> 2;
    for (let word = start >> 2; word <= last; word += 1) {
      const differing = (words[word] as number) ^ wanted;
      // Sets the highest bit of each of the four bytes that is 0, that is, equal to the wanted one (Warren 2012,
      // "Hacker's Delight", 6-1).
      let equal = (differing - LOWEST) & ~differing & HIGHEST;
      for (; equal !== 0; equal &= equal - 1) {
        const from = word * 4 + ((31 - Math.clz32(equal & -equal)) >> 3) - rarest;
        if (from >= start && from + phrase.length <= end && this.#isAt(from, start, phrase)) return true;
      }
    }
    return false;
  }

  #rarestOf(phrase: Phrase): number {
    let rarest = 0;
    for (let at = 1; at < phrase.length; at += 1) {
      const isRarer =
        (this.#byteCounts[phrase[at] as number] as number) < (this.#byteCounts[phrase[rarest] as number] as number);
      if (isRarer) rarest = at;
    }
    return rarest;
  }

  #isAt(from: number, start: number, phrase: Phrase): boolean {
    for (let at = 0; at < phrase.length; at += 1) if (this.#bytes[from + at] !== phrase[at]) return false;
    // The match must begin after the end of a number: the last byte of a number may look like the first of the phrase.
    return from === start || (this.#bytes[from - 1] as number) < 128;
  }

  #reserve(size: number): void {
    const bytes = withRoom(this.#bytes, size + Int32Array.BYTES_PER_ELEMENT);
    if (bytes === this.#bytes) return;
    this.#bytes = bytes;
    this.#words = new Int32Array(bytes.buffer, 0, bytes.length >> 2);
  }

  /** Removes dead rows. @param renumbered the new number of each row, ascending; −1 for a dead row */
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
