/**
 * Silero's voice activity detector (its form for 16 kHz since version 5), with the weights of the package `silero-vad`:
 * the probability of speech for every 32 ms of sound. The spectrum of a piece passes through four convolutions, and a
 * recurrent cell remembers earlier pieces.
 */
import { createMatrices, type Matrices } from '../arithmetic/matrices.ts';
import type { Weights } from '../arithmetic/weights.ts';
import { createCell, type CellState } from './cell.ts';
import {
  BINS,
  BINS_ROOM,
  CELL,
  FIRST,
  GATES,
  LAST,
  MIDDLE,
  readLayers,
  SPECTRUM,
  WINDOW,
  type Layers,
} from './layers.ts';
import type { Tensors } from './readOnnxWeights.ts';

export const SAMPLE_RATE = 16_000;
/** Samples of one piece. */
export const PIECE = 512;
export const PIECE_SEC = PIECE / SAMPLE_RATE;

/** Samples before a piece that are processed with it, and the mirrored samples after it. */
const CONTEXT = 64;
const MIRRORED = 64;
const HOP = 128;
/** Windows of a piece. */
const FRAMES = 4;
/** Number of pieces whose convolutions are computed together: 4 s of sound. */
const BATCH = 128;
/** Number of floats that the weights and the rows of `takeRows` need, with a generous margin. */
const FLOATS = 1_500_000;

/** The state after a piece, passed to the next one. */
export interface VoiceState extends CellState {
  /** The last samples. */
  context: Float32Array;
}

/**
 * Returns a probability from 0 to 1 for each whole piece of `samples`, whose numbers are from -1 to 1. Changes `state`.
 */
export type VoiceNetwork = (samples: Float32Array, state: VoiceState) => Float32Array;

export function initialState(): VoiceState {
  return {
    context: new Float32Array(CONTEXT),
    hidden: new Float32Array(CELL),
    cell: new Float32Array(CELL),
  };
}

/**
 * Creates the network. Its calls change `state`, so that the next call continues where the samples end.
 * @throws RangeError if an array of the weights is missing
 */
export function createVoiceNetwork(tensors: Tensors): VoiceNetwork {
  const matrices = createMatrices(FLOATS);
  const layers = readLayers(tensors, matrices);
  const rows = takeRows(matrices);
  const remember = createCell(tensors, matrices, rows.gates);

  return (samples, state) => {
    const pieces = Math.floor(samples.length / PIECE);
    const probabilities = new Float32Array(pieces);
    for (let start = 0; start < pieces; start += BATCH) {
      const count = Math.min(BATCH, pieces - start);
      frame(samples.subarray(start * PIECE, (start + count) * PIECE), state, rows.windows);
      convolve(matrices, layers, rows, count);
      for (let piece = 0; piece < count; piece += 1) probabilities[start + piece] = remember(piece, state);
    }
    return probabilities;
  };
}

/** Inputs and outputs of the layers for a batch. */
type LayerRows = ReturnType<typeof takeRows>;

function takeRows(matrices: Matrices) {
  return {
    windows: matrices.take(BATCH * FRAMES * WINDOW),
    spectra: matrices.take(BATCH * FRAMES * SPECTRUM),
    /** For each frame the magnitudes of the previous frame, its own and those of the next frame. */
    magnitudes: matrices.take(BATCH * FRAMES * 3 * BINS_ROOM),
    first: matrices.take(BATCH * FRAMES * FIRST),
    triples: matrices.take(BATCH * 2 * 3 * FIRST),
    second: matrices.take(BATCH * 2 * MIDDLE),
    third: matrices.take(BATCH * MIDDLE),
    fourth: matrices.take(BATCH * LAST),
    gates: matrices.take(BATCH * GATES),
  };
}

/** Copies the windows of each piece, one after another. */
function frame(samples: Float32Array, state: VoiceState, windows: Float32Array): void {
  const extended = new Float32Array(CONTEXT + PIECE + MIRRORED);
  for (let start = 0; start < samples.length; start += PIECE) {
    const piece = samples.subarray(start, start + PIECE);
    extended.set(state.context);
    extended.set(piece, CONTEXT);
    for (let at = 0; at < MIRRORED; at += 1) extended[CONTEXT + PIECE + at] = piece[PIECE - 2 - at] ?? 0;
    for (let at = 0; at < FRAMES; at += 1)
      windows.set(extended.subarray(at * HOP, at * HOP + WINDOW), ((start / PIECE) * FRAMES + at) * WINDOW);
    state.context = piece.slice(PIECE - CONTEXT);
  }
}

function convolve(matrices: Matrices, layers: Layers, rows: LayerRows, pieces: number): void {
  const layer = (from: Float32Array, weights: Weights, to: Float32Array, count: number): void =>
    matrices.multiply({ data: from, stride: weights.rows }, weights, { data: to, stride: weights.columns }, count);
  layer(rows.windows, layers.spectrum, rows.spectra, pieces * FRAMES);
  for (let at = 0; at < pieces * FRAMES; at += 1) computeMagnitudes(rows, at);
  layer(rows.magnitudes, layers.first, rows.first, pieces * FRAMES);
  rectify(rows.first, pieces * FRAMES * FIRST);
  for (let piece = 0; piece < pieces; piece += 1) {
    const frames = rows.first.subarray(piece * FRAMES * FIRST, (piece + 1) * FRAMES * FIRST);
    // The place before the first frame stays empty.
    rows.triples.set(frames.subarray(0, 2 * FIRST), (piece * 6 + 1) * FIRST);
    rows.triples.set(frames.subarray(FIRST), (piece * 6 + 3) * FIRST);
  }
  layer(rows.triples, layers.second, rows.second, pieces * 2);
  rectify(rows.second, pieces * 2 * MIDDLE);
  layer(rows.second, layers.third, rows.third, pieces);
  rectify(rows.third, pieces * MIDDLE);
  layer(rows.third, layers.fourth, rows.fourth, pieces);
  rectify(rows.fourth, pieces * LAST);
  layer(rows.fourth, layers.input, rows.gates, pieces);
}

/**
 * Computes the magnitudes of one frame, and writes them where the frame itself and its neighbours within the piece read
 * them.
 */
function computeMagnitudes({ spectra, magnitudes }: LayerRows, frameAt: number): void {
  const offset = frameAt % FRAMES;
  const row = 3 * BINS_ROOM;
  for (let bin = 0; bin < BINS; bin += 1) {
    const real = spectra[frameAt * SPECTRUM + bin] ?? 0;
    const imaginary = spectra[frameAt * SPECTRUM + BINS + bin] ?? 0;
    const magnitude = Math.sqrt(real * real + imaginary * imaginary);
    magnitudes[frameAt * row + BINS_ROOM + bin] = magnitude;
    if (offset > 0) magnitudes[(frameAt - 1) * row + 2 * BINS_ROOM + bin] = magnitude;
    if (offset < FRAMES - 1) magnitudes[(frameAt + 1) * row + bin] = magnitude;
  }
}

function rectify(row: Float32Array, length: number): void {
  for (let at = 0; at < length; at += 1) if ((row[at] ?? 0) < 0) row[at] = 0;
}
