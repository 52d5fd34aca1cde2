/** One-dimensional convolution layers over the words of a text, used by the networks of both languages. */
import type { Matrices } from '../../arithmetic/matrices.ts';
import type { IntegerWeights, Weights } from '../../arithmetic/weights.ts';

/** A row of numbers for each word of a text, with a row of zeros before and after. */
export interface Activations {
  data: Float32Array;
  /** Distance between rows: the width, rounded up to a size that can be multiplied. */
  stride: number;
}

/** Rows are multiplied four numbers at a time. */
const ROW_UNIT = 4;
export const COLUMN_UNIT = 8;
/** A window has a word and its neighbours on either side. */
export const WINDOW = 3;

export function roundedUp(width: number, unit: number = ROW_UNIT): number {
  return Math.ceil(width / unit) * unit;
}

/** Allocates space for `maxRows` words and the two rows around them. */
export function takeLayer(matrices: Matrices, width: number, maxRows: number): Activations {
  const stride = roundedUp(width, COLUMN_UNIT);
  return { data: matrices.take((maxRows + 2) * stride), stride };
}

/** The sizes of a layer, whose inputs are rows that are `stride` numbers apart, and its biases. */
interface LayerSpec {
  outputs: number;
  inputs: number;
  stride: number;
  bias: Float32Array;
}

/** Returns the weight of an output, an input, and a place in the window (0 to 2). */
type WindowWeight = (output: number, input: number, place: number) => number;

/** Stores the weights of a window of three words. */
export function keepWindow(matrices: Matrices, form: LayerSpec, weightOf: WindowWeight): Weights {
  const { matrix, rows, columns, bias } = windowMatrix(form, weightOf);
  return matrices.keep(matrix, rows, columns, bias);
}

/** Stores the weights of a window of three words, for rows that are rounded to integers. */
export function keepIntegerWindow(matrices: Matrices, form: LayerSpec, weightOf: WindowWeight): IntegerWeights {
  const { matrix, rows, columns, bias } = windowMatrix(form, weightOf);
  return matrices.keepIntegers(matrix, rows, columns, bias);
}

function windowMatrix({ outputs, inputs, stride, bias }: LayerSpec, weightOf: WindowWeight) {
  const columns = roundedUp(outputs, COLUMN_UNIT);
  const matrix = new Float32Array(WINDOW * stride * columns);
  for (let place = 0; place < WINDOW; place += 1)
    for (let input = 0; input < inputs; input += 1)
      for (let output = 0; output < outputs; output += 1)
        matrix[(place * stride + input) * columns + output] = weightOf(output, input, place);
  return { matrix, rows: WINDOW * stride, columns, bias: padded(bias, columns) };
}

/** Stores the weights of a layer over single words. */
export function keepSingle(
  matrices: Matrices,
  { outputs, inputs, stride, bias }: LayerSpec,
  weightOf: (output: number, input: number) => number,
): Weights {
  const columns = roundedUp(outputs, COLUMN_UNIT);
  const matrix = new Float32Array(stride * columns);
  for (let input = 0; input < inputs; input += 1)
    for (let output = 0; output < outputs; output += 1) matrix[input * columns + output] = weightOf(output, input);
  return matrices.keep(matrix, stride, columns, padded(bias, columns));
}

function padded(bias: Float32Array, columns: number): Float32Array {
  const all = new Float32Array(columns);
  all.set(bias);
  return all;
}
