/**
 * The terms of each row in the order of its text, for phrases: as variable-length numbers (LEB128), of which the first
 * terms that were met, the frequent ones, take one or two bytes. 0 parts fields, so that no phrase goes across two.
 */
import { withRoom } from '../../columns.ts';

export const BREAK = 0;

/** A phrase as rows are looked through for it. */
export interface Phrase {
  /** Bits for the places of the phrase where each term may stand. */
  places: ReadonlyMap<number, number>;
  /** The only term that it may begin with; null when there are several. */
  first: number | null;
  /** The bit of its last place. */
  last: number;
}

/** What is further on in a longer phrase is not looked at: bits of 32. */
const MOST_PLACES = 30;

/** @param sets the terms that may stand at each place */
export function phraseOf(sets: readonly (readonly number[])[]): Phrase {
  const looked = sets.slice(0, MOST_PLACES);
  const places = new Map<number, number>();
  for (const [place, set] of looked.entries())
    for (const term of set) places.set(term, (places.get(term) ?? 0) | (1 << place));
  const [first = []] = looked;
  return { places, first: first.length === 1 ? (first[0] ?? null) : null, last: 1 << Math.max(0, looked.length - 1) };
}

export class Sequences {
  #bytes = new Uint8Array(0);
  #end = 0;
  #starts = new Uint32Array(0);
  #rows = 0;

  get bytes(): number {
    return this.#bytes.length + this.#starts.length * 4;
  }

  /** The next row. */
  push(terms: readonly number[]): void {
    this.#bytes = withRoom(this.#bytes, this.#end + terms.length * 5);
    this.#starts = withRoom(this.#starts, this.#rows + 1);
    this.#starts[this.#rows] = this.#end;
    this.#rows += 1;
    for (const term of terms) this.#write(term);
  }

  /**
   * Whether the terms of a phrase come one after the other: all places where it may have begun are followed at once, a
   * bit for each (Baeza-Yates and Gonnet 1992, "A new approach to text searching").
   */
  hasPhrase(row: number, { places, first, last }: Phrase): boolean {
    const bytes = this.#bytes;
    const end = row + 1 < this.#rows ? (this.#starts[row + 1] as number) : this.#end;
    let begun = 0;
    for (let at = this.#starts[row] as number; at < end;) {
      let byte = bytes[at] as number;
      let term = byte & 127;
      at += 1;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at] as number;
        term |= (byte & 127) << shift;
        at += 1;
      }
      if (begun === 0 && first !== null && term !== first) continue;
      begun = ((begun << 1) | 1) & (places.get(term) ?? 0);
      if ((begun & last) !== 0) return true;
    }
    return false;
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

  #write(term: number): void {
    let rest = term;
    while (rest > 127) {
      this.#bytes[this.#end] = (rest & 127) | 128;
      this.#end += 1;
      rest >>>= 7;
    }
    this.#bytes[this.#end] = rest;
    this.#end += 1;
  }
}
