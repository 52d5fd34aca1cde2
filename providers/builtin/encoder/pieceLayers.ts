/**
 * The layers of the encoder that process a piece without its neighbours, which are more than half of all arithmetic:
 * the inputs of the three branches, and what a piece contributes to each window of the branches' first layer. Few
 * pieces make up most of any text, so the rows of the last 2,048 pieces are cached: the hit rate was 60 % for sixty
 * unrelated articles and 95 % for a manual.
 */
import { BRANCH, BRANCHES, INPUTS, PIECE_ROW } from './branches.ts';
import { normaliseRows } from './layerNorm.ts';
import type { Matrices } from '../arithmetic/matrices.ts';
import type { Npz } from './npz.ts';
import { createPieceSlots } from './pieceSlots.ts';
import { EMBEDDING, type PieceTable } from './pieceTable.ts';

/** More slots than a text has pieces; they take 27 MB. */
const SLOTS = 2_048;
/** Number of pieces computed at a time. */
const BLOCK = 64;

export interface PieceLayers {
  /** The rows of all slots. */
  rows: Float32Array;
  /** Returns the slot of each piece, after its row is computed. Valid until the next call. */
  slotsOf(ids: readonly number[]): Int32Array;
}

/** @throws RangeError if an array of the weights is missing or has the wrong size */
export function createPieceLayers(npz: Npz, matrices: Matrices, table: PieceTable): PieceLayers {
  const { project, shares, norm } = readLayers(npz, matrices);
  const assignSlots = createPieceSlots(SLOTS);
  const rows = matrices.take(SLOTS * PIECE_ROW);
  const embeddings = matrices.take(BLOCK * EMBEDDING);
  const block = matrices.take(BLOCK * PIECE_ROW);

  function computeBlock(ids: readonly number[]): void {
    table.copyRows(ids, embeddings, EMBEDDING);
    const inputs = { data: block, stride: PIECE_ROW };
    matrices.multiply({ data: embeddings, stride: EMBEDDING }, project, inputs, ids.length);
    normaliseRows(inputs, norm, ids.length);
    for (const { from, weights, to } of shares) {
      const input = { data: block.subarray(from), stride: PIECE_ROW };
      matrices.multiply(input, weights, { data: block.subarray(to), stride: PIECE_ROW }, ids.length);
    }
  }

  return {
    rows,
    slotsOf(ids) {
      const { slots, missing } = assignSlots(ids);
      for (let start = 0; start < missing.length; start += BLOCK) {
        const some = missing.slice(start, start + BLOCK);
        computeBlock(some.map(({ id }) => id));
        for (const [index, { slot }] of some.entries())
          rows.set(block.subarray(index * PIECE_ROW, (index + 1) * PIECE_ROW), slot * PIECE_ROW);
      }
      return slots;
    },
  };
}

/** Separate from `createPieceLayers`, so that its result does not retain the whole file. */
function readLayers(npz: Npz, matrices: Matrices) {
  const join = (prefix: string): Float32Array =>
    Float32Array.from(BRANCHES.flatMap(({ size }) => [...npz.floats(`${prefix}${size}`)]));
  const projections = BRANCHES.map(({ size }) => npz.floats(`proj${size}`));
  return {
    project: matrices.keep(sideBySide(projections, EMBEDDING), EMBEDDING, INPUTS, join('proj_b')),
    norm: { gain: join('ln_g'), offset: join('ln_b') },
    shares: BRANCHES.map(({ size, input, shares }) => {
      const whole = npz.floats(`w1_${size}`);
      const parts = Array.from({ length: size }, (_, index) =>
        whole.subarray(index * BRANCH * BRANCH, (index + 1) * BRANCH * BRANCH),
      );
      return { weights: matrices.keep(sideBySide(parts, BRANCH), BRANCH, size * BRANCH), from: input, to: shares };
    }),
  };
}

/** Joins several matrices that have `rows` rows of `BRANCH` numbers each. */
function sideBySide(parts: readonly Float32Array[], rows: number): Float32Array {
  const whole = new Float32Array(parts.length * rows * BRANCH);
  for (let row = 0; row < rows; row += 1) {
    for (const [index, part] of parts.entries())
      whole.set(part.subarray(row * BRANCH, (row + 1) * BRANCH), (row * parts.length + index) * BRANCH);
  }
  return whole;
}
