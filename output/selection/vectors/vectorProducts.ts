/**
 * Computes dot products of one vector with many by SIMD, sixteen numbers at a time: some ten times as fast as
 * JavaScript.
 */
import {
  growingInstanceOf,
  instanceOf,
  op,
  type Code,
  type GrowingInstance,
  type WasmFunction,
} from '../../../domain/wasm.ts';

/** The stride of vectors is a multiple of this many numbers. */
export const VECTOR_UNIT = 32;

const LANE_BYTES = 16;
const WIDE_BYTES = 2;
const SUM_BYTES = 4;
const PARAMETERS = { subject: 0, from: 1, end: 2, stride: 3, to: 4 } as const;

/**
 * The parameters are addresses, and `stride` is in bytes. The subject has 16-bit numbers and the length of a stride.
 */
type MultiplyRows = (subject: number, from: number, end: number, stride: number, to: number) => void;

/** Computes `to[row] = Σ subject[i] · from[row][i]` for each row up to `end`, as 32-bit numbers. */
function multiplyRows(): WasmFunction {
  const { subject, from, end, stride, to } = PARAMETERS;
  const integers = { own: 5, rowEnd: 6 };
  const vectors = { sums: 7, others: 8, row: 9 };
  const addHalf = (sums: number, widen: Code, offset: number): Code => [
    op.get(sums),
    op.get(vectors.row),
    widen,
    op.get(integers.own),
    op.load(offset),
    op.multiplyPairs,
    op.addIntegers,
    op.set(sums),
  ];
  const addLane = (lane: number): Code => [
    op.get(from),
    op.load(lane * LANE_BYTES),
    op.set(vectors.row),
    addHalf(vectors.sums, op.widenLow, 2 * lane * LANE_BYTES),
    addHalf(vectors.others, op.widenHigh, (2 * lane + 1) * LANE_BYTES),
  ];
  const lanes = Array.from({ length: VECTOR_UNIT / LANE_BYTES }, (_, lane) => addLane(lane));
  const clear = [op.i32(0), op.splat];
  const body = op.repeatWhile([
    [clear, op.tee(vectors.sums), op.set(vectors.others)],
    [op.get(subject), op.set(integers.own)],
    [op.get(from), op.get(stride), op.add, op.set(integers.rowEnd)],
    op.repeatWhile([
      lanes,
      op.advance(from, VECTOR_UNIT),
      op.advance(integers.own, VECTOR_UNIT * WIDE_BYTES),
      [op.get(from), op.get(integers.rowEnd), op.isLessUnsigned],
    ]),
    [op.get(vectors.sums), op.get(vectors.others), op.addIntegers, op.set(vectors.sums)],
    [op.get(to), op.sumOfIntegers(vectors.sums), op.storeInteger(0)],
    op.advance(to, SUM_BYTES),
    [op.get(from), op.get(end), op.isLessUnsigned],
  ]);
  return { name: 'multiplyRows', parameters: Object.keys(PARAMETERS).length, integers: 2, vectors: 3, body };
}

/** A block of rows stays in the processor's near caches between being copied and being multiplied. */
const BLOCK_BYTES = 256 * 1024;
const MAX_ROWS = BLOCK_BYTES / VECTOR_UNIT;
/** Maximum dimension of a vector. */
const MAX_NUMBERS = 32_768;

interface Buffers {
  multiplyRows: MultiplyRows;
  subject: Int16Array;
  sums: Int32Array;
  block: Int8Array;
}

let shared: Buffers | undefined;

/** Returns the shared WebAssembly instance, created on first use; products are computed one at a time. */
function buffersOf(): Buffers {
  if (shared) return shared;
  const blockAt = MAX_NUMBERS * WIDE_BYTES + MAX_ROWS * SUM_BYTES;
  const { memory, functions } = instanceOf([multiplyRows()], blockAt + BLOCK_BYTES);
  shared = {
    multiplyRows: (functions as { multiplyRows: MultiplyRows }).multiplyRows,
    subject: new Int16Array(memory, 0, MAX_NUMBERS),
    sums: new Int32Array(memory, MAX_NUMBERS * WIDE_BYTES, MAX_ROWS),
    block: new Int8Array(memory, blockAt, BLOCK_BYTES),
  };
  return shared;
}

/** Consecutive vectors, `stride` numbers apart, which is a multiple of {@link VECTOR_UNIT}. */
export interface VectorBlock {
  numbers: Int8Array;
  stride: number;
  count: number;
}

/** Vectors of such a block, by index. */
export type VectorRows = Omit<VectorBlock, 'count'> & { rows: Uint32Array };

/**
 * Calls `take` with the products of some vectors of a block and the index of the first of them, until all are done, in
 * order. Numbers of the block beyond the subject's length are ignored.
 * @throws {RangeError} for a subject that is longer than the stride, or an unsupported stride
 */
export function productsWith(subject: Int8Array, { numbers, stride, count }: VectorBlock, take: Take): void {
  multiply(subject, { stride, count }, take, (first, some, into) =>
    into.set(numbers.subarray(first * stride, (first + some) * stride)),
  );
}

/** Does the same for a few vectors, given by their indexes in `rows`. */
export function productsWithRows(subject: Int8Array, { numbers, stride, rows }: VectorRows, take: Take): void {
  multiply(subject, { stride, count: rows.length }, take, (first, some, into) => {
    for (let at = 0; at < some; at += 1) {
      const start = (rows[first + at] as number) * stride;
      into.set(numbers.subarray(start, start + stride), at * stride);
    }
  });
}

type Take = (first: number, products: Int32Array) => void;

/** @param copy copies a number of vectors into the block that is multiplied */
function multiply(
  subject: Int8Array,
  { stride, count }: Omit<VectorBlock, 'numbers'>,
  take: Take,
  copy: (first: number, some: number, into: Int8Array) => void,
): void {
  if (subject.length > stride || stride % VECTOR_UNIT !== 0 || stride > MAX_NUMBERS)
    throw new RangeError(`a vector of ${subject.length} numbers cannot be compared with rows of ${stride}`);
  const buffers = buffersOf();
  buffers.subject.fill(0, 0, stride).set(subject);
  const rows = Math.floor(BLOCK_BYTES / stride);
  for (let first = 0; first < count; first += rows) {
    const some = Math.min(rows, count - first);
    copy(first, some, buffers.block);
    const from = buffers.block.byteOffset;
    buffers.multiplyRows(buffers.subject.byteOffset, from, from + some * stride, stride, buffers.sums.byteOffset);
    take(first, buffers.sums.subarray(0, some));
  }
}

/** Shared memory for rows that are compared with each other, apart from the blocks of the other functions. */
let compared: GrowingInstance | undefined;

/**
 * Copies some vectors of a block, to multiply each of them with all of them: copying them again for each would take
 * longer than the products.
 * @returns a function that returns the products of a row, given by its index in `rows` and its length, with all rows.
 * They are valid until its next call, and the function until `productsAmong` is called again.
 */
export function productsAmong({ numbers, stride, rows }: VectorRows): (index: number, length: number) => Int32Array {
  const sumsAt = stride * WIDE_BYTES;
  const rowsAt = Math.ceil((sumsAt + rows.length * SUM_BYTES) / LANE_BYTES) * LANE_BYTES;
  const end = rowsAt + rows.length * stride;
  compared ??= growingInstanceOf([multiplyRows()], end);
  compared.grow(end);
  const { memory, functions } = compared;
  const subject = new Int16Array(memory, 0, stride);
  const sums = new Int32Array(memory, sumsAt, rows.length);
  const block = new Int8Array(memory, rowsAt, rows.length * stride);
  for (let at = 0; at < rows.length; at += 1) {
    const start = (rows[at] as number) * stride;
    block.set(numbers.subarray(start, start + stride), at * stride);
  }
  const { multiplyRows: multiplyAll } = functions as { multiplyRows: MultiplyRows };
  return (index, length) => {
    subject.fill(0).set(block.subarray(index * stride, index * stride + length));
    multiplyAll(0, rowsAt, end, stride, sumsAt);
    return sums;
  };
}
