/** Sparse matrices by rows (people, or steps of their sessions) and by items. */
import { at } from './interactions.ts';

/**
 * Row r has `values[e]` for `items[e]`, with e from `offsets[r]` to `offsets[r + 1] - 1`; items ascend within a row.
 */
export interface SparseRows {
  offsets: Uint32Array;
  items: Uint32Array;
  values: Float32Array;
}

/** The same matrix by items: the rows that contain item i. */
export interface RowsByItem {
  offsets: Uint32Array;
  rows: Uint32Array;
  values: Float32Array;
}

/** Builds sparse rows. */
export class RowBuilder {
  readonly #offsets: Uint32Array;
  #items: Uint32Array;
  #values: Float32Array;
  #rows = 0;
  #entries = 0;

  /** @param rows maximum number of rows */
  constructor(rows: number, entries: number) {
    this.#offsets = new Uint32Array(rows + 1);
    this.#items = new Uint32Array(Math.max(16, entries));
    this.#values = new Float32Array(Math.max(16, entries));
  }

  add(item: number, value: number): void {
    if (this.#entries === this.#items.length) this.#grow();
    this.#items[this.#entries] = item;
    this.#values[this.#entries] = value;
    this.#entries += 1;
  }

  endRow(): void {
    this.#rows += 1;
    this.#offsets[this.#rows] = this.#entries;
  }

  build(): SparseRows {
    return {
      offsets: this.#offsets.subarray(0, this.#rows + 1),
      items: this.#items.subarray(0, this.#entries),
      values: this.#values.subarray(0, this.#entries),
    };
  }

  #grow(): void {
    const items = new Uint32Array(this.#items.length * 2);
    items.set(this.#items);
    const values = new Float32Array(items.length);
    values.set(this.#values);
    this.#items = items;
    this.#values = values;
  }
}

/** Transposes rows by a counting sort: as fast as reading, and in the order of the rows. */
export function byItem({ offsets, items, values }: SparseRows, itemCount: number): RowsByItem {
  const starts = startsOf(items, itemCount);
  const next = starts.slice();
  const rows = new Uint32Array(items.length);
  const sorted = new Float32Array(items.length);
  for (let row = 0; row + 1 < offsets.length; row += 1) {
    const end = at(offsets, row + 1);
    for (let entry = at(offsets, row); entry < end; entry += 1) {
      const item = at(items, entry);
      const index = at(next, item);
      next[item] = index + 1;
      rows[index] = row;
      sorted[index] = at(values, entry);
    }
  }
  return { offsets: starts, rows, values: sorted };
}

/** Returns the entries sorted by key with a stable counting sort, and where each key begins. */
export function sortedByKey(keys: Uint32Array, keyCount: number): { starts: Uint32Array; entries: Uint32Array } {
  const starts = startsOf(keys, keyCount);
  const next = starts.slice();
  const entries = new Uint32Array(keys.length);
  for (let entry = 0; entry < keys.length; entry += 1) {
    const key = at(keys, entry);
    const index = at(next, key);
    next[key] = index + 1;
    entries[index] = entry;
  }
  return { starts, entries };
}

/** Returns where the entries of each key begin when they are sorted by key; the last element is their number. */
export function startsOf(keys: Uint32Array, keyCount: number): Uint32Array {
  const starts = new Uint32Array(keyCount + 1);
  for (let entry = 0; entry < keys.length; entry += 1) {
    const key = at(keys, entry) + 1;
    starts[key] = at(starts, key) + 1;
  }
  for (let key = 0; key < keyCount; key += 1) starts[key + 1] = at(starts, key + 1) + at(starts, key);
  return starts;
}
