/**
 * Layer normalisation as WebAssembly, in 64-bit floats: two numbers at a time, of 32-bit floats that are widened (see
 * `multiplyFunctions.ts`).
 */
import { op, type Code, type WasmFunction } from '../../../domain/wasm.ts';

const VECTOR_BYTES = 16;
/** Places of the mean and of the factor in the spread of a row, in bytes. */
const MEAN_AT = 0;
const FACTOR_AT = 8;

/**
 * Stores at `out` two 64-bit floats whose sum is that of the row, and two whose sum is that of its squares. All are
 * addresses; the row is a multiple of 16 bytes long.
 */
export type SumRow = (from: number, end: number, out: number) => void;

/** Computes `to += (from - mean) * factor`: `to` is in 64-bit floats; `spread` is the offset of mean and factor. */
export type AddNormalisedRow = (to: number, from: number, end: number, spread: number) => void;

/**
 * Computes `row = max(0, row) * factors + addends` in 64-bit floats, so that each number is rounded once; all
 * three have the same length, a multiple of 16 bytes.
 */
export type ScaleRow = (row: number, end: number, factors: number, addends: number) => void;

/** Returns `sumRow`, `addNormalisedRow` and `scaleRow`. */
export function normaliseFunctions(): WasmFunction[] {
  return [sumFunction(), addFunction(), scaleFunction()];
}

/** Pushes the first or the last two floats of the vector at an address, widened. */
const widened = (address: number, half: number): Code => [
  op.get(address),
  op.loadHalf(half * (VECTOR_BYTES / 2)),
  op.widenFloats,
];

function sumFunction(): WasmFunction {
  const [from, end, out] = [0, 1, 2];
  const sums = [3, 4];
  const squares = [5, 6];
  const values = 7;
  const addHalf = (half: number): Code => {
    const [sum = 0, square = 0] = [sums[half], squares[half]];
    return [
      widened(from, half),
      op.tee(values),
      op.get(sum),
      op.addDoubles,
      op.set(sum),
      op.get(values),
      op.get(values),
      op.multiplyDoubles,
      op.get(square),
      op.addDoubles,
      op.set(square),
    ];
  };
  const store = ([low = 0, high = 0]: readonly number[], offset: number): Code => [
    op.get(out),
    op.get(low),
    op.get(high),
    op.addDoubles,
    op.store(offset * VECTOR_BYTES),
  ];
  return {
    name: 'sumRow',
    parameters: 3,
    integers: 0,
    vectors: 5,
    body: [
      op.repeatWhile([
        addHalf(0),
        addHalf(1),
        op.advance(from, VECTOR_BYTES),
        op.get(from),
        op.get(end),
        op.isLessUnsigned,
      ]),
      store(sums, 0),
      store(squares, 1),
    ],
  };
}

function addFunction(): WasmFunction {
  const [to, from, end, spread, mean, factor] = [0, 1, 2, 3, 4, 5];
  const halves = [0, 1].map((half) => [
    op.get(to),
    widened(from, half),
    op.get(mean),
    op.subtractDoubles,
    op.get(factor),
    op.multiplyDoubles,
    op.get(to),
    op.load(half * VECTOR_BYTES),
    op.addDoubles,
    op.store(half * VECTOR_BYTES),
  ]);
  return {
    name: 'addNormalisedRow',
    parameters: 4,
    integers: 0,
    vectors: 2,
    body: [
      [op.get(spread), op.loadDoubleSplat(MEAN_AT), op.set(mean)],
      [op.get(spread), op.loadDoubleSplat(FACTOR_AT), op.set(factor)],
      op.repeatWhile([
        halves,
        op.advance(to, 2 * VECTOR_BYTES),
        op.advance(from, VECTOR_BYTES),
        op.get(from),
        op.get(end),
        op.isLessUnsigned,
      ]),
    ],
  };
}

function scaleFunction(): WasmFunction {
  const [row, end, factors, addends, zero] = [0, 1, 2, 3, 4];
  const scaled = (half: number): Code => [
    [op.get(row), op.loadHalf(half * (VECTOR_BYTES / 2))],
    // A local is initially zero, and this one is never set.
    [op.get(zero), op.largerFloats, op.widenFloats],
    [widened(factors, half), op.multiplyDoubles],
    [widened(addends, half), op.addDoubles],
    op.roundToFloats,
  ];
  const storeHalf = (half: number): Code => [op.get(row), scaled(half), op.storeHalf(half * (VECTOR_BYTES / 2))];
  return {
    name: 'scaleRow',
    parameters: 4,
    integers: 0,
    vectors: 1,
    body: op.repeatWhile([
      storeHalf(0),
      storeHalf(1),
      [row, factors, addends].map((address) => op.advance(address, VECTOR_BYTES)),
      op.get(row),
      op.get(end),
      op.isLessUnsigned,
    ]),
  };
}
