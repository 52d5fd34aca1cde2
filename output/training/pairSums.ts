/** X'X of sparse rows X, looked up for any few items without ever being held as a whole. */
import { at } from './interactions.ts';
import type { RowsByItem, SparseRows } from './sparseRows.ts';

/**
 * So many of the first items, which are the most met, have all sums of their pairs kept: 67 MB. They are nearly all that is
 * looked up; for the others, which few rows have, the rows are gone through.
 */
const HEAD = 4_096;

export class PairSums {
  readonly #rows: SparseRows;
  readonly #byItem: RowsByItem;
  readonly #head: number;
  /** The lower triangle with its diagonal, row by row. */
  readonly #triangle: Float64Array;
  /** The sum of the squares of each item. */
  readonly diagonal: Float64Array;
  /** The place of an item in the support at hand, plus 1. */
  readonly #placeOf: Uint32Array;

  constructor(rows: SparseRows, byItem: RowsByItem, head = HEAD) {
    const items = byItem.offsets.length - 1;
    this.#rows = rows;
    this.#byItem = byItem;
    this.#head = Math.min(items, head);
    this.#triangle = triangleOf(rows, this.#head);
    this.#placeOf = new Uint32Array(items);
    this.diagonal = new Float64Array(items);
    for (let item = 0; item < items; item += 1) {
      let sum = 0;
      for (let entry = at(byItem.offsets, item); entry < at(byItem.offsets, item + 1); entry += 1)
        sum += at(byItem.values, entry) ** 2;
      this.diagonal[item] = sum;
    }
  }

  /**
   * Writes the sums of all pairs of the support's items into the lower triangle of `into`.
   * @param support ascending
   * @param into row-major; a row has `stride` places
   */
  gather(support: Uint32Array, into: Float64Array, stride: number): void {
    let tail = 0;
    while (tail < support.length && at(support, tail) < this.#head) tail += 1;
    for (let place = 0; place < tail; place += 1) {
      const item = at(support, place);
      const row = (item * (item + 1)) / 2;
      for (let other = 0; other <= place; other += 1)
        into[place * stride + other] = at(this.#triangle, row + at(support, other));
    }
    if (tail < support.length) this.#gatherTail(support, tail, into, stride);
  }

  #gatherTail(support: Uint32Array, tail: number, into: Float64Array, stride: number): void {
    for (let place = 0; place < support.length; place += 1) this.#placeOf[at(support, place)] = place + 1;
    const { offsets, items, values } = this.#rows;
    for (let place = tail; place < support.length; place += 1) {
      const item = at(support, place);
      const row = place * stride;
      into.fill(0, row, row + place + 1);
      const end = at(this.#byItem.offsets, item + 1);
      for (let entry = at(this.#byItem.offsets, item); entry < end; entry += 1) {
        const person = at(this.#byItem.rows, entry);
        const value = at(this.#byItem.values, entry);
        const rowEnd = at(offsets, person + 1);
        for (let met = at(offsets, person); met < rowEnd; met += 1) {
          const other = at(this.#placeOf, at(items, met));
          if (other === 0) continue;
          if (other - 1 > place) break;
          into[row + other - 1] = at(into, row + other - 1) + value * at(values, met);
        }
      }
    }
    for (let place = 0; place < support.length; place += 1) this.#placeOf[at(support, place)] = 0;
  }
}

function triangleOf({ offsets, items, values }: SparseRows, head: number): Float64Array {
  const triangle = new Float64Array((head * (head + 1)) / 2);
  for (let row = 0; row + 1 < offsets.length; row += 1) {
    const begin = at(offsets, row);
    const end = at(offsets, row + 1);
    for (let entry = begin; entry < end && at(items, entry) < head; entry += 1) {
      const item = at(items, entry);
      const base = (item * (item + 1)) / 2;
      const value = at(values, entry);
      for (let other = begin; other <= entry; other += 1) {
        const place = base + at(items, other);
        triangle[place] = at(triangle, place) + value * at(values, other);
      }
    }
  }
  return triangle;
}
