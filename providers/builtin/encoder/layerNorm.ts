/** Layer normalisation (Ba et al. 2016, arXiv:1607.06450): each row gets mean 0 and variance 1, then a gain and an offset. */
import type { Rows } from './matrices.ts';

/** Added to a variance, so that a row of equal numbers is not divided by zero. */
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

/** Normalises the first `count` rows in place. The parts stand side by side: a row is a row of each of them. */
export function normaliseRows(parts: readonly Rows[], norm: Normalisation, count: number): void {
  const columns = norm.gain.length / parts.length;
  for (let row = 0; row < count; row += 1) {
    const slices = parts.map(({ data, stride }) => data.subarray(row * stride, row * stride + columns));
    const { mean, factor } = spreadOf(slices);
    for (const [part, slice] of slices.entries()) {
      for (let at = 0; at < columns; at += 1) {
        const column = part * columns + at;
        slice[at] = ((slice[at] ?? 0) - mean) * factor * (norm.gain[column] ?? 0) + (norm.offset[column] ?? 0);
      }
    }
  }
}

/** The sum of the first `count` rows, each normalised. */
export function sumNormalisedRows(
  { data, stride }: Rows,
  { gain, offset }: Normalisation,
  count: number,
): Float64Array {
  const sums = new Float64Array(gain.length);
  for (let row = 0; row < count; row += 1) {
    const slice = data.subarray(row * stride, row * stride + gain.length);
    const { mean, factor } = spreadOf([slice]);
    for (let at = 0; at < gain.length; at += 1) sums[at] = (sums[at] ?? 0) + ((slice[at] ?? 0) - mean) * factor;
  }
  return sums.map((sum, at) => sum * (gain[at] ?? 0) + count * (offset[at] ?? 0));
}

function spreadOf(slices: readonly Float32Array[]): Spread {
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (const slice of slices) {
    for (let at = 0; at < slice.length; at += 1) {
      const value = slice[at] ?? 0;
      sum += value;
      squares += value * value;
    }
    count += slice.length;
  }
  const mean = sum / count;
  return { mean, factor: 1 / Math.sqrt(Math.max(0, squares / count - mean * mean) + SMALLEST) };
}
