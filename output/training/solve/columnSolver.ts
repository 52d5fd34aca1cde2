/**
 * Solves the weights with which items predict each other: for each target a ridge regression on the items most related
 * to it.
 */
import { solveInPlace, strideOf } from './cholesky.ts';
import { at } from '../rows/interactions.ts';
import { PairSums } from './pairSums.ts';
import { byItem, type RowsByItem, type SparseRows } from '../rows/sparseRows.ts';
import { TopNumbers } from '../../topNumbers.ts';

/** Training input: rows of known items (X), and the rows in which each target is met. */
export interface Evidence {
  known: SparseRows;
  knownByItem: RowsByItem;
  targets: RowsByItem;
  sums: PairSums;
}

/** For each of some targets the items that predict it, ascending, with their weights; empty where there are none. */
export interface Columns {
  targets: Uint32Array;
  offsets: Uint32Array;
  support: Uint32Array;
  weights: Float32Array;
}

/** @param targets the rows in which each item is the target; by default the rows that contain it */
export function evidenceOf(known: SparseRows, itemCount: number, targets?: RowsByItem): Evidence {
  const knownByItem = byItem(known, itemCount);
  return { known, knownByItem, targets: targets ?? knownByItem, sums: new PairSums(known, knownByItem) };
}

/** A target that fewer people have seen is not learned, since one person says nothing about others. */
const MIN_ROWS = 2;

/**
 * EASE on a sparse support (Steck, arXiv:1910.09645): for the K items C whose cosine with the target j is largest, it
 * solves (X'X[C,C] + λI) w = X'y[C]. The result is as good as the solution over all items, at a cost of K³ instead of
 * n³ (figures in docs/decisions/training.md). Columns are independent of each other, so they can be distributed and
 * solved again one by one.
 */
export class ColumnSolver {
  readonly #evidence: Evidence;
  readonly #limit: number;
  readonly #cross: Float64Array;
  readonly #touched: Uint32Array;
  #touchedCount = 0;
  readonly #best: TopNumbers;
  readonly #support: Uint32Array;
  readonly #gram: Float64Array;
  readonly #system: Float64Array;
  readonly #right: Float64Array;

  /** @param limit maximum number of items in a support (K) */
  constructor(evidence: Evidence, limit: number) {
    const items = evidence.knownByItem.offsets.length - 1;
    const stride = strideOf(limit);
    this.#evidence = evidence;
    this.#limit = limit;
    this.#cross = new Float64Array(items);
    this.#touched = new Uint32Array(items);
    this.#best = new TopNumbers(limit);
    this.#support = new Uint32Array(limit);
    this.#gram = new Float64Array(stride * stride);
    this.#system = new Float64Array(stride * stride);
    this.#right = new Float64Array(stride);
  }

  /** Returns the items that predict the target best, ascending, as a view that is valid until the next call. */
  supportOf(target: number): Uint32Array {
    const touched = this.#sumCross(target);
    const { diagonal } = this.#evidence.sums;
    this.#best.clear();
    for (const item of touched) {
      if (item !== target) this.#best.offer(item, at(this.#cross, item) / Math.sqrt(at(diagonal, item)));
    }
    return this.#best.sortedInto(this.#support);
  }

  /** Returns the columns of the targets, once for each λ. */
  solve(targets: Uint32Array, lambdas: readonly number[]): Columns[] {
    const writers = lambdas.map(() => new ColumnWriter(targets, this.#limit));
    for (const target of targets) {
      const support = this.supportOf(target);
      const stride = strideOf(support.length);
      this.#evidence.sums.gather(support, this.#gram, stride);
      for (const [index, lambda] of lambdas.entries()) writers[index]?.add(support, this.#solveOne(support, lambda));
    }
    return writers.map((writer) => writer.build());
  }

  #solveOne(support: Uint32Array, lambda: number): Float64Array | null {
    const size = support.length;
    const stride = strideOf(size);
    this.#system.set(this.#gram.subarray(0, stride * stride));
    for (let index = 0; index < size; index += 1) {
      this.#system[index * stride + index] = at(this.#system, index * stride + index) + lambda;
      this.#right[index] = at(this.#cross, at(support, index));
    }
    return solveInPlace(this.#system, this.#right, size) ? this.#right : null;
  }

  /** Computes X'y of the target into `cross`. @returns the items with a non-zero value */
  #sumCross(target: number): Uint32Array {
    this.#clearCross();
    const { known, targets } = this.#evidence;
    const begin = at(targets.offsets, target);
    const end = at(targets.offsets, target + 1);
    let count = 0;
    if (end - begin < MIN_ROWS) return this.#touched.subarray(0, 0);
    for (let entry = begin; entry < end; entry += 1) {
      const row = at(targets.rows, entry);
      const value = at(targets.values, entry);
      const rowEnd = at(known.offsets, row + 1);
      for (let met = at(known.offsets, row); met < rowEnd; met += 1) {
        const item = at(known.items, met);
        const sum = at(this.#cross, item);
        if (sum === 0) this.#touched[count++] = item;
        this.#cross[item] = sum + value * at(known.values, met);
      }
    }
    this.#touchedCount = count;
    return this.#touched.subarray(0, count);
  }

  #clearCross(): void {
    for (let index = 0; index < this.#touchedCount; index += 1) this.#cross[at(this.#touched, index)] = 0;
    this.#touchedCount = 0;
  }
}

class ColumnWriter {
  readonly #targets: Uint32Array;
  readonly #offsets: Uint32Array;
  readonly #support: Uint32Array;
  readonly #weights: Float32Array;
  #columns = 0;
  #entries = 0;

  constructor(targets: Uint32Array, limit: number) {
    this.#targets = targets;
    this.#offsets = new Uint32Array(targets.length + 1);
    this.#support = new Uint32Array(targets.length * limit);
    this.#weights = new Float32Array(targets.length * limit);
  }

  /** @param weights in the order of the support; null when there are none */
  add(support: Uint32Array, weights: Float64Array | null): void {
    if (weights !== null) {
      this.#support.set(support, this.#entries);
      for (let index = 0; index < support.length; index += 1) this.#weights[this.#entries + index] = at(weights, index);
      this.#entries += support.length;
    }
    this.#columns += 1;
    this.#offsets[this.#columns] = this.#entries;
  }

  build(): Columns {
    return {
      targets: this.#targets,
      offsets: this.#offsets,
      support: this.#support.slice(0, this.#entries),
      weights: this.#weights.slice(0, this.#entries),
    };
  }
}
