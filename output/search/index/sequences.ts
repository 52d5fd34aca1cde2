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

/** Returns for each beginning of a phrase the length of the longest shorter beginning with which it ends. */
function bordersOf(phrase: Phrase): Uint16Array {
  const borders = new Uint16Array(phrase.length);
  let border = 0;
  for (let at = 1; at < phrase.length; at += 1) {
    while (border > 0 && phrase[border] !== phrase[at]) border = borders[border - 1] as number;
    if (phrase[border] === phrase[at]) border += 1;
    borders[at] = border;
  }
  return borders;
}

/** The lowest and the highest bit of each of four bytes. */
const LOWEST = 0x01010101;
const HIGHEST = 0x80808080;

/**
 * Bytes that may be compared one place after the other, as a multiple of the length of a row. Usual texts take less: a
 * phrase differs in its first bytes. A text that nearly repeats the phrase again and again would take a hundred times
 * as much.
 */
const COMPARED = 4;

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
    let left = COMPARED * (end - start);
    for (let word = start >> 2; word <= last; word += 1) {
      const differing = (words[word] as number) ^ wanted;
      // Sets the highest bit of each of the four bytes that is 0, that is, equal to the wanted one (Warren 2012,
      // "Hacker's Delight", 6-1).
      let equal = (differing - LOWEST) & ~differing & HIGHEST;
      for (; equal !== 0; equal &= equal - 1) {
        const from = word * 4 + ((31 - Math.clz32(equal & -equal)) >> 3) - rarest;
        if (from < start || from + phrase.length > end) continue;
        const equalBytes = this.#equalBytesAt(from, phrase);
        if (equalBytes === phrase.length && this.#isStart(from, start)) return true;
        left -= equalBytes;
        if (left < 0) return this.#hasPhraseInOnePass(start, end, phrase);
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

  /** Returns how many bytes of the phrase are equal before the first that differs. */
  #equalBytesAt(from: number, phrase: Phrase): number {
    let equal = 0;
    while (equal < phrase.length && this.#bytes[from + equal] === phrase[equal]) equal += 1;
    return equal;
  }

  /** Returns true when a number begins there: the last byte of another may look like the first of a phrase. */
  #isStart(from: number, start: number): boolean {
    return from === start || (this.#bytes[from - 1] as number) < 128;
  }

  /** Searches without going back in the row (Knuth, Morris and Pratt, 1977). */
  #hasPhraseInOnePass(start: number, end: number, phrase: Phrase): boolean {
    const borders = bordersOf(phrase);
    let matched = 0;
    for (let at = start; at < end; at += 1) {
      const byte = this.#bytes[at] as number;
      while (matched > 0 && phrase[matched] !== byte) matched = borders[matched - 1] as number;
      if (phrase[matched] === byte) matched += 1;
      if (matched < phrase.length) continue;
      if (this.#isStart(at + 1 - matched, start)) return true;
      matched = borders[matched - 1] as number;
    }
    return false;
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
