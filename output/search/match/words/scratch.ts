/** Working memory with a number for each row. It is shared, because one question is answered at a time. */

export interface Scratch {
  /** All zero between two questions, like the other arrays except `candidates`. */
  isCandidate: Uint8Array;
  scores: Float32Array;
  counts: Uint8Array;
  best: Float32Array;
  /** Rows that may be hits. */
  candidates: Uint32Array;
}

let scratch: Scratch | undefined;

export function scratchFor(rows: number): Scratch {
  if (scratch && scratch.scores.length >= rows) return scratch;
  const size = Math.ceil(rows * 1.5) + 1_024;
  scratch = {
    isCandidate: new Uint8Array(size),
    scores: new Float32Array(size),
    counts: new Uint8Array(size),
    best: new Float32Array(size),
    candidates: new Uint32Array(size),
  };
  return scratch;
}
