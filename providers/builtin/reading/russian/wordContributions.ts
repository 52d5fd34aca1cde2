/**
 * Computes what each word contributes to the windows of a network's first convolution layer. The value of a window is
 * the sum of the contributions of its three words, and few words make up most of any text, so the contributions of the
 * last 2,048 words are cached: this layer is two thirds of all arithmetic.
 */
import type { Matrices } from '../../arithmetic/matrices.ts';
import type { Weights } from '../../arithmetic/weights.ts';
import { createPieceSlots } from '../../encoder/pieceSlots.ts';
import { keepSingle, roundedUp, WINDOW } from '../common/convolutions.ts';
import type { WordVectors } from './navec.ts';
import { shapeOf } from './tokenise.ts';

/** More than the number of words processed at a time. */
const SLOTS = 2_048;
/** Number of words computed at a time. */
const BLOCK = 32;
/** More than the number of shapes. */
const SHAPES = 128;
/** The slot of the gap between two sentences. */
export const NO_SLOT = -1;

/** The shapes that a network knows, and their numbers, row by row. */
export interface Shapes {
  names: readonly string[];
  numbers: Float32Array;
}

export interface WordContributions {
  /** The rows of all slots: for each place in a window as many numbers as the layer has outputs. */
  rows: Float32Array;
  stride: number;
  /** Returns the slot of each word, after its row is computed; `NO_SLOT` for a gap. Valid until the next call. */
  slotsOf(words: readonly (string | null)[]): Int32Array;
}

export function shapeWidth({ names, numbers }: Shapes): number {
  return numbers.length / names.length;
}

/** Stores the weights of a window as those of a single word, with separate outputs for each place in the window. */
export function storeWindowWeights(
  matrices: Matrices,
  { outputs, inputs }: { outputs: number; inputs: number },
  weightAt: (output: number, input: number, place: number) => number,
): Weights {
  const columns = outputs * WINDOW;
  return keepSingle(
    matrices,
    { outputs: columns, inputs, stride: roundedUp(inputs), bias: new Float32Array(columns) },
    (column, input) => weightAt(column % outputs, input, Math.floor(column / outputs)),
  );
}

export function createWordContributions(
  matrices: Matrices,
  vectors: WordVectors,
  shapes: Shapes,
  weights: Weights,
): WordContributions {
  const shapeRows = new Map(shapes.names.map((name, row) => [name, row]));
  const width = shapeWidth(shapes);
  const input = { data: matrices.take(BLOCK * weights.rows), stride: weights.rows };
  const stride = weights.columns;
  const rows = matrices.take(SLOTS * stride);
  const block = { data: matrices.take(BLOCK * stride), stride };
  const assignSlots = createPieceSlots(SLOTS);

  const idOf = (word: string): number =>
    vectors.rowOf(word.toLowerCase()) * SHAPES + (shapeRows.get(shapeOf(word)) ?? shapeRows.get('<unk>') ?? 0);

  function compute(ids: readonly number[]): void {
    ids.forEach((id, index) => {
      const at = index * input.stride;
      const shape = id % SHAPES;
      vectors.copy((id - shape) / SHAPES, input.data, at);
      input.data.set(shapes.numbers.subarray(shape * width, (shape + 1) * width), at + vectors.dimension);
    });
    matrices.multiply(input, weights, block, ids.length);
  }

  return {
    rows,
    stride,
    slotsOf(words) {
      const ids = words.flatMap((word) => (word === null ? [] : [idOf(word)]));
      const { slots, missing } = assignSlots(ids);
      for (let start = 0; start < missing.length; start += BLOCK) {
        const some = missing.slice(start, start + BLOCK);
        compute(some.map(({ id }) => id));
        for (const [index, { slot }] of some.entries())
          rows.set(block.data.subarray(index * stride, (index + 1) * stride), slot * stride);
      }
      let next = 0;
      return Int32Array.from(words, (word) => (word === null ? NO_SLOT : (slots[next++] ?? NO_SLOT)));
    },
  };
}
