/**
 * The matrix product as WebAssembly with 128-bit SIMD, which Node compiles to machine code: about 50 times as fast as
 * the same loops in JavaScript. It is assembled here byte by byte, because the service runs without a build step.
 *
 * `c[row][8 * panel + i] = bias[8 * panel + i] + Σ a[row][k] * b[panel][k][i]`, in 32-bit floats. The matrix `b` is
 * stored in panels of eight columns (see `matrices.ts`), so that one panel stays in the L1 cache while all rows of `a`
 * are processed. Products and sums are rounded separately, so every machine computes the same bits.
 *
 * The same loops multiply 16-bit integers in pairs, which takes half the time. Where `a` and `b` have one float, they
 * then have a pair of integers, those of two successive `k`; `c` is the sum times a factor of its column, plus the
 * bias.
 */
import { op, type Code, type WasmFunction } from '../../../domain/wasm.ts';

/** Columns of a panel. */
export const PANEL_COLUMNS = 8;
/**
 * Number of panels that a single row is multiplied by at a time: with the two sums of one panel, each addition would
 * wait for the one before.
 */
export const ROW_PANELS = 4;
/**
 * Rows of `a` processed together: two vectors of sums for each, with the operands, fit into the 16 registers of x64.
 */
export const BLOCK_ROWS = 4;
/** The loop over `k` takes this many steps at a time, so their number is a multiple of it. */
export const UNROLLED = 4;

const FLOAT_BYTES = 4;
const VECTOR_BYTES = 16;
const VECTORS = (PANEL_COLUMNS * FLOAT_BYTES) / VECTOR_BYTES;

/**
 * Parameters of all functions: addresses and lengths in bytes, except the last two, which are counts of at least 1.
 * `blocks` counts blocks of four rows for `multiplyBlocks` and rows for the others; `panels` counts groups of four
 * panels for `multiplyPanels`.
 */
export type Multiply = (
  a: number,
  aStride: number,
  b: number,
  bias: number,
  c: number,
  cStride: number,
  sumBytes: number,
  blocks: number,
  panels: number,
) => void;

const PARAMETERS = 9;
const PANEL_BYTES = PANEL_COLUMNS * FLOAT_BYTES;

/** The operations in which floats and integers differ. */
interface Arithmetic {
  /** Bytes of each panel's biases; for integers, the factors of its columns precede them. */
  biasBytes: number;
  /** The instructions that multiply two vectors and add two vectors. */
  multiply: Code;
  add: Code;
  /**
   * Pushes the initial sum of a vector, given the address of the biases and the offset of the vector's own among them.
   */
  start: (bias: number, offset: number) => Code;
  /** Converts the sum on the stack to the result. */
  finish: (bias: number, offset: number) => Code;
}

const FLOATS: Arithmetic = {
  biasBytes: PANEL_BYTES,
  multiply: op.multiplyFloats,
  add: op.addFloats,
  start: (bias, offset) => [op.get(bias), op.load(offset)],
  finish: () => [],
};

const INTEGERS: Arithmetic = {
  biasBytes: 2 * PANEL_BYTES,
  multiply: op.multiplyPairs,
  add: op.addIntegers,
  start: () => [op.i32(0), op.splat],
  finish: (bias, offset) => [
    op.toFloats,
    op.get(bias),
    op.load(offset),
    op.multiplyFloats,
    op.get(bias),
    op.load(PANEL_BYTES + offset),
    op.addFloats,
  ],
};

/**
 * Returns `multiplyBlocks`, `multiplyPanels` and `multiplyRows` for floats, and the same for integers, each a
 * `Multiply`.
 */
export function multiplyFunctions(): WasmFunction[] {
  return [
    multiplyFunction('multiplyBlocks', { rows: BLOCK_ROWS, panels: 1 }, FLOATS),
    multiplyFunction('multiplyPanels', { rows: 1, panels: ROW_PANELS }, FLOATS),
    multiplyFunction('multiplyRows', { rows: 1, panels: 1 }, FLOATS),
    multiplyFunction('multiplyIntegerBlocks', { rows: BLOCK_ROWS, panels: 1 }, INTEGERS),
    multiplyFunction('multiplyIntegerPanels', { rows: 1, panels: ROW_PANELS }, INTEGERS),
    multiplyFunction('multiplyIntegerRows', { rows: 1, panels: 1 }, INTEGERS),
  ];
}

/** How many rows of `a` and panels of `b` are processed together. */
interface Together {
  rows: number;
  panels: number;
}

/** Returns the locals of the function, numbered in the order of this list; the first nine are its parameters. */
function localsFor({ rows, panels }: Together) {
  let next = 0;
  const one = (): number => next++;
  const some = (count: number): number[] => Array.from({ length: count }, one);
  const parameters = {
    a: one(),
    aStride: one(),
    b: one(),
    bias: one(),
    c: one(),
    cStride: one(),
    sumBytes: one(),
    blocks: one(),
    panels: one(),
  };
  const integers = {
    /** The current address in each row of the block. */
    aRows: some(rows),
    /** The address after the last number of the block's first row. */
    aEnd: one(),
    aBlock: one(),
    /** The current address in each panel. */
    bPanels: some(panels),
    cRow: one(),
    blocksLeft: one(),
  };
  const integerCount = next - PARAMETERS;
  const vectors = {
    /** By row, then by panel. */
    sums: Array.from({ length: rows }, () => Array.from({ length: panels }, () => some(VECTORS))),
    columns: some(VECTORS),
    factor: one(),
  };
  return { ...parameters, ...integers, ...vectors, integerCount, vectorCount: next - PARAMETERS - integerCount };
}

type Locals = ReturnType<typeof localsFor>;

function multiplyFunction(name: string, together: Together, arithmetic: Arithmetic): WasmFunction {
  const locals = localsFor(together);
  return {
    name,
    parameters: PARAMETERS,
    integers: locals.integerCount,
    vectors: locals.vectorCount,
    body: overPanels(
      locals,
      arithmetic,
      overBlocks(locals, together.rows, [
        startBlock(locals, arithmetic),
        overSum(locals, arithmetic),
        storeBlock(locals, arithmetic),
      ]),
    ),
  };
}

/** Loops over the panels: each has its columns of `b`, of the bias and of `c`, and all rows of `a`. */
function overPanels(locals: Locals, { biasBytes }: Arithmetic, body: Code): Code {
  const { b, bias, c, sumBytes, panels, bPanels } = locals;
  const together = bPanels.length;
  return op.repeatWhile([
    body,
    op.get(b),
    op.get(sumBytes),
    op.i32(PANEL_COLUMNS * together),
    op.multiply,
    op.add,
    op.set(b),
    op.advance(bias, biasBytes * together),
    op.advance(c, PANEL_BYTES * together),
    countDown(panels),
  ]);
}

function overBlocks(locals: Locals, rows: number, body: Code): Code {
  const { a, aStride, aBlock, c, cRow, blocks, blocksLeft } = locals;
  return [
    copy(a, aBlock),
    copy(c, cRow),
    copy(blocks, blocksLeft),
    op.repeatWhile([
      body,
      op.get(aBlock),
      op.get(aStride),
      op.i32(rows),
      op.multiply,
      op.add,
      op.set(aBlock),
      countDown(blocksLeft),
    ]),
  ];
}

/** Initialises the sums: with the bias, or with zero. */
function startBlock(
  { aBlock, aStride, aRows, aEnd, sumBytes, b, bPanels, bias, sums }: Locals,
  { start, biasBytes }: Arithmetic,
): Code {
  return [
    bPanels.map((panel, index) =>
      index === 0
        ? copy(b, panel)
        : [
            op.get(bPanels[index - 1] ?? 0),
            op.get(sumBytes),
            op.i32(PANEL_COLUMNS),
            op.multiply,
            op.add,
            op.set(panel),
          ],
    ),
    op.get(aBlock),
    op.get(sumBytes),
    op.add,
    op.set(aEnd),
    aRows.map((row, index) =>
      index === 0 ? copy(aBlock, row) : [op.get(aRows[index - 1] ?? 0), op.get(aStride), op.add, op.set(row)],
    ),
    sums.map((ofRow) =>
      ofRow.map((ofPanel, panel) =>
        ofPanel.map((sum, vector) => [start(bias, panel * biasBytes + vector * VECTOR_BYTES), op.set(sum)]),
      ),
    ),
  ];
}

function overSum(locals: Locals, arithmetic: Arithmetic): Code {
  const { aRows, aEnd, bPanels } = locals;
  return op.repeatWhile([
    Array.from({ length: UNROLLED }, (_, step) => addProducts(locals, arithmetic, step)),
    bPanels.map((panel) => op.advance(panel, UNROLLED * VECTORS * VECTOR_BYTES)),
    aRows.map((row) => op.advance(row, UNROLLED * FLOAT_BYTES)),
    op.get(aRows[0] ?? 0),
    op.get(aEnd),
    op.isLessUnsigned,
  ]);
}

/** Adds the products of one number of each row, or of two integers, to the sums of all panels. */
function addProducts(
  { aRows, bPanels, columns, factor, sums }: Locals,
  { multiply, add }: Arithmetic,
  step: number,
): Code {
  const readColumns = (panel: number): Code =>
    columns.map((column, index) => [op.get(panel), op.load((step * VECTORS + index) * VECTOR_BYTES), op.set(column)]);
  const ofRow = (row: number, sumsOfPanel: readonly number[]): Code => [
    op.get(row),
    op.loadSplat(step * FLOAT_BYTES),
    op.set(factor),
    sumsOfPanel.map((sum, vector) => [
      op.get(factor),
      op.get(columns[vector] ?? 0),
      multiply,
      op.get(sum),
      add,
      op.set(sum),
    ]),
  ];
  return bPanels.map((panel, index) => [
    readColumns(panel),
    aRows.map((row, at) => ofRow(row, sums[at]?.[index] ?? [])),
  ]);
}

function storeBlock({ cRow, cStride, bias, sums }: Locals, { finish, biasBytes }: Arithmetic): Code {
  const storePanel = (ofPanel: readonly number[], panel: number): Code =>
    ofPanel.map((sum, vector) => {
      const offset = vector * VECTOR_BYTES;
      return [
        op.get(cRow),
        op.get(sum),
        finish(bias, panel * biasBytes + offset),
        op.store(panel * PANEL_BYTES + offset),
      ];
    });
  return sums.map((ofRow) => [ofRow.map(storePanel), op.get(cRow), op.get(cStride), op.add, op.set(cRow)]);
}

const copy = (from: number, to: number): Code => [op.get(from), op.set(to)];
const countDown = (local: number): Code => [op.get(local), op.i32(1), op.subtract, op.tee(local)];
