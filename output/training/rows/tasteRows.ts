/** A row per person with the items that they met, and how much. */
import { MAX_TASTE_ITEMS } from '../../models/itemModel.ts';
import { at, peopleOf, type Cuts, type Interactions } from './interactions.ts';
import { RowBuilder, type SparseRows } from './sparseRows.ts';

export interface TasteWeighing {
  /** In days; null means that events do not decay. */
  halfLifeDays: number | null;
  /** Time from which ages are counted, in seconds since 1970. */
  reference: number;
}

const DAY = 86_400;

/**
 * Returns the rows. A person's value of an item is ln(1 + the sum of its events' weights, by age): a purchase says more
 * than an opening, but not eight times as much, and the hundredth opening adds hardly anything.
 */
export function tasteRows(data: Interactions, cuts: Cuts, { halfLifeDays, reference }: TasteWeighing): SparseRows {
  const people = peopleOf(data);
  const rows = new RowBuilder(people, data.items.length);
  const sums = new Float64Array(data.ids.length);
  const met = new Uint32Array(MAX_TASTE_ITEMS);
  const rate = halfLifeDays === null ? 0 : 1 / (halfLifeDays * DAY);
  for (let person = 0; person < people; person += 1) {
    const begin = at(data.offsets, person);
    let count = 0;
    for (let event = begin + at(cuts, person) - 1; event >= begin; event -= 1) {
      const item = at(data.items, event);
      const known = at(sums, item);
      if (known === 0 && count === MAX_TASTE_ITEMS) continue;
      if (known === 0) met[count++] = item;
      const age = rate === 0 ? 1 : 2 ** ((at(data.seconds, event) - reference) * rate);
      sums[item] = known + at(data.weights, event) * age;
    }
    for (const item of met.subarray(0, count).sort()) {
      rows.add(item, Math.log1p(at(sums, item)));
      sums[item] = 0;
    }
    rows.endRow();
  }
  return rows.build();
}

/** Returns how many people met each item. */
export function peopleByItem({ items }: SparseRows, itemCount: number): Uint32Array {
  const counts = new Uint32Array(itemCount);
  for (let entry = 0; entry < items.length; entry += 1) {
    const item = at(items, entry);
    counts[item] = at(counts, item) + 1;
  }
  return counts;
}
