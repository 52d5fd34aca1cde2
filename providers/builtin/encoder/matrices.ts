/** Matrices of 32-bit floats in a memory of WebAssembly, and what is done with them there. */
import { instanceOf } from '../../../domain/wasm.ts';
import { BLOCK_ROWS, multiplyFunctions, PANEL_COLUMNS, UNROLLED, type Multiply } from './multiplyFunctions.ts';
import { ROW_UNIT, rowFunctions, type RowFunction } from './rowFunctions.ts';

const FLOAT_BYTES = 4;

/** A layer's weights: it makes `columns` numbers of `rows`. */
export interface Weights {
  rows: number;
  columns: number;
  /** The matrix in panels of eight columns: by panel, then by row. */
  panels: Float32Array;
  bias: Float32Array;
}

/** Rows that lie `stride` floats apart, beginning with the first number of `data`; they may overlap. */
export interface Rows {
  data: Float32Array;
  stride: number;
}

export interface Matrices {
  /** Room for so many floats, all zero. @throws RangeError when the memory is used up */
  take(count: number): Float32Array;
  /**
   * Keeps a matrix that lies row after row.
   * @param bias one number for each column; none: zeros
   * @throws RangeError when its size is none that can be multiplied: rows in fours, columns in eights
   */
  keep(matrix: Float32Array, rows: number, columns: number, bias?: Float32Array): Weights;
  /** `to[i] = bias + from[i] · weights` for the first `count` rows; `from` and `to` are of this memory and apart. */
  multiply(from: Rows, weights: Weights, to: Rows, count: number): void;
  /** `to += from`, for `length` numbers of this memory from the given places on. The length is a multiple of 16. */
  add(to: Float32Array, toStart: number, from: Float32Array, fromStart: number, length: number): void;
  /** As `add`, with negative numbers of `to` taken as zero. */
  rectify(to: Float32Array, toStart: number, from: Float32Array, fromStart: number, length: number): void;
}

interface Exports {
  multiplyBlocks: Multiply;
  multiplyRows: Multiply;
  addRow: RowFunction;
  rectifyRow: RowFunction;
}

/** @param floats how many numbers all matrices have together */
export function createMatrices(floats: number): Matrices {
  const { memory, functions } = instanceOf([...multiplyFunctions(), ...rowFunctions()], floats * FLOAT_BYTES);
  const { multiplyBlocks, multiplyRows, addRow, rectifyRow } = functions as Exports;
  let used = 0;

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
