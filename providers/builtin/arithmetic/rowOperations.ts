/** Operations on rows, number by number. */
import type { BoundRow } from './convolveFunctions.ts';
import { FLOAT_BYTES } from './elementSizes.ts';
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
  /** Bounds the first `length` numbers to 0 … 6. The length is a multiple of 16. */
  bound(data: Float32Array, length: number): void;
}

/** The compiled functions. */
export interface CompiledRowFunctions {
  addRow: RowFunction;
  rectifyRow: RowFunction;
  roundRow: RoundRow;
  boundRow: BoundRow;
}

/**
 * @param top place of the upper bound in the memory
 * @param factor where the factor of `round` is stored before each call
 */
export function createRowOperations(
  { addRow, rectifyRow, roundRow, boundRow }: CompiledRowFunctions,
  top: number,
  factor: Float32Array,
): RowOperations {
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
    bound(data, length) {
      checkLength(length, 'bounded');
      if (length > 0) boundRow(data.byteOffset, data.byteOffset + length * FLOAT_BYTES, top);
    },
  };
}

/** @throws RangeError unless the length is a multiple of the unit */
function checkLength(length: number, done: string): void {
  if (length % ROW_UNIT !== 0) throw new RangeError(`a row of ${length} numbers cannot be ${done}`);
}
