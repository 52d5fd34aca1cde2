/** What is worked out of items, remembered for as long as the item is the same: filters, facets and sorting ask again and again. */
import type { Scalar } from '../../../domain/output/filters.ts';
import type { JudgedItem } from '../../../domain/output/rules.ts';
import type { Catalogue } from '../../selection/catalogue.ts';

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
  readonly #column: ItemColumn<readonly number[]>;

  constructor(compute: (item: JudgedItem) => readonly Scalar[]) {
    this.#column = new ItemColumn((item) => [...new Set(compute(item))].map((value) => this.#numberOf(value)));
  }

  /** Numbers into {@link values}. */
  at(slot: number, item: JudgedItem): readonly number[] {
    return this.#column.at(slot, item);
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
