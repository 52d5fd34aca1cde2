/** What is worked out of items, remembered for as long as the item is the same: filters, facets and sorting ask again and again. */
import type { Scalar } from '../../../domain/output/filters.ts';
import type { JudgedItem } from '../../../domain/output/mayShow.ts';
import type { Catalogue } from '../../selection/catalogue.ts';
import { NumberLists } from '../index/numberLists.ts';

/** Columns of one catalogue: each is two numbers for each of its items. */
const COLUMNS = 32;

export class ItemColumn<T> {
  readonly #compute: (item: JudgedItem) => T;
  readonly #items: (JudgedItem | undefined)[] = [];
  readonly #values: (T | undefined)[] = [];

  constructor(compute: (item: JudgedItem) => T) {
    this.#compute = compute;
  }

  at(slot: number, item: JudgedItem): T {
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

/** Values as numbers: to count them costs an addition each. */
export class ValueColumn {
  readonly values: Scalar[] = [];
  readonly #numbers = new Map<Scalar, number>();
  readonly #compute: (item: JudgedItem) => readonly Scalar[];
  readonly #items: (JudgedItem | undefined)[] = [];
  readonly #ofSlot = new NumberLists();

  constructor(compute: (item: JudgedItem) => readonly Scalar[]) {
    this.#compute = compute;
  }

  /** How many of the slots have each of {@link values}. */
  count(catalogue: Catalogue, slots: Uint32Array): Uint32Array {
    for (let place = 0; place < slots.length; place += 1) this.#follow(catalogue, slots[place] as number);
    const counts = new Uint32Array(this.values.length);
    this.#ofSlot.countInto(counts, slots);
    return counts;
  }

  #follow(catalogue: Catalogue, slot: number): void {
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

const columns = new WeakMap<Catalogue, Map<string, Column>>();

/** @param key says what is computed: two computations have two keys */
export function itemColumn<T>(catalogue: Catalogue, key: string, compute: (item: JudgedItem) => T): ItemColumn<T> {
  return keptColumn(catalogue, key, () => new ItemColumn(compute)) as ItemColumn<T>;
}

/** As {@link itemColumn}. */
export function valueColumn(
  catalogue: Catalogue,
  key: string,
  compute: (item: JudgedItem) => readonly Scalar[],
): ValueColumn {
  return keptColumn(catalogue, key, () => new ValueColumn(compute)) as ValueColumn;
}

function keptColumn(catalogue: Catalogue, key: string, make: () => Column): Column {
  const ofCatalogue = columns.get(catalogue) ?? new Map<string, Column>();
  columns.set(catalogue, ofCatalogue);
  const column = ofCatalogue.get(key) ?? make();
  ofCatalogue.delete(key);
  ofCatalogue.set(key, column);
  const oldest = ofCatalogue.keys().next();
  if (ofCatalogue.size > COLUMNS && !oldest.done) ofCatalogue.delete(oldest.value);
  return column;
}
