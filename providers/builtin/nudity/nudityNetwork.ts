/**
 * MobileNetV2 (Sandler et al. 2018, arXiv:1801.04381) at width 1.4, with the weights of nsfwjs: from a picture of 224 ×
 * 224 pixels to the probabilities of five classes. A block expands each pixel, applies 3 × 3 depthwise windows, and
 * projects it back; if size and channels stay the same, its input is added to its output.
 */
import { createMatrices, type Matrices } from '../arithmetic/matrices.ts';
import type { Weights } from '../arithmetic/weights.ts';
import type { Windows } from '../arithmetic/windows.ts';
import type { ModelWeights } from './readNsfwjsWeights.ts';

/** Pixels of a side. */
export const SIDE = 224;
export const CLASSES = ['drawing', 'hentai', 'neutral', 'porn', 'sexy'] as const;
export type ClassProbabilities = Record<(typeof CLASSES)[number], number>;

const COLOURS = 3;
/** Numbers of a window of the first layer, and their padded number: matrices take rows in fours. */
const [WINDOW, WINDOW_ROOM] = [9 * COLOURS, 28];
const FIRST_CHANNELS = 48;
const FEATURES = 1_792;
const EXPANSION = 6;
/** Output channels of each block, and the blocks that halve the size. */
const BLOCKS = [24, 32, 32, 48, 48, 48, 88, 88, 88, 88, 136, 136, 136, 224, 224, 224, 448];
const STRIDE_TWO_BLOCKS: ReadonlySet<number> = new Set([1, 3, 6, 13]);
/**
 * Maximum number of floats between two layers: the first halving block, 144 channels of 112 × 112 pixels, with its
 * border.
 */
const MAX_FLOATS = 144 * 114 * 114;
/** Weights, and four times `MAX_FLOATS`. */
const FLOATS = 12_500_000;

interface Block {
  /** Null for the first block, which does not expand. */
  expand: Weights | null;
  windows: Windows;
  project: Weights;
  stride: 1 | 2;
  hasResidual: boolean;
}

/** @param pixels red, green and blue of each pixel, row by row, from 0 to 255 */
export type NudityNetwork = (pixels: Uint8Array) => ClassProbabilities;

/** @throws RangeError if an array of the weights is missing or has the wrong size */
export function createNudityNetwork(weights: ModelWeights): NudityNetwork {
  const matrices = createMatrices(FLOATS);
  const first = matrices.keep(
    padded(weights.floats('MobilenetV2/Conv/Conv2D_weights', WINDOW * FIRST_CHANNELS)),
    WINDOW_ROOM,
    FIRST_CHANNELS,
    weights.floats('MobilenetV2/Conv/Conv2D_bn_offset', FIRST_CHANNELS),
  );
  const blocks = readBlocks(weights, matrices);
  const last = convolution(weights, matrices, 'Conv_1', BLOCKS.at(-1) ?? 0, FEATURES);
  const classify = readClassifier(weights);
  const buffers = [
    matrices.take(MAX_FLOATS),
    matrices.take(MAX_FLOATS),
    matrices.take(MAX_FLOATS),
    matrices.take(MAX_FLOATS),
  ] as const;

  return (pixels) => {
    const [input, output, expanded, bordered] = buffers;
    let side = SIDE / 2;
    im2col(pixels, expanded);
    layer(matrices, expanded, first, input, side * side);
    matrices.clamp(input, side * side * FIRST_CHANNELS);
    let [from, to] = [input, output];
    for (const block of blocks) {
      side = runBlock(matrices, block, { from, to, expanded, bordered }, side);
      [from, to] = [to, from];
    }
    layer(matrices, from, last, expanded, side * side);
    matrices.clamp(expanded, side * side * FEATURES);
    return classify(meanOf(expanded, side * side));
  };
}

/** Pads the rows to a number that matrices accept. */
function padded(matrix: Float32Array): Float32Array {
  const result = new Float32Array(WINDOW_ROOM * FIRST_CHANNELS);
  result.set(matrix);
  return result;
}

function readBlocks(weights: ModelWeights, matrices: Matrices): Block[] {
  let channels = FIRST_CHANNELS;
  return BLOCKS.map((made, index) => {
    const name = index === 0 ? 'expanded_conv' : `expanded_conv_${index}`;
    const expandedChannels = index === 0 ? channels : channels * EXPANSION;
    const stride = STRIDE_TWO_BLOCKS.has(index) ? 2 : 1;
    const block: Block = {
      expand: index === 0 ? null : convolution(weights, matrices, `${name}/expand`, channels, expandedChannels),
      windows: matrices.keepWindows(
        weights.floats(`/${name}/depthwise/depthwise_weights`, 9 * expandedChannels),
        weights.floats(`/${name}/depthwise/depthwise_bn_offset`, expandedChannels),
      ),
      project: convolution(weights, matrices, `${name}/project`, expandedChannels, made),
      stride,
      hasResidual: stride === 1 && made === channels,
    };
    channels = made;
    return block;
  });
}

function convolution(weights: ModelWeights, matrices: Matrices, name: string, from: number, to: number): Weights {
  return matrices.keep(
    weights.floats(`/${name}/Conv2D_weights`, from * to),
    from,
    to,
    weights.floats(`/${name}/Conv2D_bn_offset`, to),
  );
}

interface Buffers {
  from: Float32Array;
  to: Float32Array;
  expanded: Float32Array;
  bordered: Float32Array;
}

/**
 * Runs one block.
 * @returns the side of its output
 */
function runBlock(matrices: Matrices, block: Block, { from, to, expanded, bordered }: Buffers, side: number): number {
  const { expand, windows, project, stride, hasResidual } = block;
  const { channels } = windows;
  if (expand !== null) {
    layer(matrices, from, expand, expanded, side * side);
    matrices.clamp(expanded, side * side * channels);
  }
  padBorder(expand === null ? from : expanded, bordered, side, channels);
  const made = side / stride;
  // Windows with a stride of two begin at the first pixel, the others at the border.
  const start = stride === 1 ? 0 : (side + 2 + 1) * channels;
  const pixels = { data: bordered.subarray(start), width: side + 2 };
  matrices.convolve(pixels, windows, { data: expanded, width: made }, { height: made, stride });
  layer(matrices, expanded, project, to, made * made);
  if (hasResidual) matrices.add(to, 0, from, 0, made * made * project.columns);
  return made;
}

function layer(matrices: Matrices, from: Float32Array, weights: Weights, to: Float32Array, rows: number): void {
  matrices.multiply({ data: from, stride: weights.rows }, weights, { data: to, stride: weights.columns }, rows);
}

/** Adds a border of zeros, one pixel wide. */
function padBorder(from: Float32Array, to: Float32Array, side: number, channels: number): void {
  const row = (side + 2) * channels;
  to.fill(0, 0, row * (side + 2));
  for (let y = 0; y < side; y += 1)
    to.set(from.subarray(y * side * channels, (y + 1) * side * channels), (y + 1) * row + channels);
}

/** The network expects colours from -1 to 1. */
const MIDDLE = 127.5;

/** Extracts windows of 3 × 3 pixels with a stride of two; beyond the last row and column there are zeros. */
function im2col(pixels: Uint8Array, to: Float32Array): void {
  const half = SIDE / 2;
  to.fill(0, 0, half * half * WINDOW_ROOM);
  for (let window = 0; window < half * half; window += 1) {
    const [top, left] = [2 * Math.floor(window / half), 2 * (window % half)];
    for (let cell = 0; cell < 9; cell += 1) {
      const [y, x] = [top + Math.floor(cell / 3), left + (cell % 3)];
      if (y >= SIDE || x >= SIDE) continue;
      for (let colour = 0; colour < COLOURS; colour += 1)
        to[window * WINDOW_ROOM + cell * COLOURS + colour] =
          (pixels[(y * SIDE + x) * COLOURS + colour] ?? 0) / MIDDLE - 1;
    }
  }
}

function meanOf(features: Float32Array, pixels: number): Float32Array {
  const mean = new Float32Array(FEATURES);
  for (let pixel = 0; pixel < pixels; pixel += 1)
    for (let at = 0; at < FEATURES; at += 1)
      mean[at] = (mean[at] ?? 0) + (features[pixel * FEATURES + at] ?? 0) / pixels;
  return mean;
}

/** Reads the last layer and its softmax. */
function readClassifier(weights: ModelWeights): (features: Float32Array) => ClassProbabilities {
  const matrix = weights.floats('Func/StatefulPartitionedCall/input/_262', FEATURES * CLASSES.length);
  const bias = weights.floats('Func/StatefulPartitionedCall/input/_263', CLASSES.length);
  return (features) => {
    const scores = CLASSES.map((_, index) =>
      features.reduce((sum, value, at) => sum + value * (matrix[at * CLASSES.length + index] ?? 0), bias[index] ?? 0),
    );
    const powers = scores.map((score) => Math.exp(score - Math.max(...scores)));
    const whole = powers.reduce((sum, power) => sum + power, 0);
    return Object.fromEntries(CLASSES.map((name, index) => [name, (powers[index] ?? 0) / whole])) as ClassProbabilities;
  };
}
