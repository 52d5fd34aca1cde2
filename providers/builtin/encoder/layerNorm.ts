/**
 * Layer normalisation (Ba et al. 2016, arXiv:1607.06450): each row gets mean 0 and variance 1, then a gain and an
 * offset.
 */
import type { Matrices } from '../arithmetic/matrices.ts';
import type { Rows } from '../arithmetic/weightProducts.ts';
import type { Spread, Sums } from '../arithmetic/rowOperations.ts';

/** Added to a variance, so that a row of equal numbers does not cause a division by zero. */
export const EPSILON = 1e-12;

/** A gain and an offset for each column. */
export interface Normalisation {
  gain: Float32Array;
  offset: Float32Array;
}

/** Normalises the first `count` rows in place. */
export function normaliseRows({ data, stride }: Rows, { gain, offset }: Normalisation, count: number): void {
  for (let row = 0; row < count; row += 1) {
    const slice = data.subarray(row * stride, row * stride + gain.length);
    const { mean, factor } = spreadOf(sumsOf(slice), gain.length);
    for (let at = 0; at < gain.length; at += 1)
      slice[at] = ((slice[at] ?? 0) - mean) * factor * (gain[at] ?? 0) + (offset[at] ?? 0);
  }
}

/**
 * Returns the sum of the first `count` rows, each normalised.
 * @param sums a buffer in the memory of the matrices, which is overwritten
 */
export function sumNormalisedRows(
  matrices: Matrices,
  { data, stride }: Rows,
  { gain, offset }: Normalisation,
  count: number,
  sums: Float64Array,
): Float64Array {
  sums.fill(0);
  for (let row = 0; row < count; row += 1) {
    const start = row * stride;
    const spread = spreadOf(matrices.sums(data, start, gain.length), gain.length);
    matrices.addNormalised(sums, data, start, spread);
  }
  return sums.map((sum, at) => sum * (gain[at] ?? 0) + count * (offset[at] ?? 0));
}

function sumsOf(row: Float32Array): Sums {
  let sum = 0;
  let squares = 0;
  for (let at = 0; at < row.length; at += 1) {
    const value = row[at] ?? 0;
    sum += value;
    squares += value * value;
  }
  return { sum, squares };
}

function spreadOf({ sum, squares }: Sums, length: number): Spread {
  const mean = sum / length;
  return { mean, factor: 1 / Math.sqrt(Math.max(0, squares / length - mean * mean) + EPSILON) };
}
