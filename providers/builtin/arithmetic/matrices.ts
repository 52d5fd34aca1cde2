/** Matrices of 32-bit floats and 16-bit integers in a WebAssembly memory, and operations on them. */
import { instanceOf } from '../../../domain/wasm.ts';
import { convolveFunctions, type BoundRow, type ConvolveRow } from './convolveFunctions.ts';
import { BLOCK_ROWS, multiplyFunctions, PANEL_COLUMNS, UNROLLED, type Multiply } from './multiplyFunctions.ts';
import { ROW_UNIT, roundFunctions, rowFunctions, type RoundRow, type RowFunction } from './rowFunctions.ts';

const FLOAT_BYTES = 4;
const INTEGER_BYTES = 2;

/** A layer's weights, which compute `columns` numbers from `rows`. */
export interface Weights {
  rows: number;
  columns: number;
  /** The matrix in panels of eight columns: by panel, then by row. */
  panels: Float32Array;
  bias: Float32Array;
}

/** Rows that start `stride` floats apart, from the first number of `data`; they may overlap. */
export interface Rows {
  data: Float32Array;
  stride: number;
}

/** A layer's weights, rounded to integers. */
export interface IntegerWeights {
  rows: number;
  columns: number;
  /** The matrix in panels of eight columns: by panel, then by pair of rows, then by column. */
  panels: Int16Array;
  /** The number that an integer 1 stands for, in each column. */
  units: Float32Array;
  /** By panel: for each column the value of an integer 1 in the sums of the last product; then the biases. */
  finish: Float32Array;
}

/** Rows of integers that stand for multiples of `unit`. */
export interface IntegerRows {
  data: Int16Array;
  stride: number;
  unit: number;
}

/** Weights of 3 × 3 depthwise windows. */
export interface Windows {
  channels: number;
  /** Ordered by row of the window, column and channel. */
  weights: Float32Array;
  bias: Float32Array;
}

/** A picture stored row by row; each pixel has the numbers of all its channels. */
export interface Pixels {
  /** Starts at the first pixel that is read or written. */
  data: Float32Array;
  width: number;
}

export interface Matrices {
  /**
   * Allocates floats, all zero.
   * @throws RangeError if the memory is used up
   */
  take(count: number): Float32Array;
  /**
   * Stores a matrix given row by row.
   * @param bias one number for each column; zeros if absent
   * @throws RangeError unless rows are a multiple of four and columns a multiple of eight
   */
  keep(matrix: Float32Array, rows: number, columns: number, bias?: Float32Array): Weights;
  /**
   * Computes `to[i] = bias + from[i] · weights` for the first `count` rows; `from` and `to` are in this memory and do
   * not overlap.
   */
  multiply(from: Rows, weights: Weights, to: Rows, count: number): void;
  /**
   * Computes `to += from` for `length` numbers of this memory from the given places. The length is a multiple of 16.
   */
  add(to: Float32Array, toStart: number, from: Float32Array, fromStart: number, length: number): void;
  /** Like `add`, but treats negative numbers of `to` as zero. */
  rectify(to: Float32Array, toStart: number, from: Float32Array, fromStart: number, length: number): void;
  /** Allocates integers, all zero. @throws RangeError if the memory is used up */
  takeIntegers(count: number): Int16Array;
  /**
   * Stores a matrix like `keep`, rounded to integers as large as `INTEGER_NORM` allows.
   */
  keepIntegers(matrix: Float32Array, rows: number, columns: number, bias: Float32Array): IntegerWeights;
  /**
   * Rounds the first `length` numbers to multiples of `unit`, as integers. The length is a multiple of 16, and no
   * number is 32,767 units or more.
   */
  round(from: Float32Array, to: Int16Array, length: number, unit: number): void;
  /**
   * Does the same as `multiply` in half the time. No row of `from` may be longer than `INTEGER_NORM` as a vector; then
   * no sum exceeds 32 bits (by the inequality of Cauchy and Schwarz).
   */
  multiplyIntegers(from: IntegerRows, weights: IntegerWeights, to: Rows, count: number): void;
  /**
   * Stores the weights of windows.
   * @throws RangeError if the number of channels is not a multiple of four, or there are too few weights
   */
  keepWindows(weights: Float32Array, bias: Float32Array): Windows;
  /**
   * Computes one pixel of `to` from each 3 × 3 window of `from`, with numbers from 0 to 6: `to.width` × `height`
   * pixels.
   * @param stride pixels from one window to the next, in both directions
   */
  convolve(from: Pixels, windows: Windows, to: Pixels, size: { height: number; stride: number }): void;
  /** Bounds the first `length` numbers to 0 … 6. The length is a multiple of 16. */
  bound(data: Float32Array, length: number): void;
}

/** The length, as a vector, to which a column of integer weights is scaled. */
export const INTEGER_NORM = 32_000;

/** The upper bound of activations (ReLU6). */
const TOP = 6;

interface Exports {
  multiplyBlocks: Multiply;
  multiplyRows: Multiply;
  multiplyIntegerBlocks: Multiply;
  multiplyIntegerRows: Multiply;
  roundRow: RoundRow;
  addRow: RowFunction;
  rectifyRow: RowFunction;
  convolveRow: ConvolveRow;
  boundRow: BoundRow;
}

/** The bound is stored first, then the factor of `round`; what follows is aligned to the length of a vector. */
const TOP_BYTES = 16;

/** @param floats total number of floats in all matrices */
export function createMatrices(floats: number): Matrices {
  const all = [...multiplyFunctions(), ...rowFunctions(), ...roundFunctions(), ...convolveFunctions()];
  const { memory, functions } = instanceOf(all, floats * FLOAT_BYTES + TOP_BYTES);
  const { addRow, rectifyRow, roundRow, convolveRow, boundRow, ...products } = functions as Exports;
  const top = new Float32Array(memory, 0, 1).fill(TOP).byteOffset;
  let used = TOP_BYTES;

  const take = (count: number): Float32Array => {
    const part = new Float32Array(memory, used, count);
    used += count * FLOAT_BYTES;
    return part;
  };

  const takeIntegers = (count: number): Int16Array => {
    const part = take(Math.ceil(count / 2));
    return new Int16Array(memory, part.byteOffset, count);
  };
  const factor = new Float32Array(memory, FLOAT_BYTES, 1);

  interface Place {
    byteOffset: number;
    /** In bytes. */
    stride: number;
  }

  /** @param sumBytes length of a row in bytes */
  function multiplyAll(
    [blocksOf, rowsOf]: readonly [Multiply, Multiply],
    from: Place,
    { panels, finish, columns, sumBytes }: { panels: number; finish: number; columns: number; sumBytes: number },
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

  const placeOf = ({ data, stride }: Rows | IntegerRows): Place => ({
    byteOffset: data.byteOffset,
    stride: stride * data.BYTES_PER_ELEMENT,
  });

  const onRows =
    (run: RowFunction): Matrices['add'] =>
    (to, toStart, from, fromStart, length) => {
      if (length % ROW_UNIT !== 0) throw new RangeError(`a row of ${length} numbers cannot be added`);
      const start = to.byteOffset + toStart * FLOAT_BYTES;
      run(start, from.byteOffset + fromStart * FLOAT_BYTES, start + length * FLOAT_BYTES);
    };

  return {
    take,
    add: onRows(addRow),
    rectify: onRows(rectifyRow),
    keep(matrix, rows, columns, bias) {
      if (matrix.length !== rows * columns || rows % UNROLLED !== 0 || columns % PANEL_COLUMNS !== 0)
        throw new RangeError(`a matrix of ${matrix.length} numbers cannot be ${rows} rows of ${columns}`);
      const kept = { rows, columns, panels: take(matrix.length), bias: take(columns) };
      fillPanels(kept, matrix);
      if (bias) kept.bias.set(bias);
      return kept;
    },
    keepWindows(weights, bias) {
      const channels = bias.length;
      if (channels % 4 !== 0 || weights.length !== 9 * channels)
        throw new RangeError(`${weights.length} numbers cannot be windows of ${channels} channels`);
      const kept = { channels, weights: take(weights.length), bias: take(channels) };
      kept.weights.set(weights);
      kept.bias.set(bias);
      return kept;
    },
    convolve(from, { channels, weights, bias }, to, { height, stride }) {
      const pixel = channels * FLOAT_BYTES;
      for (let row = 0; row < height; row += 1)
        convolveRow(
          from.data.byteOffset + row * stride * from.width * pixel,
          stride * pixel,
          pixel,
          (from.width - 3) * pixel,
          weights.byteOffset,
          bias.byteOffset,
          to.data.byteOffset + row * to.width * pixel,
          top,
          to.width,
        );
    },
    bound(data, length) {
      if (length % ROW_UNIT !== 0) throw new RangeError(`a row of ${length} numbers cannot be bounded`);
      if (length > 0) boundRow(data.byteOffset, data.byteOffset + length * FLOAT_BYTES, top);
    },
    multiply(from, { panels, bias, rows, columns }, to, count) {
      const weights = { panels: panels.byteOffset, finish: bias.byteOffset, columns, sumBytes: rows * FLOAT_BYTES };
      multiplyAll([products.multiplyBlocks, products.multiplyRows], placeOf(from), weights, placeOf(to), count);
    },
    takeIntegers,
    keepIntegers(matrix, rows, columns, bias) {
      checkPanels(matrix, rows, columns);
      const panels = takeIntegers(matrix.length);
      const units = fillIntegerPanels(panels, matrix, rows, columns);
      const finish = take(2 * columns);
      bias.forEach((value, column) => (finish[finishAt(column) + PANEL_COLUMNS] = value));
      return { rows, columns, panels, units, finish };
    },
    round(from, to, length, unit) {
      if (length % ROW_UNIT !== 0) throw new RangeError(`a row of ${length} numbers cannot be rounded`);
      factor[0] = 1 / unit;
      if (length > 0)
        roundRow(to.byteOffset, from.byteOffset, from.byteOffset + length * FLOAT_BYTES, factor.byteOffset);
    },
    multiplyIntegers(from, { panels, units, finish, rows, columns }, to, count) {
      units.forEach((unit, column) => (finish[finishAt(column)] = unit * from.unit));
      const weights = {
        panels: panels.byteOffset,
        finish: finish.byteOffset,
        columns,
        sumBytes: rows * INTEGER_BYTES,
      };
      const functionsOf = [products.multiplyIntegerBlocks, products.multiplyIntegerRows] as const;
      multiplyAll(functionsOf, placeOf(from), weights, placeOf(to), count);
    },
  };
}

/** @throws RangeError unless the matrix has that size, and fits its panels */
function checkPanels(matrix: Float32Array, rows: number, columns: number): void {
  // Integers come in pairs, and as many steps are unrolled.
  if (matrix.length !== rows * columns || rows % (2 * UNROLLED) !== 0 || columns % PANEL_COLUMNS !== 0)
    throw new RangeError(`a matrix of ${matrix.length} numbers cannot be ${rows} rows of ${columns}`);
}

/** Returns the index in `finish` of a column's factor; the biases of its panel follow the factors of its panel. */
function finishAt(column: number): number {
  return column - (column % PANEL_COLUMNS) + column;
}

/** Rounds each column so that its length is `INTEGER_NORM`. Returns the value of an integer 1 in each column. */
function fillIntegerPanels(panels: Int16Array, matrix: Float32Array, rows: number, columns: number): Float32Array {
  return Float32Array.from({ length: columns }, (_, column) => {
    const valueAt = (row: number): number => matrix[row * columns + column] ?? 0;
    let squares = 0;
    for (let row = 0; row < rows; row += 1) squares += valueAt(row) ** 2;
    const unit = Math.sqrt(squares) / INTEGER_NORM || 1;
    const panel = column - (column % PANEL_COLUMNS);
    for (let row = 0; row < rows; row += 1) {
      const pair = (row - (row % 2)) * PANEL_COLUMNS;
      panels[panel * rows + pair + 2 * (column % PANEL_COLUMNS) + (row % 2)] = Math.round(valueAt(row) / unit);
    }
    return unit;
  });
}

function fillPanels({ rows, columns, panels }: Weights, matrix: Float32Array): void {
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const panel = column - (column % PANEL_COLUMNS);
      panels[panel * rows + row * PANEL_COLUMNS + (column % PANEL_COLUMNS)] = matrix[row * columns + column] ?? 0;
    }
  }
}
