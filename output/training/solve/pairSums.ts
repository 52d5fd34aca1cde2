/** Computes entries of X'X of sparse rows X for any few items, without ever holding the whole matrix. */
import { at } from '../rows/interactions.ts';
import type { RowsByItem, SparseRows } from '../rows/sparseRows.ts';

/**
 * Number of items, the most met ones, for which the sums of all pairs are kept (200 MB). They cover nearly all
 * look-ups. The other items are in few rows, which are scanned instead. Kept and scanned sums are both rounded to 24
 * bits, so that the same data gives the same bits, whatever else has changed.
 */
const HEAD = 10_000;

export class PairSums {
  readonly #rows: SparseRows;
  readonly #byItem: RowsByItem;
  readonly #head: number;
  /** The lower triangle with the diagonal, row by row; computed on first use. */
  #triangle: Float32Array | undefined;
  /** The sum of squares of each item. */
  readonly diagonal: Float64Array;
  /** The index of an item in the current support, plus 1. */
  readonly #indexOf: Uint32Array;

  constructor(rows: SparseRows, byItem: RowsByItem, head = HEAD) {
    const items = byItem.offsets.length - 1;
    this.#rows = rows;
    this.#byItem = byItem;
    this.#head = Math.min(items, head);
    this.#indexOf = new Uint32Array(items);
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
   * @param into row-major, with `stride` numbers per row
   */
  gather(support: Uint32Array, into: Float64Array, stride: number): void {
    const triangle = (this.#triangle ??= triangleOf(this.#rows, this.#byItem, this.#head));
    let tail = 0;
    while (tail < support.length && at(support, tail) < this.#head) tail += 1;
    for (let index = 0; index < tail; index += 1) {
      const item = at(support, index);
      const row = (item * (item + 1)) / 2;
      for (let other = 0; other <= index; other += 1)
        into[index * stride + other] = at(triangle, row + at(support, other));
    }
    if (tail < support.length) this.#gatherTail(support, tail, into, stride);
  }

  #gatherTail(support: Uint32Array, tail: number, into: Float64Array, stride: number): void {
    for (let index = 0; index < support.length; index += 1) this.#indexOf[at(support, index)] = index + 1;
    const { offsets, items, values } = this.#rows;
    for (let index = tail; index < support.length; index += 1) {
      const item = at(support, index);
      const row = index * stride;
      into.fill(0, row, row + index + 1);
      const end = at(this.#byItem.offsets, item + 1);
      for (let entry = at(this.#byItem.offsets, item); entry < end; entry += 1) {
        const person = at(this.#byItem.rows, entry);
        const value = at(this.#byItem.values, entry);
        const rowEnd = at(offsets, person + 1);
        for (let met = at(offsets, person); met < rowEnd; met += 1) {
          const other = at(this.#indexOf, at(items, met));
          if (other === 0) continue;
          if (other - 1 > index) break;
          into[row + other - 1] = at(into, row + other - 1) + value * at(values, met);
        }
      }
      for (let other = 0; other <= index; other += 1) into[row + other] = Math.fround(at(into, row + other));
    }
    for (let index = 0; index < support.length; index += 1) this.#indexOf[at(support, index)] = 0;
  }
}

/** Computes the triangle row by row; each row is summed in double precision before it is stored. */
function triangleOf({ offsets, items, values }: SparseRows, byItem: RowsByItem, head: number): Float32Array {
  const triangle = new Float32Array((head * (head + 1)) / 2);
  const sums = new Float64Array(head);
  for (let item = 0; item < head; item += 1) {
    const last = at(byItem.offsets, item + 1);
    for (let entry = at(byItem.offsets, item); entry < last; entry += 1) {
      const row = at(byItem.rows, entry);
      const value = at(byItem.values, entry);
      const end = at(offsets, row + 1);
      for (let met = at(offsets, row); met < end; met += 1) {
        const other = at(items, met);
        if (other > item) break;
        sums[other] = at(sums, other) + value * at(values, met);
      }
    }
    triangle.set(sums.subarray(0, item + 1), (item * (item + 1)) / 2);
    sums.fill(0, 0, item + 1);
  }
  return triangle;
}
