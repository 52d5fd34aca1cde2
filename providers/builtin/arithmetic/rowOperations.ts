/** Operations on rows, number by number. */
import type { ClampRow } from './convolveFunctions.ts';
import type { Allocator } from './allocator.ts';
import { FLOAT_BYTES } from './elementSizes.ts';
import type { AddNormalisedRow, ScaleRow, SumRow } from './normaliseFunctions.ts';
import { ROW_UNIT, type RoundRow, type RowFunction } from './rowFunctions.ts';

export interface RowOperations {
  /**
   * Computes `to += from` for `length` numbers of this memory from the given places. The length is a multiple of 16.
   */
  add(to: Float32Array, toStart: number, from: Float32Array, fromStart: number, length: number): void;
  /** Like `add`, but treats negative numbers of `to` as zero. */
  rectify(to: Float32Array, toStart: number, from: Float32Array, fromStart: number, length: number): void;
  /**
   * Rounds the first `length` numbers to multiples of `unit`, as integers. The length is a multiple of 16, and no
   * number is 32,767 units or more.
   */
  round(from: Float32Array, to: Int16Array, length: number, unit: number): void;
  /** Clamps the first `length` numbers to 0 … 6. The length is a multiple of 16. */
  clamp(data: Float32Array, length: number): void;
  /** Returns the sum of `length` numbers, and of their squares. The length is a multiple of 16. */
  sums(of: Float32Array, start: number, length: number): Sums;
  /** Computes `to += (from - mean) * factor` for as many numbers as `to` has, a multiple of 16. */
  addNormalised(to: Float64Array, from: Float32Array, start: number, spread: Spread): void;
  /** Computes `data = max(0, data) * factors + addends` for as many numbers as `factors` has, a multiple of 8. */
  scale(data: Float32Array, start: number, factors: Float32Array, addends: Float32Array): void;
}

export interface Sums {
  sum: number;
  squares: number;
}

export interface Spread {
  mean: number;
  /** 1 divided by the standard deviation. */
  factor: number;
}

/** The compiled functions. */
export interface CompiledRowFunctions {
  addRow: RowFunction;
  rectifyRow: RowFunction;
  roundRow: RoundRow;
  boundRow: ClampRow;
  sumRow: SumRow;
  addNormalisedRow: AddNormalisedRow;
  scaleRow: ScaleRow;
}

/**
 * @param allocator of the memory
 * @param top place of the upper bound in the memory
 * @param factor where the factor of `round` is stored before each call
 */
export function createRowOperations(
  { addRow, rectifyRow, roundRow, boundRow, sumRow, addNormalisedRow, scaleRow }: CompiledRowFunctions,
  { takeDoubles }: Allocator,
  top: number,
  factor: Float32Array,
): RowOperations {
  const doubles = takeDoubles(4);
  const onRows =
    (run: RowFunction): RowOperations['add'] =>
    (to, toStart, from, fromStart, length) => {
      checkLength(length, 'added');
      const start = to.byteOffset + toStart * FLOAT_BYTES;
      run(start, from.byteOffset + fromStart * FLOAT_BYTES, start + length * FLOAT_BYTES);
    };
  return {
    add: onRows(addRow),
    rectify: onRows(rectifyRow),
    round(from, to, length, unit) {
      checkLength(length, 'rounded');
      factor[0] = 1 / unit;
      if (length > 0)
        roundRow(to.byteOffset, from.byteOffset, from.byteOffset + length * FLOAT_BYTES, factor.byteOffset);
    },
    clamp(data, length) {
      checkLength(length, 'bounded');
      if (length > 0) boundRow(data.byteOffset, data.byteOffset + length * FLOAT_BYTES, top);
    },
    sums(of, start, length) {
      checkLength(length, 'summed');
      const from = of.byteOffset + start * FLOAT_BYTES;
      sumRow(from, from + length * FLOAT_BYTES, doubles.byteOffset);
      const [sum0 = 0, sum1 = 0, squares0 = 0, squares1 = 0] = doubles;
      return { sum: sum0 + sum1, squares: squares0 + squares1 };
    },
    addNormalised(to, from, start, { mean, factor: by }) {
      checkLength(to.length, 'normalised');
      doubles[0] = mean;
      doubles[1] = by;
      const place = from.byteOffset + start * FLOAT_BYTES;
      addNormalisedRow(to.byteOffset, place, place + to.length * FLOAT_BYTES, doubles.byteOffset);
    },
    scale(data, start, factors, addends) {
      const row = data.byteOffset + start * FLOAT_BYTES;
      scaleRow(row, row + factors.length * FLOAT_BYTES, factors.byteOffset, addends.byteOffset);
    },
  };
}

/** @throws RangeError unless the length is a multiple of the unit */
function checkLength(length: number, done: string): void {
  if (length % ROW_UNIT !== 0) throw new RangeError(`a row of ${length} numbers cannot be ${done}`);
}
