/**
 * spaCy's networks that turn words into vectors (`spacy.MultiHashEmbed.v2` and `spacy.MaxoutWindowEncoder.v2`). Hashes
 * of a word's features select rows of tables; one layer mixes them, and four convolution layers add context, each with
 * maxout over three numbers and normalisation.
 */
import { normaliseRows, type Normalisation } from '../../../encoder/layerNorm.ts';
import type { Matrices } from '../../../arithmetic/matrices.ts';
import type { Weights } from '../../../arithmetic/weights.ts';
import { keepSingle, keepWindow, takeLayer, type Activations } from '../../common/convolutions.ts';
import { rowHashes } from './hashes.ts';
import type { ThincNetwork } from './readThincNetwork.ts';

export const WIDTH = 96;
const PIECES = 3;
const DEPTH = 4;
/** Maximum number of words processed together, which bounds the memory. */
export const MAX_TOKENS = 512;
/**
 * Number of empty rows that spaCy adds before and after a text: one for each convolution layer, because each reaches
 * one row further. They take part in the convolutions like words.
 */
const PADDING = DEPTH;
const MAX_ROWS = MAX_TOKENS + 2 * PADDING;
const FIRST_SEED = 8;
const MAX_CACHED = 4_096;

/** A word as the hashes of its features, in the order of the tables. */
export interface WordFeatures {
  /** Identifies words: equal keys have equal features. */
  key: string;
  ids: readonly bigint[];
}

/** Returns rows of `WIDTH` numbers for at most `MAX_TOKENS` words, valid until the next call. */
export type Tok2Vec = (words: readonly WordFeatures[]) => Activations;

interface Table {
  numbers: Float32Array;
  /**
   * Returns the starts of the four rows of a feature. They are cached, because hashing takes longer than adding the
   * rows, and features repeat.
   */
  startsOf(id: bigint): readonly number[];
}

interface MaxoutLayer {
  weights: Weights;
  norm: Normalisation;
}

export function createTok2Vec(file: ThincNetwork, matrices: Matrices): Tok2Vec {
  const tables = file.all('hashembed').map(({ E }, index): Table => {
    const numbers = file.floats(E);
    return { numbers, startsOf: createStarts(numbers.length / WIDTH, BigInt(FIRST_SEED + index)) };
  });
  const [mixing, ...windows] = readLayers(file, matrices, tables.length * WIDTH);
  if (mixing === undefined || windows.length !== DEPTH) throw new RangeError('the network has an unexpected shape');
  const features = takeLayer(matrices, tables.length * WIDTH, 1);
  const pieces = { data: matrices.take(MAX_ROWS * WIDTH * PIECES), stride: WIDTH * PIECES };
  const [even, odd] = [takeLayer(matrices, WIDTH, MAX_ROWS), takeLayer(matrices, WIDTH, MAX_ROWS)];
  const cache = new Map<string, Float32Array>();

  const embedded = ({ key, ids }: WordFeatures): Float32Array => {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const row = features.data.subarray(features.stride);
    row.fill(0);
    tables.forEach(({ numbers, startsOf }, index) => {
      for (const from of startsOf(ids[index] ?? 0n)) {
        for (let at = 0; at < WIDTH; at += 1)
          row[index * WIDTH + at] = (row[index * WIDTH + at] ?? 0) + (numbers[from + at] ?? 0);
      }
    });
    matrices.multiply({ data: row, stride: features.stride }, mixing.weights, pieces, 1);
    const numbers = new Float32Array(WIDTH);
    maxout(pieces.data, 0, numbers, 0);
    normaliseRows({ data: numbers, stride: WIDTH }, mixing.norm, 1);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(key, numbers);
    return numbers;
  };

  return (words) => {
    const rows = words.length + 2 * PADDING;
    // Clears all rows and the two around them: a previous text may have left values there.
    even.data.fill(0, 0, (rows + 2) * WIDTH);
    odd.data.fill(0, 0, (rows + 2) * WIDTH);
    words.forEach((word, index) => even.data.set(embedded(word), (1 + PADDING + index) * WIDTH));
    let [from, to] = [even, odd];
    for (const { weights, norm } of windows) {
      matrices.multiply({ data: from.data, stride: WIDTH }, weights, pieces, rows);
      const outcome = to.data.subarray(WIDTH);
      for (let row = 0; row < rows; row += 1) maxout(pieces.data, row * pieces.stride, outcome, row * WIDTH);
      normaliseRows({ data: outcome, stride: WIDTH }, norm, rows);
      matrices.add(outcome, 0, from.data, WIDTH, rows * WIDTH);
      [from, to] = [to, from];
    }
    return { data: from.data.subarray((1 + PADDING) * WIDTH), stride: WIDTH };
  };
}

function createStarts(rows: number, seed: bigint): Table['startsOf'] {
  const cache = new Map<bigint, readonly number[]>();
  return (id) => {
    const known = cache.get(id);
    if (known !== undefined) return known;
    const starts = rowHashes(id, seed).map((hash) => (hash % rows) * WIDTH);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(id, starts);
    return starts;
  };
}

/** Keeps the largest of the three numbers of each output, which are `WIDTH` apart. */
function maxout(pieces: Float32Array, from: number, to: Float32Array, at: number): void {
  for (let output = 0; output < WIDTH; output += 1) {
    const place = from + output;
    let largest = pieces[place] ?? 0;
    const second = pieces[place + WIDTH] ?? 0;
    const third = pieces[place + 2 * WIDTH] ?? 0;
    if (second > largest) largest = second;
    if (third > largest) largest = third;
    to[at + output] = largest;
  }
}

/** Returns the layers in order: the mixing layer, then the convolution layers. */
function readLayers(file: ThincNetwork, matrices: Matrices, inputs: number): MaxoutLayer[] {
  const norms = file.all('layernorm');
  return file.all('maxout').map(({ W, b }, index) => {
    const [weights, bias] = [file.floats(W), file.floats(b)];
    const width = index === 0 ? inputs : 3 * WIDTH;
    const outputs = WIDTH * PIECES;
    if (weights.length !== outputs * width) throw new RangeError('a layer of the network has an unexpected size');
    // In the file the three numbers of an output are adjacent; here each third is a block.
    const placed = (column: number): number => (column % WIDTH) * PIECES + Math.floor(column / WIDTH);
    const shared = { outputs, bias: Float32Array.from({ length: outputs }, (_, column) => bias[placed(column)] ?? 0) };
    const weightAt = (column: number, input: number): number => weights[placed(column) * width + input] ?? 0;
    const kept =
      index === 0
        ? keepSingle(matrices, { ...shared, inputs, stride: inputs }, weightAt)
        : keepWindow(matrices, { ...shared, inputs: WIDTH, stride: WIDTH }, (column, input, place) =>
            weightAt(column, place * WIDTH + input),
          );
    const norm = norms[index];
    if (norm === undefined) throw new RangeError('a layer of the network is not normalised');
    return { weights: kept, norm: { gain: file.floats(norm['G']), offset: file.floats(norm['b']) } };
  });
}
