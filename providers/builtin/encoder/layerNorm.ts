/**
 * Layer normalisation (Ba et al. 2016, arXiv:1607.06450): each row gets mean 0 and variance 1, then a gain and an
 * offset.
 */
import type { Rows } from '../arithmetic/products.ts';

/** Added to a variance, so that a row of equal numbers does not cause a division by zero. */
export const SMALLEST = 1e-12;

/** A gain and an offset for each column. */
export interface Normalisation {
  gain: Float32Array;
  offset: Float32Array;
}

interface Spread {
  mean: number;
  /** 1 divided by the standard deviation. */
  factor: number;
}

/** Normalises the first `count` rows in place. */
export function normaliseRows({ data, stride }: Rows, { gain, offset }: Normalisation, count: number): void {
  for (let row = 0; row < count; row += 1) {
    const slice = data.subarray(row * stride, row * stride + gain.length);
    const { mean, factor } = spreadOf(slice);
    for (let at = 0; at < gain.length; at += 1)
      slice[at] = ((slice[at] ?? 0) - mean) * factor * (gain[at] ?? 0) + (offset[at] ?? 0);
  }
}

/** Returns the sum of the first `count` rows, each normalised. */
export function sumNormalisedRows(
  { data, stride }: Rows,
  { gain, offset }: Normalisation,
  count: number,
): Float64Array {
  const sums = new Float64Array(gain.length);
  for (let row = 0; row < count; row += 1) {
    const slice = data.subarray(row * stride, row * stride + gain.length);
    const { mean, factor } = spreadOf(slice);
    for (let at = 0; at < gain.length; at += 1) sums[at] = (sums[at] ?? 0) + ((slice[at] ?? 0) - mean) * factor;
  }
  return sums.map((sum, at) => sum * (gain[at] ?? 0) + count * (offset[at] ?? 0));
}

function spreadOf(row: Float32Array): Spread {
  let sum = 0;
  let squares = 0;
  for (let at = 0; at < row.length; at += 1) {
    const value = row[at] ?? 0;
    sum += value;
    squares += value * value;
  }
  const mean = sum / row.length;
  return { mean, factor: 1 / Math.sqrt(Math.max(0, squares / row.length - mean * mean) + SMALLEST) };
}
