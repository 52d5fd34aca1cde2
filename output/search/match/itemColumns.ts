/** What is worked out of items, remembered for as long as the item is the same: filters, facets and sorting ask again and again. */
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

const columns = new WeakMap<Catalogue, Map<string, ItemColumn<unknown>>>();

/** @param key says what is computed: two computations have two keys */
export function itemColumn<T>(catalogue: Catalogue, key: string, compute: (item: JudgedItem) => T): ItemColumn<T> {
  const ofCatalogue = columns.get(catalogue) ?? new Map<string, ItemColumn<unknown>>();
  columns.set(catalogue, ofCatalogue);
  const column = (ofCatalogue.get(key) as ItemColumn<T> | undefined) ?? new ItemColumn(compute);
  ofCatalogue.delete(key);
  ofCatalogue.set(key, column as ItemColumn<unknown>);
  const oldest = ofCatalogue.keys().next();
  if (ofCatalogue.size > COLUMNS && !oldest.done) ofCatalogue.delete(oldest.value);
  return column;
}
