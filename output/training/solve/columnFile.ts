/** Solved columns as a file, so that the finished work of a worker is not repeated. */
import { decodeArrays, encodeArrays } from '../../models/arrayFile.ts';
import type { Columns } from './columnSolver.ts';

const KIND = 'ATCO';

interface Head {
  targets: number;
  weights: number;
}

export function encodeColumns({ targets, offsets, support, weights }: Columns): Buffer {
  const head: Head = { targets: targets.length, weights: weights.length };
  return encodeArrays(KIND, head, [targets, offsets, support, weights]);
}

/** @throws {ArrayFileError} */
export function decodeColumns(file: Buffer): Columns {
  const bytes = decodeArrays(KIND, file);
  const { targets, weights } = bytes.head as Head;
  return {
    targets: bytes.integers(targets),
    offsets: bytes.integers(targets + 1),
    support: bytes.integers(weights),
    weights: bytes.floats(weights),
  };
}
