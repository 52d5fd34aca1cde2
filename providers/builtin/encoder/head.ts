/** The last layers of the encoder: from the sum of a text's pieces to its vector. */
import { EPSILON } from './layerNorm.ts';
import type { Matrices } from '../arithmetic/matrices.ts';
import type { Rows } from '../arithmetic/weightProducts.ts';
import type { Weights } from '../arithmetic/weights.ts';
import type { Npz } from './npz.ts';

/** Numbers of a piece before summation: its embedding and the outputs of three branches. */
export const FEATURES = 1_280;
/** Numbers of a vector. */
export const DIMENSION = 512;

const NARROW = 320;

/**
 * Returns the vector.
 * @param sums of the normalised features of a text's `pieces`
 */
export type Head = (sums: Float64Array, pieces: number) => Float32Array;

/** @throws RangeError if an array of the weights is missing or has the wrong size */
export function createHead(npz: Npz, matrices: Matrices): Head {
  const { combine, narrow, skip, deepen, widen, skipToEnd, finish } = readLayers(npz, matrices);
  const apply = applyWith(matrices);

  return (sums, pieces) => {
    // The layer is applied to the mean instead of the sum, since the sum would add the bias once for each piece. The
    // square root is part of the model: the sum grows with the text, but more slowly.
    const mean = Float32Array.from(sums, (sum) => sum / pieces);
    const text = apply(combine, mean).map((value) => value * Math.sqrt(pieces));
    const narrowed = relu(apply(narrow, text));
    const deepened = relu(sum(apply(skip, text), apply(deepen, narrowed)));
    const widened = relu(apply(widen, deepened));
    return unit(sum(apply(skipToEnd, deepened), apply(finish, widened)).map(Math.tanh));
  };
}

/** Separate from `createHead`, so that its result does not retain the whole file. */
function readLayers(npz: Npz, matrices: Matrices) {
  const layer = (name: string, rows: number, columns: number, bias?: string): Weights =>
    matrices.keep(npz.floats(name), rows, columns, bias === undefined ? undefined : npz.floats(bias));
  return {
    combine: layer('cnn_W', FEATURES, DIMENSION, 'cnn_b'),
    narrow: layer('d0', DIMENSION, NARROW),
    skip: layer('p1', DIMENSION, NARROW),
    deepen: layer('d1', NARROW, NARROW),
    widen: layer('d2', NARROW, DIMENSION),
    skipToEnd: layer('p3', NARROW, DIMENSION),
    finish: layer('d3', DIMENSION, DIMENSION),
  };
}

/** Returns a function that passes one row through a layer, to and from the memory of the matrices. */
function applyWith(matrices: Matrices): (layer: Weights, row: Float32Array) => Float32Array {
  const from = matrices.take(FEATURES);
  const to = matrices.take(DIMENSION);
  const rowsOf = (data: Float32Array): Rows => ({ data, stride: data.length });
  return (layer, row) => {
    from.set(row);
    matrices.multiply(rowsOf(from), layer, rowsOf(to), 1);
    return to.slice(0, layer.columns);
  };
}

const relu = (values: Float32Array): Float32Array => values.map((value) => Math.max(0, value));
const sum = (a: Float32Array, b: Float32Array): Float32Array => a.map((value, at) => value + (b[at] ?? 0));

function unit(values: Float32Array): Float32Array {
  const squares = values.reduce((total, value) => total + value * value, 0);
  const length = Math.sqrt(Math.max(squares, EPSILON));
  return values.map((value) => value / length);
}
