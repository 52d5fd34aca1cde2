/**
 * Values computed from items, cached as long as the item is unchanged: filters, facets and sorting use them repeatedly.
 */
import { LRUCache } from 'lru-cache';
import type { Scalar } from '../../../domain/output/propertyFilters.ts';
import type { ItemForRules } from '../../../domain/output/mayShow.ts';
import type { Catalogue } from '../../selection/catalogue/catalogue.ts';
import { NumberLists } from '../index/numberLists.ts';

/** Maximum number of columns per catalogue. */
const COLUMNS = 32;
const ENTRY_BYTES = 8;
/** Estimated size of a value and its entry in the map. */
const VALUE_BYTES = 80;
/** Above this number of values, some of which may be unused, the column is rebuilt. */
const MIN_REBUILT = 10_000;

export class ItemColumn<T> {
  readonly #compute: (item: ItemForRules) => T;
  readonly #items: (ItemForRules | undefined)[] = [];
  readonly #values: (T | undefined)[] = [];

  constructor(compute: (item: ItemForRules) => T) {
    this.#compute = compute;
  }

  /** An estimate. */
  get bytes(): number {
    return 2 * ENTRY_BYTES * this.#items.length;
  }

  at(slot: number, item: ItemForRules): T {
    if (this.#items[slot] === item) return this.#values[slot] as T;
    while (this.#items.length <= slot) {
      this.#items.push(undefined);
      this.#values.push(undefined);
    }
    const value = this.#compute(item);
    this.#items[slot] = item;
    this.#values[slot] = value;
    return value;
  }
}

/** Values as numbers, so that counting costs one addition each. */
export class ValueColumn {
  readonly values: Scalar[] = [];
  readonly #numbers = new Map<Scalar, number>();
  readonly #compute: (item: ItemForRules) => readonly Scalar[];
  #items: (ItemForRules | undefined)[] = [];
  #ofSlot = new NumberLists();
  #rebuiltAbove = MIN_REBUILT;

  constructor(compute: (item: ItemForRules) => readonly Scalar[]) {
    this.#compute = compute;
  }

  /** Returns how many of the slots have each of {@link values}. */
  count(catalogue: Catalogue, slots: Uint32Array): Uint32Array {
    this.#updateAll(catalogue, slots);
    if (this.values.length > this.#rebuiltAbove) {
      this.#clear();
      this.#updateAll(catalogue, slots);
      this.#rebuiltAbove = Math.max(MIN_REBUILT, 2 * this.values.length);
    }
    const counts = new Uint32Array(this.values.length);
    this.#ofSlot.countInto(counts, slots);
    return counts;
  }

  /** An estimate. */
  get bytes(): number {
    return ENTRY_BYTES * this.#items.length + this.#ofSlot.bytes + VALUE_BYTES * this.values.length;
  }

  #clear(): void {
    this.values.length = 0;
    this.#numbers.clear();
    this.#items = [];
    this.#ofSlot = new NumberLists();
  }

  #updateAll(catalogue: Catalogue, slots: Uint32Array): void {
    for (let index = 0; index < slots.length; index += 1) this.#update(catalogue, slots[index] as number);
  }

  #update(catalogue: Catalogue, slot: number): void {
    const item = catalogue.itemAt(slot);
    if (this.#items[slot] === item) return;
    while (this.#items.length <= slot) this.#items.push(undefined);
    const values = item === undefined ? [] : this.#compute(item);
    this.#ofSlot.set(
      slot,
      [...new Set(values)].map((value) => this.#numberOf(value)),
    );
    this.#items[slot] = item;
  }

  #numberOf(value: Scalar): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    const number = this.values.push(value) - 1;
    this.#numbers.set(value, number);
    return number;
  }
}

type Column = ItemColumn<unknown> | ValueColumn;

const columns = new WeakMap<Catalogue, LRUCache<string, Column>>();

/** Returns the estimated memory of a catalogue's columns. */
export function columnBytes(catalogue: Catalogue): number {
  let bytes = 0;
  for (const column of columns.get(catalogue)?.values() ?? []) bytes += column.bytes;
  return bytes;
}

/** @param key identifies the computation: different computations need different keys */
export function itemColumn<T>(catalogue: Catalogue, key: string, compute: (item: ItemForRules) => T): ItemColumn<T> {
  return cachedColumn(catalogue, key, () => new ItemColumn(compute)) as ItemColumn<T>;
}

/** Like {@link itemColumn}, for columns of several values. */
export function valueColumn(
  catalogue: Catalogue,
  key: string,
  compute: (item: ItemForRules) => readonly Scalar[],
): ValueColumn {
  return cachedColumn(catalogue, key, () => new ValueColumn(compute)) as ValueColumn;
}

function cachedColumn(catalogue: Catalogue, key: string, make: () => Column): Column {
  const ofCatalogue = columns.get(catalogue) ?? new LRUCache<string, Column>({ max: COLUMNS });
  columns.set(catalogue, ofCatalogue);
  const column = ofCatalogue.get(key) ?? make();
  ofCatalogue.set(key, column);
  return column;
}
