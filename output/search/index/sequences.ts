/**
 * The terms of each row in the order of its text, for phrases: as variable-length numbers (LEB128), of which the first
 * terms that were met, the frequent ones, take one or two bytes. 0 parts fields, so that no phrase goes across two.
 */
import { withRoom } from './columns.ts';

export const BREAK = 0;

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

  /** Whether terms of each set come one after the other. */
  hasPhrase(row: number, sets: readonly ReadonlySet<number>[]): boolean {
    const end = row + 1 < this.#rows ? (this.#starts[row + 1] as number) : this.#end;
    // How many sets the run of terms that ends here fulfils, for each run that may still become the phrase.
    let runs: number[] = [];
    for (let at = this.#starts[row] as number; at < end;) {
      let term = 0;
      let shift = 0;
      let byte: number;
      do {
        byte = this.#bytes[at] as number;
        at += 1;
        term |= (byte & 127) << shift;
        shift += 7;
      } while (byte > 127);
      if (runs.length === 0) {
        if (sets[0]?.has(term)) runs = [1];
      } else {
        runs = runs.filter((length) => sets[length]?.has(term)).map((length) => length + 1);
        if (sets[0]?.has(term)) runs.push(1);
      }
      if (runs[0] === sets.length) return true;
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
