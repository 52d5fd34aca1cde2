/** Products of rows with the weights of a layer. */
import { FLOAT_BYTES, INTEGER_BYTES } from './elementSizes.ts';
import { BLOCK_ROWS, PANEL_COLUMNS, type Multiply } from './multiplyFunctions.ts';
import { finishAt, type IntegerWeights, type Weights } from './weights.ts';

/** Rows that start `stride` floats apart, from the first number of `data`; they may overlap. */
export interface Rows {
  data: Float32Array;
  stride: number;
}

/** Rows of integers that stand for multiples of `unit`. */
export interface IntegerRows {
  data: Int16Array;
  stride: number;
  unit: number;
}

export interface Products {
  /**
   * Computes `to[i] = bias + from[i] · weights` for the first `count` rows; `from` and `to` are in this memory and do
   * not overlap.
   */
  multiply(from: Rows, weights: Weights, to: Rows, count: number): void;
  /**
   * Does the same as `multiply` in half the time. No row of `from` may be longer than `INTEGER_NORM` as a vector; then
   * no sum exceeds 32 bits (by the inequality of Cauchy and Schwarz).
   */
  multiplyIntegers(from: IntegerRows, weights: IntegerWeights, to: Rows, count: number): void;
}

/** The compiled functions, for whole blocks of rows and for single rows. */
export interface ProductFunctions {
  multiplyBlocks: Multiply;
  multiplyRows: Multiply;
  multiplyIntegerBlocks: Multiply;
  multiplyIntegerRows: Multiply;
}

export function createProducts(functions: ProductFunctions): Products {
  const floats = [functions.multiplyBlocks, functions.multiplyRows] as const;
  const integers = [functions.multiplyIntegerBlocks, functions.multiplyIntegerRows] as const;
  return {
    multiply(from, { panels, bias, rows, columns }, to, count) {
      const weights = { panels: panels.byteOffset, finish: bias.byteOffset, columns, sumBytes: rows * FLOAT_BYTES };
      multiplyAll(floats, placeOf(from), weights, placeOf(to), count);
    },
    multiplyIntegers(from, { panels, units, finish, rows, columns }, to, count) {
      units.forEach((unit, column) => (finish[finishAt(column)] = unit * from.unit));
      const places = { panels: panels.byteOffset, finish: finish.byteOffset };
      const weights = { ...places, columns, sumBytes: rows * INTEGER_BYTES };
      multiplyAll(integers, placeOf(from), weights, placeOf(to), count);
    },
  };
}

interface Place {
  byteOffset: number;
  /** In bytes. */
  stride: number;
}

interface WeightPlaces {
  panels: number;
  finish: number;
  columns: number;
  /** Length of a row in bytes. */
  sumBytes: number;
}

function multiplyAll(
  [blocksOf, rowsOf]: readonly [Multiply, Multiply],
  from: Place,
  { panels, finish, columns, sumBytes }: WeightPlaces,
  to: Place,
  count: number,
): void {
  const blocks = Math.floor(count / BLOCK_ROWS);
  const run = (multiply: Multiply, first: number, times: number): void => {
    if (times === 0) return;
    multiply(
      from.byteOffset + first * from.stride,
      from.stride,
      panels,
      finish,
      to.byteOffset + first * to.stride,
      to.stride,
      sumBytes,
      times,
      columns / PANEL_COLUMNS,
    );
  };
  run(blocksOf, 0, blocks);
  run(rowsOf, blocks * BLOCK_ROWS, count % BLOCK_ROWS);
}

function placeOf({ data, stride }: Rows | IntegerRows): Place {
  return { byteOffset: data.byteOffset, stride: stride * data.BYTES_PER_ELEMENT };
}
