/** Converts columns of targets, as they are solved, to rows of items, as they are looked up, and back. */
import type { ItemWeights } from '../../models/itemModel.ts';
import type { Columns } from './columnSolver.ts';
import { at } from '../rows/interactions.ts';
import { startsOf } from '../rows/sparseRows.ts';

/** Returns the rows of an item → target table. Each target is in at most one of the columns. */
export function rowsOf(columns: readonly Columns[], itemCount: number): ItemWeights {
  const entries = columns.reduce((sum, { support }) => sum + support.length, 0);
  const offsets = new Uint32Array(itemCount + 1);
  for (const { support } of columns) {
    const starts = startsOf(support, itemCount);
    for (let item = 0; item <= itemCount; item += 1) offsets[item] = at(offsets, item) + at(starts, item);
  }
  const next = offsets.slice();
  const rows: ItemWeights = { offsets, columns: new Uint32Array(entries), weights: new Float32Array(entries) };
  for (const part of columns) {
    for (let column = 0; column < part.targets.length; column += 1) {
      const end = at(part.offsets, column + 1);
      for (let entry = at(part.offsets, column); entry < end; entry += 1) {
        const item = at(part.support, entry);
        const index = at(next, item);
        next[item] = index + 1;
        rows.columns[index] = at(part.targets, column);
        rows.weights[index] = at(part.weights, entry);
      }
    }
  }
  return rows;
}

/** Returns the columns of all targets, the supports ascending. */
export function columnsOf({ offsets, columns, weights }: ItemWeights): Columns {
  const itemCount = offsets.length - 1;
  const starts = startsOf(columns, itemCount);
  const next = starts.slice();
  const support = new Uint32Array(columns.length);
  const sorted = new Float32Array(columns.length);
  for (let item = 0; item < itemCount; item += 1) {
    const end = at(offsets, item + 1);
    for (let entry = at(offsets, item); entry < end; entry += 1) {
      const target = at(columns, entry);
      const index = at(next, target);
      next[target] = index + 1;
      support[index] = item;
      sorted[index] = at(weights, entry);
    }
  }
  return {
    targets: Uint32Array.from({ length: itemCount }, (_, item) => item),
    offsets: starts,
    support,
    weights: sorted,
  };
}

/**
 * Renumbers the items of columns: items without a new number are removed from targets and supports.
 * @param numberOf the new number of each item, or {@link GONE}
 */
export function renumbered({ targets, offsets, support, weights }: Columns, numberOf: Uint32Array): Columns {
  const keptTargets: number[] = [];
  const ends: number[] = [0];
  const keptSupport = new Uint32Array(support.length);
  const keptWeights = new Float32Array(weights.length);
  let count = 0;
  for (let column = 0; column < targets.length; column += 1) {
    const target = at(numberOf, at(targets, column));
    if (target === GONE) continue;
    const end = at(offsets, column + 1);
    for (let entry = at(offsets, column); entry < end; entry += 1) {
      const item = at(numberOf, at(support, entry));
      if (item === GONE) continue;
      keptSupport[count] = item;
      keptWeights[count] = at(weights, entry);
      count += 1;
    }
    keptTargets.push(target);
    ends.push(count);
  }
  return {
    targets: Uint32Array.from(keptTargets),
    offsets: Uint32Array.from(ends),
    support: keptSupport.slice(0, count),
    weights: keptWeights.slice(0, count),
  };
}

/** Marks an item without a number. */
export const GONE = 0xffff_ffff;
