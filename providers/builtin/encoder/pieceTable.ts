/** The embeddings of all pieces with one byte for each number: 65 MB instead of 262. */
import type { Npz } from './npz.ts';

/** Numbers of a piece's embedding. */
export const EMBEDDING = 512;

/** Block `b` has the pieces whose id modulo 17 is `b`, in their order, with a separate scale. */
const BLOCKS = 17;
const BLOCK_PIECES = 7_530;

export interface PieceTable {
  /** Writes the embeddings of `ids` into `to`, with rows `stride` floats apart. */
  copyRows(ids: readonly number[], to: Float32Array, stride: number): void;
}

/** @throws RangeError if a block is missing or has the wrong size */
export function createPieceTable(npz: Npz): PieceTable {
  const blocks = readBlocks(npz);
  const scales = npz.floats('scale');
  const lows = npz.floats('lo');

  return {
    copyRows(ids, to, stride) {
      for (const [row, id] of ids.entries()) {
        const block = id % BLOCKS;
        const from = Math.floor(id / BLOCKS) * EMBEDDING;
        const bytes = blocks[block]?.subarray(from, from + EMBEDDING) ?? new Uint8Array();
        const scale = scales[block] ?? 0;
        const low = lows[block] ?? 0;
        for (let at = 0; at < bytes.length; at += 1) to[row * stride + at] = (bytes[at] ?? 0) * scale + low;
      }
    },
  };
}

function readBlocks(npz: Npz): Uint8Array[] {
  return Array.from({ length: BLOCKS }, (_, index) => {
    const block = npz.bytes(`q${index + 1}`);
    if (block.length !== BLOCK_PIECES * EMBEDDING)
      throw new RangeError(`block ${index} of the embeddings has an unexpected size`);
    return block;
  });
}
