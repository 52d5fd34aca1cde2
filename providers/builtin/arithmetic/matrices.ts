/** Matrices of 32-bit floats in a WebAssembly memory, and operations on them. */
import { instanceOf } from '../../../domain/wasm.ts';
import { convolveFunctions, type BoundRow, type ConvolveRow } from './convolveFunctions.ts';
import { BLOCK_ROWS, multiplyFunctions, PANEL_COLUMNS, UNROLLED, type Multiply } from './multiplyFunctions.ts';
import { ROW_UNIT, rowFunctions, type RowFunction } from './rowFunctions.ts';

const FLOAT_BYTES = 4;

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

/** The upper bound of activations (ReLU6). */
const TOP = 6;

interface Exports {
  multiplyBlocks: Multiply;
  multiplyRows: Multiply;
  addRow: RowFunction;
  rectifyRow: RowFunction;
  convolveRow: ConvolveRow;
  boundRow: BoundRow;
}

/** The bound is stored first; what follows is aligned to the length of a vector. */
const TOP_BYTES = 16;

/** @param floats total number of floats in all matrices */
export function createMatrices(floats: number): Matrices {
  const all = [...multiplyFunctions(), ...rowFunctions(), ...convolveFunctions()];
  const { memory, functions } = instanceOf(all, floats * FLOAT_BYTES + TOP_BYTES);
  const { multiplyBlocks, multiplyRows, addRow, rectifyRow, convolveRow, boundRow } = functions as Exports;
  const top = new Float32Array(memory, 0, 1).fill(TOP).byteOffset;
  let used = TOP_BYTES;

  const take = (count: number): Float32Array => {
    const part = new Float32Array(memory, used, count);
    used += count * FLOAT_BYTES;
    return part;
  };

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
    multiply(from, weights, to, count) {
      const blocks = Math.floor(count / BLOCK_ROWS);
      const run = (multiply: Multiply, first: number, times: number): void => {
        if (times === 0) return;
        multiply(
          from.data.byteOffset + first * from.stride * FLOAT_BYTES,
          from.stride * FLOAT_BYTES,
          weights.panels.byteOffset,
          weights.bias.byteOffset,
          to.data.byteOffset + first * to.stride * FLOAT_BYTES,
          to.stride * FLOAT_BYTES,
          weights.rows * FLOAT_BYTES,
          times,
          weights.columns / PANEL_COLUMNS,
        );
      };
      run(multiplyBlocks, 0, blocks);
      run(multiplyRows, blocks * BLOCK_ROWS, count % BLOCK_ROWS);
    },
  };
}

function fillPanels({ rows, columns, panels }: Weights, matrix: Float32Array): void {
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const panel = column - (column % PANEL_COLUMNS);
      panels[panel * rows + row * PANEL_COLUMNS + (column % PANEL_COLUMNS)] = matrix[row * columns + column] ?? 0;
    }
  }
}
