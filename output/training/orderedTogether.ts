/** Computes which items are ordered together. */
import type { ItemWeights } from '../models/itemModel.ts';
import { at, type Interactions } from './rows/interactions.ts';
import { byItem, RowBuilder, sortedByKey, type SparseRows } from './rows/sparseRows.ts';
import { TopNumbers } from '../topNumbers.ts';

/** Number of virtual orders that shrink a lift towards 1: one common order of two rare items says little. */
const SHRINKAGE = 3;
/** Maximum number of related items per item. */
const MAX_TOGETHER = 50;
/** Maximum number of items of an order, the first ones: the work grows with the square. */
const MAX_ITEMS_OF_ORDER = 100;

/**
 * Computes how much an order with the item x says about the item y: P(y|x) · ln(lift), the part of y in the divergence
 * of the orders with x from all orders; both factors are shrunk. It has a direction: a case says less about a phone
 * than the phone about the case. Only items that are ordered together more often than by chance are kept.
 */
export function togetherWeights(data: Interactions): ItemWeights {
  const items = data.ids.length;
  const orders = orderRows(data);
  const orderCount = orders.offsets.length - 1;
  const ofItem = byItem(orders, items);
  const countOf = (item: number): number => at(ofItem.offsets, item + 1) - at(ofItem.offsets, item);
  const common = new Uint32Array(items);
  const best = new TopNumbers(MAX_TOGETHER);
  const rows = new RowBuilder(items, orders.items.length);
  for (let item = 0; item < items; item += 1) {
    const own = countOf(item);
    best.clear();
    for (const other of commonOrders(orders, ofItem, item, common)) {
      const both = at(common, other);
      common[other] = 0;
      const lift = (both + SHRINKAGE) / ((own * countOf(other)) / orderCount + SHRINKAGE);
      if (lift > 1) best.offer(other, (both / (own + SHRINKAGE)) * Math.log(lift));
    }
    const { numbers, scores } = best.ranked();
    for (const [index, number] of numbers.entries()) rows.add(number, at(scores, index));
    rows.endRow();
  }
  const { offsets, items: columns, values: weights } = rows.build();
  return { offsets, columns, weights };
}

/** Returns the items that share an order with the item; the number of shared orders is in `common`. */
function commonOrders(
  orders: SparseRows,
  ofItem: { offsets: Uint32Array; rows: Uint32Array },
  item: number,
  common: Uint32Array,
): number[] {
  const found: number[] = [];
  for (let entry = at(ofItem.offsets, item); entry < at(ofItem.offsets, item + 1); entry += 1) {
    const order = at(ofItem.rows, entry);
    for (let line = at(orders.offsets, order); line < at(orders.offsets, order + 1); line += 1) {
      const other = at(orders.items, line);
      if (other === item) continue;
      if (at(common, other) === 0) found.push(other);
      common[other] = at(common, other) + 1;
    }
  }
  return found;
}

/** Returns the distinct items of each order. */
function orderRows({ baskets, items }: Interactions): SparseRows {
  const count = baskets.reduce((largest, basket) => Math.max(largest, basket), 0) + 1;
  const { starts, entries } = sortedByKey(baskets, count);
  const rows = new RowBuilder(count, items.length - at(starts, 1));
  // The first entries belong to no order.
  for (let basket = 1; basket < count; basket += 1) {
    const events = entries.subarray(at(starts, basket), at(starts, basket + 1));
    const lines = new Set(events.map((event) => at(items, event)));
    for (const item of [...lines].slice(0, MAX_ITEMS_OF_ORDER).sort((a, b) => a - b)) rows.add(item, 1);
    rows.endRow();
  }
  return rows.build();
}
