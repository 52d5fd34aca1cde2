/**
 * WebAssembly functions with 128-bit SIMD that a small convolutional network needs besides matrix products:
 * 3 × 3 depthwise windows, and the bounds of an activation (see `multiplyFunctions.ts`).
 */
import { op, type Code, type WasmFunction } from '../../../domain/wasm.ts';

const VECTOR_BYTES = 16;
const SIDE = 3;

/**
 * Convolves one row of pixels: `out[x][c] = min(top, max(0, bias[c] + Σ in[y + i][x * step + j][c] *
 * weights[i][j][c]))`. Addresses and lengths are in bytes, `pixels` is a count of at least 1; the number of channels is
 * a multiple of four.
 */
export type ConvolveRow = (
  input: number,
  /** Distance between the windows of neighbouring pixels. */
  step: number,
  channels: number,
  /** Distance from the end of a window's row to the start of its next row. */
  rowSkip: number,
  weights: number,
  bias: number,
  out: number,
  top: number,
  pixels: number,
) => void;

/**
 * Computes `row = min(top, max(0, row))` between two addresses that are a multiple of 64 bytes apart; `top` is an
 * address.
 */
export type ClampRow = (start: number, end: number, top: number) => void;

/** Returns `convolveRow` and `boundRow`. */
export function convolveFunctions(): WasmFunction[] {
  return [convolveFunction(), boundFunction()];
}

function convolveFunction(): WasmFunction {
  const [input, step, channels, rowSkip, weights, bias, out, top, pixels] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const [inputAt, weightsAt, channel] = [9, 10, 11];
  const [sum, zero, most] = [12, 13, 14];
  const at = (start: number, offset: number): Code => [op.get(start), op.get(offset), op.add];
  const move = (address: number, bytes: number): Code => [...at(address, bytes), op.set(address)];
  const addProduct: Code = [
    op.get(inputAt),
    op.load(0),
    op.get(weightsAt),
    op.load(0),
    op.multiplyFloats,
    op.get(sum),
    op.addFloats,
    op.set(sum),
    move(inputAt, channels),
    move(weightsAt, channels),
  ];
  const windowRow: Code = [Array.from({ length: SIDE }, () => addProduct), move(inputAt, rowSkip)];
  const overChannels = op.repeatWhile([
    [...at(input, channel), op.set(inputAt)],
    [...at(weights, channel), op.set(weightsAt)],
    [...at(bias, channel), op.load(0), op.set(sum)],
    Array.from({ length: SIDE }, () => windowRow),
    [...at(out, channel), op.get(sum), bounded(zero, most), op.store(0)],
    op.advance(channel, VECTOR_BYTES),
    op.get(channel),
    op.get(channels),
    op.isLessUnsigned,
  ]);
  return {
    name: 'convolveRow',
    parameters: 9,
    integers: 3,
    vectors: 3,
    body: [
      [op.get(top), op.loadSplat(0), op.set(most)],
      op.repeatWhile([
        [op.i32(0), op.set(channel)],
        overChannels,
        move(input, step),
        move(out, channels),
        [op.get(pixels), op.i32(1), op.subtract, op.tee(pixels)],
      ]),
    ],
  };
}

function boundFunction(): WasmFunction {
  const [start, end, top] = [0, 1, 2];
  const [zero, most] = [3, 4];
  const vectors = [0, 1, 2, 3].map((index) => [
    op.get(start),
    op.get(start),
    op.load(index * VECTOR_BYTES),
    bounded(zero, most),
    op.store(index * VECTOR_BYTES),
  ]);
  const loop = op.repeatWhile([
    vectors,
    op.advance(start, 4 * VECTOR_BYTES),
    op.get(start),
    op.get(end),
    op.isLessUnsigned,
  ]);
  return {
    name: 'boundRow',
    parameters: 3,
    integers: 0,
    vectors: 2,
    body: [[op.get(top), op.loadSplat(0), op.set(most)], loop],
  };
}

/** Bounds the vector on the stack. A local is initially zero, and `zero` is never set. */
function bounded(zero: number, max: number): Code {
  return [op.get(zero), op.largerFloats, op.get(max), op.smallerFloats];
}
