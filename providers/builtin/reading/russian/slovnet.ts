/**
 * The networks of slovnet (in the package `natasha`) for morphology and names: a word's vector and its shape, three
 * convolution layers over its neighbours, and a layer of scores (https://github.com/natasha/slovnet, the models
 * `slovnet_morph_news_v1` and `slovnet_ner_news_v1`).
 */
import { gunzipSync } from 'node:zlib';
import type { Matrices } from '../../arithmetic/matrices.ts';
import { ROW_UNIT } from '../../arithmetic/rowFunctions.ts';
import { quantiseRows } from '../../arithmetic/quantiseRows.ts';
import type { IntegerWeights, Weights } from '../../arithmetic/weights.ts';
import { keepIntegerWindow, keepSingle, takeLayer, WINDOW, type Activations } from '../common/convolutions.ts';
import { readTar } from '../common/tar.ts';
import type { WordVectors } from './navec.ts';
import {
  createWordContributions,
  storeWindowWeights,
  NO_SLOT,
  shapeWidth,
  type WordContributions,
} from './wordContributions.ts';

/** Maximum number of words processed together, which bounds the memory. */
export const MAX_TOKENS = 1_024;

/** Scores of each tag for each word. */
export interface TagScores {
  tags: readonly string[];
  /** Row by row, `stride` numbers apart. */
  data: Float32Array;
  stride: number;
}

export interface TagNetwork {
  /** @param words at most `MAX_TOKENS`; null separates sentences, which must not influence each other */
  scoresOf(words: readonly (string | null)[]): TagScores;
  /**
   * For the tags of names: how likely each tag follows another, with a row for each preceding tag. Null for other tags.
   */
  transitions: Float32Array | null;
}

/** The rows that a layer computes, and its normalisation. */
interface Outcome {
  to: Activations;
  /** The normalisation, reduced to a factor and an addend for each column, which are 0 beyond the layer's width. */
  factor: Float32Array;
  addend: Float32Array;
}

/** The first layer, whose weights apply to single words (see wordContributions.ts). */
interface FirstConvolution extends Outcome {
  weights: Weights;
  bias: Float32Array;
}

/** Another layer, whose weights apply to windows of rounded rows. */
interface Convolution extends Outcome {
  weights: IntegerWeights;
}

interface Reference {
  shape: number[];
  dtype: string;
  array: number | null;
}

interface LayerFile {
  conv: { weight: Reference; bias: Reference };
  norm: { weight: Reference; bias: Reference; mean: Reference; std: Reference };
}

interface ModelFile {
  emb: { shape: { weight: Reference } };
  encoder: { layers: LayerFile[] };
  head: { proj: { weight: Reference; bias: Reference }; crf?: { transitions: Reference } };
}

type ReadFloats = (reference: Reference) => Float32Array;

/** @throws RangeError if the archive is not as expected */
export function createTagNetwork(archive: Buffer, vectors: WordVectors, matrices: Matrices): TagNetwork {
  const file = readTar(archive);
  const model = JSON.parse(file('model.json').toString('utf8')) as ModelFile;
  const vocabulary = (name: string): string[] =>
    gunzipSync(file(`vocabs/${name}.gz`))
      .toString('utf8')
      .split('\n');
  const floats: ReadFloats = ({ array, dtype, shape }) => {
    const bytes = file(`arrays/${array}.bin`);
    if (dtype !== 'float32' || bytes.length !== shape.reduce((product, size) => product * size, 4))
      throw new RangeError('an array of the network has an unexpected size');
    return new Float32Array(Uint8Array.from(bytes).buffer);
  };

  const tags = vocabulary('tag');
  const shapes = { names: vocabulary('shape'), numbers: floats(model.emb.shape.weight) };
  const { first, others } = readConvolutions(model, floats, matrices, vectors.dimension + shapeWidth(shapes));
  const last = others.at(-1)?.to;
  if (last === undefined) throw new RangeError('the network has too few layers');
  const words = createWordContributions(matrices, vectors, shapes, first.weights);
  const projection = model.head.proj;
  const [inputs = 0, outputs = 0] = projection.weight.shape;
  const weights = floats(projection.weight);
  const head = keepSingle(
    matrices,
    { outputs, inputs, stride: last.stride, bias: floats(projection.bias) },
    (output, place) => weights[place * outputs + output] ?? 0,
  );
  const scores = { data: matrices.take(MAX_TOKENS * head.columns), stride: head.columns };
  const rounded = matrices.takeIntegers((MAX_TOKENS + 2) * Math.max(...[first, ...others].map(({ to }) => to.stride)));
  const crf = model.head.crf;

  return {
    transitions: crf ? floats(crf.transitions) : null,
    scoresOf(sequence) {
      addContributions(matrices, words, sequence, first);
      finish(matrices, first, sequence);
      let from = first.to;
      for (const convolution of others) {
        const { to } = convolution;
        const outcome = { data: to.data.subarray(to.stride), stride: to.stride };
        const windows = quantiseRows(matrices, from, { count: sequence.length + 2, size: WINDOW }, rounded);
        matrices.multiplyIntegers(windows, convolution.weights, outcome, sequence.length);
        finish(matrices, convolution, sequence);
        from = to;
      }
      matrices.multiply({ data: from.data.subarray(from.stride), stride: from.stride }, head, scores, sequence.length);
      return { tags, ...scores };
    },
  };
}

/** @param width number of inputs of the first layer */
function readConvolutions(
  { encoder }: ModelFile,
  floats: ReadFloats,
  matrices: Matrices,
  width: number,
): { first: FirstConvolution; others: Convolution[] } {
  const [firstFile, ...otherFiles] = encoder.layers;
  if (firstFile === undefined) throw new RangeError('the network has no layers');
  const { form, bias, weightAt } = readKernel(firstFile, floats, width);
  const first = {
    weights: storeWindowWeights(matrices, form, weightAt),
    bias,
    ...takeOutcome(firstFile, floats, matrices, form.outputs),
  };
  let before = { width: form.outputs, stride: first.to.stride };
  const others = otherFiles.map((file) => {
    const kernel = readKernel(file, floats, before.width);
    const { outputs } = kernel.form;
    const shape = { ...kernel.form, stride: before.stride, bias: kernel.bias };
    const weights = keepIntegerWindow(matrices, shape, kernel.weightAt);
    const outcome = takeOutcome(file, floats, matrices, outputs);
    before = { width: outputs, stride: outcome.to.stride };
    return { weights, ...outcome };
  });
  return { first, others };
}

function readKernel({ conv }: LayerFile, floats: ReadFloats, width: number) {
  const [outputs = 0, inputs = 0, window = 0] = conv.weight.shape;
  if (inputs !== width || outputs % ROW_UNIT !== 0 || window !== WINDOW)
    throw new RangeError('a layer of the network has an unexpected shape');
  const kernel = floats(conv.weight);
  const weightAt = (output: number, input: number, place: number): number =>
    kernel[(output * inputs + input) * window + place] ?? 0;
  return { form: { outputs, inputs }, bias: floats(conv.bias), weightAt };
}

function takeOutcome({ norm }: LayerFile, floats: ReadFloats, matrices: Matrices, outputs: number): Outcome {
  const to = takeLayer(matrices, outputs, MAX_TOKENS);
  const [gain, offset, mean, deviation] = [norm.weight, norm.bias, norm.mean, norm.std].map(floats);
  const [factor, addend] = [matrices.take(to.stride), matrices.take(to.stride)];
  for (let at = 0; at < outputs; at += 1) {
    factor[at] = (gain?.[at] ?? 0) / (deviation?.[at] ?? 1);
    addend[at] = (offset?.[at] ?? 0) - (mean?.[at] ?? 0) * (factor[at] ?? 0);
  }
  return { to, factor, addend };
}

/** Computes the first layer: for each word the sum of the contributions of it and its neighbours. */
function addContributions(
  matrices: Matrices,
  words: WordContributions,
  sequence: readonly (string | null)[],
  { bias, to: { data, stride } }: FirstConvolution,
): void {
  const slots = words.slotsOf(sequence);
  for (let index = 0; index < sequence.length; index += 1) {
    const row = (index + 1) * stride;
    data.set(bias, row);
    for (let place = 0; place < WINDOW; place += 1) {
      const slot = slots[index - 1 + place] ?? NO_SLOT;
      if (slot !== NO_SLOT) matrices.add(data, row, words.rows, slot * words.stride + place * stride, stride);
    }
  }
}

/** Finishes a layer: clears negative numbers, normalises, and writes zeros for gaps. */
function finish(
  matrices: Matrices,
  { to: { data, stride }, factor, addend }: Outcome,
  words: readonly (string | null)[],
): void {
  for (let index = 0; index < words.length; index += 1) {
    const at = (index + 1) * stride;
    if (words[index] === null) data.fill(0, at, at + stride);
    else matrices.scale(data, at, factor, addend);
  }
  // An earlier, longer text may have left values after the last word.
  data.fill(0, (words.length + 1) * stride, (words.length + 2) * stride);
}

/**
 * Maximum number of floats that a network takes from the matrices: weights 0.4 million, contributions of words to the
 * first layer 1.6, intermediate results of a text 1.3, its rounded rows 0.1.
 */
export const NETWORK_FLOATS = 3_500_000;
