/** Products of rows with the weights of a layer. */
import { FLOAT_BYTES, INTEGER_BYTES } from './elementSizes.ts';
import { BLOCK_ROWS, PANEL_COLUMNS, ROW_PANELS, type Multiply } from './multiplyFunctions.ts';
import { finishAt, type IntegerWeights, type Weights } from './weights.ts';

/** Rows that start `stride` floats apart, from the first number of `data`; they may overlap. */
export interface Rows {
  data: Float32Array;
  stride: number;
}

/** Rows of integers that stand for multiples of `scale`. */
export interface IntegerRows {
  data: Int16Array;
  stride: number;
  scale: number;
}

export interface Products {
  /**
   * Computes `to[i] = bias + from[i] · weights` for the first `count` rows; `from` and `to` are in this memory and do
   * not overlap.
   */
  multiply(from: Rows, weights: Weights, to: Rows, count: number): void;
  /**
   * Does the same as `multiply` in half the time. No row of `from` may be longer than `INTEGER_NORM` as a vector; then
   * no sum exceeds 32 bits (by the Cauchy–Schwarz inequality).
   */
  multiplyIntegers(from: IntegerRows, weights: IntegerWeights, to: Rows, count: number): void;
}

/** The compiled functions, for whole blocks of rows, and for single rows with four panels or one. */
export interface ProductFunctions {
  multiplyBlocks: Multiply;
  multiplyPanels: Multiply;
  multiplyRows: Multiply;
  multiplyIntegerBlocks: Multiply;
  multiplyIntegerPanels: Multiply;
  multiplyIntegerRows: Multiply;
}

export function createProducts(functions: ProductFunctions): Products {
  const floats = {
    blocks: functions.multiplyBlocks,
    panels: functions.multiplyPanels,
    rows: functions.multiplyRows,
    finishBytes: PANEL_COLUMNS * FLOAT_BYTES,
  };
  const integers = {
    blocks: functions.multiplyIntegerBlocks,
    panels: functions.multiplyIntegerPanels,
    rows: functions.multiplyIntegerRows,
    finishBytes: 2 * PANEL_COLUMNS * FLOAT_BYTES,
  };
  return {
    multiply(from, { panels, bias, rows, columns }, to, count) {
      const weights = { panels: panels.byteOffset, finish: bias.byteOffset, columns, sumBytes: rows * FLOAT_BYTES };
      multiplyAll(floats, addressOf(from), weights, addressOf(to), count);
    },
    multiplyIntegers(from, { panels, units, finish, rows, columns }, to, count) {
      units.forEach((unit, column) => (finish[finishAt(column)] = unit * from.scale));
      const addresses = { panels: panels.byteOffset, finish: finish.byteOffset };
      const weights = { ...addresses, columns, sumBytes: rows * INTEGER_BYTES };
      multiplyAll(integers, addressOf(from), weights, addressOf(to), count);
    },
  };
}

interface Address {
  byteOffset: number;
  /** In bytes. */
  stride: number;
}

interface WeightAddresses {
  panels: number;
  finish: number;
  columns: number;
  /** Length of a row in bytes. */
  sumBytes: number;
}

/** The functions for one type of number. */
interface Kind {
  blocks: Multiply;
  panels: Multiply;
  rows: Multiply;
  /** Bytes of a panel's part of `finish`. */
  finishBytes: number;
}

function multiplyAll(kind: Kind, from: Address, weights: WeightAddresses, to: Address, count: number): void {
  const { sumBytes, columns } = weights;
  const panels = columns / PANEL_COLUMNS;
  const rest = count % BLOCK_ROWS;
  const grouped = panels - (panels % ROW_PANELS);
  const run = (multiply: Multiply, rows: { first: number; times: number }, group: { first: number; times: number }) => {
    if (rows.times === 0 || group.times === 0) return;
    multiply(
      from.byteOffset + rows.first * from.stride,
      from.stride,
      weights.panels + group.first * PANEL_COLUMNS * sumBytes,
      weights.finish + group.first * kind.finishBytes,
      to.byteOffset + rows.first * to.stride + group.first * PANEL_COLUMNS * FLOAT_BYTES,
      to.stride,
      sumBytes,
      rows.times,
      group.times,
    );
  };
  run(kind.blocks, { first: 0, times: Math.floor(count / BLOCK_ROWS) }, { first: 0, times: panels });
  const last = { first: count - rest, times: rest };
  run(kind.panels, last, { first: 0, times: grouped / ROW_PANELS });
  run(kind.rows, last, { first: grouped, times: panels - grouped });
}

function addressOf({ data, stride }: Rows | IntegerRows): Address {
  return { byteOffset: data.byteOffset, stride: stride * data.BYTES_PER_ELEMENT };
}
