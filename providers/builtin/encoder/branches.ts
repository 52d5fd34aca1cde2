/** The three branches of the encoder, and how what a piece gives to them lies in a row of floats. */

/** Numbers of a piece within a branch. */
export const BRANCH = 256;

export interface BranchForm {
  /** Pieces of a window; also the suffix of its arrays' names. */
  size: number;
  /** How many of them stand before the piece that the window is for. */
  before: number;
  /** Where the branch's input begins within a piece's row. */
  input: number;
  /** Where the piece's share in a window begins in whose first place it stands; those of the other places follow. */
  shares: number;
}

const WINDOWS = [
  { size: 2, before: 0 },
  { size: 3, before: 1 },
  { size: 5, before: 2 },
];

/** Floats of the inputs of all branches, which stand at the start of a row. */
export const INPUTS = WINDOWS.length * BRANCH;

const placesOf = (windows: typeof WINDOWS): number => windows.reduce((sum, { size }) => sum + size, 0);

/** Floats of a piece's row. */
export const PIECE_ROW = INPUTS + placesOf(WINDOWS) * BRANCH;

export const BRANCHES: readonly BranchForm[] = WINDOWS.map((window, index) => ({
  ...window,
  input: index * BRANCH,
  shares: INPUTS + placesOf(WINDOWS.slice(0, index)) * BRANCH,
}));
