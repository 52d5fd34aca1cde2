/**
 * The matrix product as WebAssembly with 128-bit SIMD, which Node compiles to machine code: about 50 times as fast as
 * the same loops in JavaScript. It is assembled here byte by byte, because the service runs without a build step.
 *
 * `c[row][8 * panel + i] = bias[8 * panel + i] + Σ a[row][k] * b[panel][k][i]`, in 32-bit floats. The matrix `b` is
 * stored in panels of eight columns (see `matrices.ts`), so that one panel stays in the L1 cache while all rows of `a`
 * are processed. Products and sums are rounded separately, so every machine computes the same bits.
 *
 * The same loops multiply integers of 16 bits, two by two, which takes half the time: `c` is then the sum times a
 * factor of its column, plus the bias. Each of `a` and `b` then has two numbers where it had one: those of two
 * successive `k`.
 */
import { op, type Code, type WasmFunction } from '../../../domain/wasm.ts';

/** Columns of a panel. */
export const PANEL_COLUMNS = 8;
/** Rows of `a` processed together: with two vectors of sums for each they fill the 16 registers of x64. */
export const BLOCK_ROWS = 4;
/** The length of the sum is a multiple of it. */
export const UNROLLED = 4;

const FLOAT_BYTES = 4;
const VECTOR_BYTES = 16;
const VECTORS = (PANEL_COLUMNS * FLOAT_BYTES) / VECTOR_BYTES;

/**
 * Parameters of both functions: addresses and lengths in bytes, except the last two, which are counts of at least 1.
 * `blocks` counts blocks of four rows for `multiplyBlocks` and rows for `multiplyRows`.
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
  /** Pushes the initial sum, given the address of the bias. */
  start: (bias: number, vector: number) => Code;
  /** Converts the sum on the stack to the result. */
  finish: (bias: number, vector: number) => Code;
}

const FLOATS: Arithmetic = {
  biasBytes: PANEL_BYTES,
  multiply: op.multiplyFloats,
  add: op.addFloats,
  start: (bias, vector) => [op.get(bias), op.load(vector * VECTOR_BYTES)],
  finish: () => [],
};

const INTEGERS: Arithmetic = {
  biasBytes: 2 * PANEL_BYTES,
  multiply: op.multiplyPairs,
  add: op.addIntegers,
  start: () => [op.i32(0), op.splat],
  finish: (bias, vector) => [
    op.toFloats,
    op.get(bias),
    op.load(vector * VECTOR_BYTES),
    op.multiplyFloats,
    op.get(bias),
    op.load(PANEL_BYTES + vector * VECTOR_BYTES),
    op.addFloats,
  ],
};

/** Returns `multiplyBlocks` and `multiplyRows` for floats, and the same for integers, each a `Multiply`. */
export function multiplyFunctions(): WasmFunction[] {
  return [
    multiplyFunction('multiplyBlocks', BLOCK_ROWS, FLOATS),
    multiplyFunction('multiplyRows', 1, FLOATS),
    multiplyFunction('multiplyIntegerBlocks', BLOCK_ROWS, INTEGERS),
    multiplyFunction('multiplyIntegerRows', 1, INTEGERS),
  ];
}

/** Returns the locals of the function, numbered in the order of this list; the first nine are its parameters. */
function localsFor(rows: number) {
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
    bAt: one(),
    cRow: one(),
    blocksLeft: one(),
  };
  const integerCount = next - PARAMETERS;
  const vectors = { sums: Array.from({ length: rows }, () => some(VECTORS)), columns: some(VECTORS), factor: one() };
  return { ...parameters, ...integers, ...vectors, integerCount, vectorCount: next - PARAMETERS - integerCount };
}

type Locals = ReturnType<typeof localsFor>;

function multiplyFunction(name: string, rows: number, arithmetic: Arithmetic): WasmFunction {
  const locals = localsFor(rows);
  return {
    name,
    parameters: PARAMETERS,
    integers: locals.integerCount,
    vectors: locals.vectorCount,
    body: overPanels(
      locals,
      arithmetic,
      overBlocks(locals, rows, [
        startBlock(locals, arithmetic),
        overSum(locals, arithmetic),
        storeBlock(locals, arithmetic),
      ]),
    ),
  };
}

/** Loops over the panels: each has its columns of `b`, of the bias and of `c`, and all rows of `a`. */
function overPanels(locals: Locals, { biasBytes }: Arithmetic, body: Code): Code {
  const { b, bias, c, sumBytes, panels } = locals;
  return op.repeatWhile([
    body,
    op.get(b),
    op.get(sumBytes),
    op.i32(PANEL_COLUMNS),
    op.multiply,
    op.add,
    op.set(b),
    op.advance(bias, biasBytes),
    op.advance(c, PANEL_BYTES),
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
  { aBlock, aStride, aRows, aEnd, sumBytes, b, bAt, bias, sums }: Locals,
  { start }: Arithmetic,
): Code {
  return [
    copy(b, bAt),
    op.get(aBlock),
    op.get(sumBytes),
    op.add,
    op.set(aEnd),
    aRows.map((row, index) =>
      index === 0 ? copy(aBlock, row) : [op.get(aRows[index - 1] ?? 0), op.get(aStride), op.add, op.set(row)],
    ),
    sums.map((ofRow) => ofRow.map((sum, index) => [start(bias, index), op.set(sum)])),
  ];
}

function overSum(locals: Locals, arithmetic: Arithmetic): Code {
  const { aRows, aEnd, bAt } = locals;
  return op.repeatWhile([
    Array.from({ length: UNROLLED }, (_, step) => addProducts(locals, arithmetic, step)),
    op.advance(bAt, UNROLLED * VECTORS * VECTOR_BYTES),
    aRows.map((row) => op.advance(row, UNROLLED * FLOAT_BYTES)),
    op.get(aRows[0] ?? 0),
    op.get(aEnd),
    op.isLessUnsigned,
  ]);
}

function addProducts({ aRows, bAt, columns, factor, sums }: Locals, { multiply, add }: Arithmetic, step: number): Code {
  const readColumns = columns.map((column, index) => [
    op.get(bAt),
    op.load((step * VECTORS + index) * VECTOR_BYTES),
    op.set(column),
  ]);
  const ofRows = aRows.map((row, index) => [
    op.get(row),
    op.loadSplat(step * FLOAT_BYTES),
    op.set(factor),
    (sums[index] ?? []).map((sum, vector) => [
      op.get(factor),
      op.get(columns[vector] ?? 0),
      multiply,
      op.get(sum),
      add,
      op.set(sum),
    ]),
  ]);
  return [readColumns, ofRows];
}

function storeBlock({ cRow, cStride, bias, sums }: Locals, { finish }: Arithmetic): Code {
  return sums.map((ofRow) => [
    ofRow.map((sum, index) => [op.get(cRow), op.get(sum), finish(bias, index), op.store(index * VECTOR_BYTES)]),
    op.get(cRow),
    op.get(cStride),
    op.add,
    op.set(cRow),
  ]);
}

const copy = (from: number, to: number): Code => [op.get(from), op.set(to)];
const countDown = (local: number): Code => [op.get(local), op.i32(1), op.subtract, op.tee(local)];
