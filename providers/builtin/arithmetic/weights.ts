/** Weights of layers, stored in the order in which products read them. */
import type { Allocator } from './allocator.ts';
import { PANEL_COLUMNS, UNROLLED } from './multiplyFunctions.ts';

/** A layer's weights, which compute `columns` numbers from `rows`. */
export interface Weights {
  rows: number;
  columns: number;
  /** The matrix in panels of eight columns: by panel, then by row. */
  panels: Float32Array;
  bias: Float32Array;
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

/** The length, as a vector, to which a column of integer weights is scaled. */
export const INTEGER_NORM = 32_000;

export interface WeightStore {
  /**
   * Stores a matrix given row by row.
   * @param bias one number for each column; zeros if absent
   * @throws RangeError unless rows are a multiple of four and columns a multiple of eight
   */
  keep(matrix: Float32Array, rows: number, columns: number, bias?: Float32Array): Weights;
  /**
   * Stores a matrix like `keep`, rounded to integers as large as `INTEGER_NORM` allows.
   */
  keepIntegers(matrix: Float32Array, rows: number, columns: number, bias: Float32Array): IntegerWeights;
}

export function createWeightStore({ take, takeIntegers }: Allocator): WeightStore {
  return {
    keep(matrix, rows, columns, bias) {
      checkPanels(matrix, { rows, columns }, UNROLLED);
      const kept = { rows, columns, panels: take(matrix.length), bias: take(columns) };
      fillPanels(kept, matrix);
      if (bias) kept.bias.set(bias);
      return kept;
    },
    keepIntegers(matrix, rows, columns, bias) {
      // Integers are multiplied in pairs, and `UNROLLED` pairs at a time.
      checkPanels(matrix, { rows, columns }, 2 * UNROLLED);
      const panels = takeIntegers(matrix.length);
      const units = fillIntegerPanels(panels, matrix, rows, columns);
      const finish = take(2 * columns);
      bias.forEach((value, column) => (finish[finishAt(column) + PANEL_COLUMNS] = value));
      return { rows, columns, panels, units, finish };
    },
  };
}

/** Returns the index in `finish` of a column's factor; the biases of its panel follow the factors of its panel. */
export function finishAt(column: number): number {
  return column - (column % PANEL_COLUMNS) + column;
}

/** @throws RangeError unless the matrix has that size, and fits its panels */
function checkPanels(
  { length }: Float32Array,
  { rows, columns }: { rows: number; columns: number },
  rowUnit: number,
): void {
  if (length !== rows * columns || rows % rowUnit !== 0 || columns % PANEL_COLUMNS !== 0)
    throw new RangeError(`a matrix of ${length} numbers cannot be ${rows} rows of ${columns}`);
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
