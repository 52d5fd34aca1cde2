/**
 * Posting lists: the rows of each term, with its weight in each. All lists share two arrays: an object for each of
 * about 100,000 short lists would take more memory than the numbers themselves.
 *
 * Rows are only ever added in ascending order; a changed document gets a new row, and the old row is dead until
 * {@link Postings.compact}.
 */
import { withRoom } from '../../growableColumns.ts';

/** Number of size classes, which are powers of two: 2³¹ numbers are more than an array holds. */
const CLASSES = 32;

export class Postings {
  #starts = new Uint32Array(0);
  #sizes = new Uint32Array(0);
  /** A list of class `c` has room for 2^(c − 1) entries; class 0 has none. */
  #classes = new Uint8Array(0);
  #rows = new Uint32Array(0);
  #weights = new Uint8Array(0);
  #end = 0;
  /** Starts of abandoned lists, by size class. */
  readonly #free: number[][] = Array.from({ length: CLASSES }, () => []);

  get bytes(): number {
    return this.#rows.length * 5 + this.#starts.length * 9;
  }

  sizeOf(term: number): number {
    return this.#sizes[term] ?? 0;
  }

  /** Adds a row to a term's list. @param weight from 1 to 255 */
  add(term: number, row: number, weight: number): void {
    if (term >= this.#starts.length) this.#reserveTerms(term + 1);
    const size = this.#sizes[term] as number;
    const sizeClass = classFor(size + 1);
    if (sizeClass !== this.#classes[term]) this.#move(term, sizeClass);
    const index = (this.#starts[term] as number) + size;
    this.#rows[index] = row;
    this.#weights[index] = weight;
    this.#sizes[term] = size + 1;
  }

  /** Returns the rows of a term, ascending, and their weights, as views that the next {@link add} invalidates. */
  of(term: number): { rows: Uint32Array; weights: Uint8Array } {
    const start = this.#starts[term] ?? 0;
    const end = start + (this.#sizes[term] ?? 0);
    return { rows: this.#rows.subarray(start, end), weights: this.#weights.subarray(start, end) };
  }

  /** Removes dead rows. @param renumbered the new number of each row, ascending; −1 for a dead row */
  compact(renumbered: Int32Array): void {
    for (let term = 0; term < this.#sizes.length; term += 1) {
      const start = this.#starts[term] as number;
      const end = start + (this.#sizes[term] as number);
      let to = start;
      for (let from = start; from < end; from += 1) {
        const row = renumbered[this.#rows[from] as number] as number;
        if (row < 0) continue;
        this.#rows[to] = row;
        this.#weights[to] = this.#weights[from] as number;
        to += 1;
      }
      this.#sizes[term] = to - start;
    }
  }

  #reserveTerms(terms: number): void {
    this.#starts = withRoom(this.#starts, terms);
    this.#sizes = withRoom(this.#sizes, terms);
    this.#classes = withRoom(this.#classes, terms);
  }

  #move(term: number, sizeClass: number): void {
    const current = this.#classes[term] as number;
    if (current > sizeClass) return;
    const from = this.#starts[term] as number;
    const to = this.#free[sizeClass]?.pop() ?? this.#extend(2 ** (sizeClass - 1));
    const size = this.#sizes[term] as number;
    this.#rows.copyWithin(to, from, from + size);
    this.#weights.copyWithin(to, from, from + size);
    if (current > 0) this.#free[current]?.push(from);
    this.#starts[term] = to;
    this.#classes[term] = sizeClass;
  }

  #extend(numbers: number): number {
    const start = this.#end;
    this.#end += numbers;
    this.#rows = withRoom(this.#rows, this.#end);
    this.#weights = withRoom(this.#weights, this.#end);
    return start;
  }
}

/** Returns the size class for a list: class 1 has room for one entry, 2 for two, 3 for four. */
function classFor(size: number): number {
  return size <= 1 ? 1 : 33 - Math.clz32(size - 1);
}
