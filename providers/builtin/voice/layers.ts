/** The weights of the voice detector, in the form needed for multiplication. */
import type { Matrices } from '../arithmetic/matrices.ts';
import type { Weights } from '../arithmetic/weights.ts';
import type { Tensors } from './readOnnxWeights.ts';

/** Samples of a window, from which a spectrum is computed. */
export const WINDOW = 256;
export const BINS = WINDOW / 2 + 1;
/** `BINS`, and the real and imaginary parts of a spectrum, padded to a size that matrices accept. */
export const BINS_ROOM = 132;
export const SPECTRUM = 264;
/** Numbers of a frame after the first convolution, and of a piece after the following ones. */
export const [FIRST, MIDDLE, LAST] = [128, 64, 128];
export const CELL = 128;
export const GATES = 4 * CELL;

export interface Layers {
  spectrum: Weights;
  first: Weights;
  second: Weights;
  third: Weights;
  fourth: Weights;
  input: Weights;
}

/** @throws RangeError if an array of the weights is missing */
export function readLayers(tensors: Tensors, matrices: Matrices): Layers {
  const convolution = (index: number, from: number, to: number, taps: readonly number[], room = from): Weights => {
    const name = `model.encoder.${index}.reparam_conv`;
    const weights = tensors.floats(`${name}.weight`, to * from * 3);
    const matrix = new Float32Array(taps.length * room * to);
    for (const [offset, tap] of taps.entries())
      for (let channel = 0; channel < from; channel += 1)
        for (let out = 0; out < to; out += 1)
          matrix[(offset * room + channel) * to + out] = weights[(out * from + channel) * 3 + tap] ?? 0;
    return matrices.keep(matrix, taps.length * room, to, tensors.floats(`${name}.bias`, to));
  };
  return {
    spectrum: matrices.keep(
      transposed(tensors.floats('model.stft.forward_basis_buffer', 2 * BINS * WINDOW), 2 * BINS, SPECTRUM),
      WINDOW,
      SPECTRUM,
    ),
    first: convolution(0, BINS, FIRST, [0, 1, 2], BINS_ROOM),
    second: convolution(1, FIRST, MIDDLE, [0, 1, 2]),
    // Two frames are left, and then one: the other taps would only meet the zero padding.
    third: convolution(2, MIDDLE, MIDDLE, [1, 2]),
    fourth: convolution(3, MIDDLE, LAST, [1]),
    input: matrices.keep(
      transposed(tensors.floats('model.decoder.rnn.weight_ih', GATES * LAST), GATES, GATES),
      LAST,
      GATES,
      sum(tensors.floats('model.decoder.rnn.bias_ih', GATES), tensors.floats('model.decoder.rnn.bias_hh', GATES)),
    ),
  };
}

/** Transposes a matrix, padding its columns to `room`. */
export function transposed(matrix: Float32Array, rows: number, room: number): Float32Array {
  const length = matrix.length / rows;
  const result = new Float32Array(length * room);
  for (let row = 0; row < rows; row += 1)
    for (let at = 0; at < length; at += 1) result[at * room + row] = matrix[row * length + at] ?? 0;
  return result;
}

const sum = (a: Float32Array, b: Float32Array): Float32Array => a.map((value, at) => value + (b[at] ?? 0));
