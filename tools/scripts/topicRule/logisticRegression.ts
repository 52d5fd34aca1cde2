/** Logistic regression by Newton's method, with a small penalty on the weights. */
import { logistic } from '../../../domain/logistic.ts';

export interface Example {
  inputs: readonly number[];
  isTrue: boolean;
}

const STEPS = 25;
/** Penalty on the squares of the weights: keeps them finite if the examples can be separated. */
const PENALTY = 1;

export interface LogisticModel {
  bias: number;
  weights: readonly number[];
}

/** Returns the probability, by a model, that an example with these inputs is true. */
export function chanceOf({ bias, weights }: LogisticModel, inputs: readonly number[]): number {
  return logistic(inputs.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), bias));
}

/** Fits a model. Without examples, it gives everything a probability of a half. */
export function fitLogistic(examples: readonly Example[]): LogisticModel {
  if (examples.length === 0) return { bias: 0, weights: [] };
  const width = (examples[0]?.inputs.length ?? 0) + 1;
  let weights: number[] = Array.from({ length: width }, () => 0);
  for (let step = 0; step < STEPS; step += 1) {
    const gradient: number[] = weights.map((weight, at) => (at === 0 ? 0 : -PENALTY * weight));
    const curvature = weights.map((_, row) =>
      weights.map((__, column): number => (row === column && row > 0 ? PENALTY : 0)),
    );
    for (const { inputs, isTrue } of examples) {
      const row = [1, ...inputs];
      const chance = chanceOf({ bias: 0, weights }, row);
      const slope = chance * (1 - chance);
      for (let a = 0; a < width; a += 1) {
        const value = row[a] ?? 0;
        if (value === 0) continue;
        gradient[a] = (gradient[a] ?? 0) + value * ((isTrue ? 1 : 0) - chance);
        const line = curvature[a] ?? [];
        for (let b = 0; b < width; b += 1) line[b] = (line[b] ?? 0) + slope * value * (row[b] ?? 0);
      }
    }
    const change = solve(curvature, gradient);
    weights = weights.map((weight, at) => weight + (change[at] ?? 0));
    if (Math.max(...change.map(Math.abs)) < 1e-6) break;
  }
  return { bias: weights[0] ?? 0, weights: weights.slice(1) };
}

/** Solves linear equations by elimination with pivots. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, index) => [...row, right[index] ?? 0]);
  const size = rows.length;
  for (let at = 0; at < size; at += 1) {
    const pivot = rows
      .slice(at)
      .reduce((best, row, index) => (Math.abs(row[at] ?? 0) > Math.abs(rows[best]?.[at] ?? 0) ? at + index : best), at);
    const [one, other] = [rows[at] ?? [], rows[pivot] ?? []];
    rows[at] = other;
    rows[pivot] = one;
    for (let below = 0; below < size; below += 1) {
      if (below === at) continue;
      const line = rows[below] ?? [];
      const factor = (line[at] ?? 0) / (other[at] ?? 1);
      for (let column = at; column <= size; column += 1)
        line[column] = (line[column] ?? 0) - factor * (other[column] ?? 0);
    }
  }
  return rows.map((row, at) => (row[size] ?? 0) / (row[at] ?? 1));
}
