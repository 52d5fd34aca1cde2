import { describe, expect, it } from '@jest/globals';
import { solveInPlace, strideOf } from '../../../../output/training/solve/cholesky.ts';
import { ColumnSolver, evidenceOf } from '../../../../output/training/solve/columnSolver.ts';
import { PairSums } from '../../../../output/training/solve/pairSums.ts';
import { byItem, RowBuilder, type SparseRows } from '../../../../output/training/rows/sparseRows.ts';
import { columnsOf, rowsOf } from '../../../../output/training/solve/columnsToRows.ts';
import { randomOf } from '../../../support/people/plantedEvents.ts';

const random = randomOf(7);

function randomRows(people: number, items: number, share: number): SparseRows {
  const rows = new RowBuilder(people, 0);
  for (let person = 0; person < people; person += 1) {
    for (let item = 0; item < items; item += 1) if (random() < share / (1 + item / 5)) rows.add(item, 0.5 + random());
    rows.endRow();
  }
  return rows.build();
}

function dense({ offsets, items, values }: SparseRows, itemCount: number): number[][] {
  return Array.from({ length: offsets.length - 1 }, (_, row) => {
    const cells = Array.from({ length: itemCount }, () => 0);
    for (let entry = offsets[row] ?? 0; entry < (offsets[row + 1] ?? 0); entry += 1)
      cells[items[entry] ?? 0] = values[entry] ?? 0;
    return cells;
  });
}

const product = (x: number[][], a: number, b: number): number =>
  x.reduce((sum, row) => sum + (row[a] ?? 0) * (row[b] ?? 0), 0);

describe('solveInPlace', () => {
  it.each([1, 2, 3, 8, 31])('solves %i equations', (size) => {
    const base = Array.from({ length: size }, () => Array.from({ length: size }, () => random() - 0.5));
    const full = base.map((row, i) =>
      base.map((other, j) => row.reduce((sum, value, k) => sum + value * (other[k] ?? 0), i === j ? 0.5 : 0)),
    );
    const wanted = Array.from({ length: size }, () => random());
    const stride = strideOf(size);
    const a = new Float64Array(stride * stride).fill(NaN);
    const b = new Float64Array(stride);
    for (const [i, row] of full.entries()) {
      a.set(row.slice(0, i + 1), i * stride);
      b[i] = row.reduce((sum, value, j) => sum + value * (wanted[j] ?? 0), 0);
    }
    expect(solveInPlace(a, b, size)).toBe(true);
    for (const [i, value] of wanted.entries()) expect(b[i]).toBeCloseTo(value, 9);
  });

  it('refuses a matrix that is not positive definite', () => {
    expect(solveInPlace(Float64Array.of(1, 0, 2, 1), Float64Array.of(1, 1), 2)).toBe(false);
  });
});

describe('PairSums', () => {
  it.each([0, 4, 100])('returns the sums of pairs with the first %i items kept', (head) => {
    const rows = randomRows(60, 12, 0.8);
    const sums = new PairSums(rows, byItem(rows, 12), head);
    const support = Uint32Array.of(0, 3, 4, 7, 11);
    const into = new Float64Array(36).fill(-1);
    sums.gather(support, into, 6);
    const x = dense(rows, 12);
    for (const [i, a] of support.entries())
      for (const [j, b] of support.subarray(0, i + 1).entries())
        expect(into[i * 6 + j]).toBeCloseTo(product(x, a, b), 4);
  });
});

describe('the sums of pairs', () => {
  it('are bit for bit the same, however many items are kept', () => {
    const rows = randomRows(60, 12, 0.8);
    const support = Uint32Array.of(0, 3, 4, 7, 11);
    const gathered = [0, 4, 100].map((head) => {
      const into = new Float64Array(36);
      new PairSums(rows, byItem(rows, 12), head).gather(support, into, 6);
      return into;
    });
    expect(gathered[1]).toEqual(gathered[0]);
    expect(gathered[2]).toEqual(gathered[0]);
  });
});

describe('ColumnSolver', () => {
  const items = 12;
  const rows = randomRows(80, items, 0.9);
  const lambda = 3;

  it('solves the equations of each target', () => {
    const solver = new ColumnSolver(evidenceOf(rows, items), items);
    const [columns] = solver.solve(
      Uint32Array.from({ length: items }, (_, item) => item),
      [lambda],
    );
    const x = dense(rows, items);
    const { offsets, support, weights } = columns ?? { offsets: [], support: new Uint32Array(), weights: [] };
    for (let target = 0; target < items; target += 1) {
      const range = [offsets[target] ?? 0, offsets[target + 1] ?? 0] as const;
      const own = support.subarray(...range);
      expect([...own]).not.toContain(target);
      for (const a of own) {
        const left = [...own].reduce(
          (sum, b, index) => sum + (product(x, a, b) + (a === b ? lambda : 0)) * (weights[range[0] + index] ?? 0),
          0,
        );
        expect(left).toBeCloseTo(product(x, a, target), 3);
      }
    }
  });

  it('uses the items with the largest cosine', () => {
    const solver = new ColumnSolver(evidenceOf(rows, items), 3);
    const x = dense(rows, items);
    for (let target = 0; target < items; target += 1) {
      const cosines = Array.from({ length: items }, (_, item) => item)
        .filter((item) => item !== target)
        .toSorted(
          (a, b) => product(x, b, target) / product(x, b, b) ** 0.5 - product(x, a, target) / product(x, a, a) ** 0.5,
        );
      expect([...solver.supportOf(target)]).toEqual(cosines.slice(0, 3).toSorted((a, b) => a - b));
    }
  });

  it('solves nothing for a target with a single person', () => {
    const one = new RowBuilder(1, 2);
    one.add(0, 1);
    one.add(1, 1);
    one.endRow();
    const [columns] = new ColumnSolver(evidenceOf(one.build(), 2), 2).solve(Uint32Array.of(0, 1), [1]);
    expect([...(columns?.offsets ?? [])]).toEqual([0, 0, 0]);
  });

  it('returns columns that survive being turned into rows and back', () => {
    const all = Uint32Array.from({ length: items }, (_, item) => item);
    const solver = new ColumnSolver(evidenceOf(rows, items), 5);
    const [whole] = solver.solve(all, [lambda]);
    const [first] = solver.solve(all.subarray(0, 7), [lambda]);
    const [second] = solver.solve(all.subarray(7), [lambda]);
    if (!whole || !first || !second) throw new Error('nothing was solved');
    expect(columnsOf(rowsOf([second, first], items))).toEqual(whole);
  });
});
