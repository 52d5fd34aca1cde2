/** Baselines for a model: popularity, item-based nearest neighbours, and EASE over all items at once. */
import { solveInPlace, strideOf } from '../../../output/training/solve/cholesky.ts';
import { at, type Interactions } from '../../../output/training/rows/interactions.ts';
import { CUTOFF } from '../../../output/training/evaluate/rankingQuality.ts';
import { byItem, type SparseRows } from '../../../output/training/rows/sparseRows.ts';
import { TopNumbers } from '../../../output/topNumbers.ts';
import { peopleByItem } from '../../../output/training/rows/tasteRows.ts';
import type { Case } from '../../../output/training/evaluate/evaluationWindow.ts';

/** With more items, EASE takes minutes and gigabytes. */
const MAX_ITEMS_OF_EASE = 6_000;
/** Values that papers use. */
const EASE_LAMBDAS = [10, 100, 1_000];

/** Ranks items that the person of a case has not seen, best first. */
export type Ranker = (each: Case) => number[];

/**
 * Returns item kNN and EASE with several λ, trained on `data`, by name; nothing for a catalogue that is too large.
 * @param all the events of the cases' people, of which the first `known` are history
 */
export function itemRankers(all: Interactions, data: Interactions): [string, Ranker][] {
  if (data.ids.length > MAX_ITEMS_OF_EASE) return [];
  return [
    ['item kNN', knnRanker(all, data)],
    ...EASE_LAMBDAS.map((lambda): [string, Ranker] => [`EASE, λ = ${lambda}`, easeRanker(all, data, lambda)]),
  ];
}

/** Ranks items by the number of people who saw them. */
export function peopleRanker(data: Interactions): Ranker {
  return popularRanker(data, Float64Array.from(peopleByItem(seenRows(data), data.ids.length)));
}

/** Returns who saw what, without weights. */
function seenRows({ offsets, items }: Interactions): SparseRows {
  const ends = [0];
  const met: number[] = [];
  for (let person = 0; person + 1 < offsets.length; person += 1) {
    met.push(...[...new Set(items.subarray(at(offsets, person), at(offsets, person + 1)))].sort((a, b) => a - b));
    ends.push(met.length);
  }
  return {
    offsets: Uint32Array.from(ends),
    items: Uint32Array.from(met),
    values: new Float32Array(met.length).fill(1),
  };
}

/** Returns the items that the person had seen by the time of the recommendation. */
function seenAt({ offsets, items }: Interactions, { person, known }: Case): number[] {
  const begin = at(offsets, person);
  return [...new Set(items.subarray(begin, begin + known))];
}

function seenBy({ offsets, items }: SparseRows, person: number): Uint32Array {
  return items.subarray(at(offsets, person), at(offsets, person + 1));
}

function ranked(scores: Float64Array, seen: readonly number[]): number[] {
  const best = new TopNumbers(CUTOFF);
  const met = new Set(seen);
  for (let item = 0; item < scores.length; item += 1) if (!met.has(item)) best.offer(item, at(scores, item));
  return Array.from(best.ranked().numbers);
}

export function popularRanker(all: Interactions, popularity: Float64Array): Ranker {
  return (each) => ranked(popularity, seenAt(all, each));
}

/** Number of neighbours per item that count. */
const NEIGHBOURS = 100;

/**
 * Scores by the sum of the cosines with the items that the person saw, over each item's {@link NEIGHBOURS} nearest.
 * @param data training data; `all` also has the histories of the people in the cases
 */
function knnRanker(all: Interactions, data: Interactions): Ranker {
  const rows = seenRows(data);
  const gram = gramOf(rows, data.ids.length);
  const items = data.ids.length;
  const near = Array.from({ length: items }, (_, item) => {
    const best = new TopNumbers(NEIGHBOURS);
    for (let other = 0; other < items; other += 1) {
      const both = at(gram, item * items + other);
      if (other === item || both === 0) continue;
      best.offer(other, both / Math.sqrt(at(gram, item * items + item) * at(gram, other * items + other)));
    }
    return best.ranked();
  });
  return (each) => {
    const scores = new Float64Array(items);
    for (const item of seenAt(all, each)) {
      const others = near[item];
      for (const [index, other] of (others?.numbers ?? []).entries())
        scores[other] = at(scores, other) + (others?.scores[index] ?? 0);
    }
    return ranked(scores, seenAt(all, each));
  };
}

/**
 * Implements EASE (Steck, arXiv:1905.03375): B = I − P diag(P)⁻¹ with P = (X'X + λI)⁻¹. Cubic in the number of items.
 */
function easeRanker(all: Interactions, data: Interactions, lambda: number): Ranker {
  const items = data.ids.length;
  const rows = seenRows(data);
  const inverse = inverseOf(gramOf(rows, items), items, lambda);
  return (each) => {
    const scores = new Float64Array(items);
    for (const item of seenAt(all, each)) {
      for (let other = 0; other < items; other += 1) {
        if (other !== item)
          scores[other] = at(scores, other) - at(inverse, item * items + other) / at(inverse, other * items + other);
      }
    }
    return ranked(scores, seenAt(all, each));
  };
}

function gramOf(rows: SparseRows, items: number): Float64Array {
  const gram = new Float64Array(items * items);
  const ofItem = byItem(rows, items);
  for (let item = 0; item < items; item += 1) {
    for (let entry = at(ofItem.offsets, item); entry < at(ofItem.offsets, item + 1); entry += 1)
      for (const other of seenBy(rows, at(ofItem.rows, entry)))
        gram[item * items + other] = at(gram, item * items + other) + 1;
  }
  return gram;
}

/** Inverts column by column. */
function inverseOf(gram: Float64Array, items: number, lambda: number): Float64Array {
  const stride = strideOf(items);
  const inverse = new Float64Array(items * items);
  const factor = new Float64Array(stride * stride);
  for (let row = 0; row < items; row += 1)
    for (let column = 0; column <= row; column += 1)
      factor[row * stride + column] = at(gram, row * items + column) + (row === column ? lambda : 0);
  // The first solution leaves the factorisation behind; the others only substitute.
  const solve = (unit: Float64Array, isFirst: boolean): void => {
    if (isFirst && !solveInPlace(factor, unit, items)) throw new Error('the matrix is not positive definite');
    if (!isFirst) substitute(factor, unit, items, stride);
  };
  for (let item = 0; item < items; item += 1) {
    const unit = new Float64Array(stride);
    unit[item] = 1;
    solve(unit, item === 0);
    for (let other = 0; other < items; other += 1) inverse[other * items + item] = at(unit, other);
  }
  return inverse;
}

function substitute(factor: Float64Array, b: Float64Array, size: number, stride: number): void {
  for (let row = 0; row < size; row += 1) {
    let sum = at(b, row);
    for (let column = 0; column < row; column += 1) sum -= at(factor, row * stride + column) * at(b, column);
    b[row] = sum / at(factor, row * stride + row);
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    const value = at(b, row) / at(factor, row * stride + row);
    b[row] = value;
    for (let column = 0; column < row; column += 1)
      b[column] = at(b, column) - value * at(factor, row * stride + column);
  }
}
