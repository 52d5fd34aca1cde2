/** The three branches of the encoder, and the layout of a piece's row of floats. */

/** Numbers of a piece within a branch. */
export const BRANCH = 256;

export interface BranchForm {
  /** Pieces of a window; also the suffix of its arrays' names. */
  size: number;
  /** Number of pieces in the window before the piece that it is centred on. */
  before: number;
  /** Start of the branch's input within a piece's row. */
  input: number;
  /**
   * Start of what the piece contributes to the sum of the window in which it is first; its contributions to the windows
   * in which it has the other places follow.
   */
  shares: number;
}

const WINDOWS = [
  { size: 2, before: 0 },
  { size: 3, before: 1 },
  { size: 5, before: 2 },
];

/** Number of floats in the inputs of all branches, at the start of a row. */
export const INPUTS = WINDOWS.length * BRANCH;

const placesOf = (windows: typeof WINDOWS): number => windows.reduce((sum, { size }) => sum + size, 0);

/** Number of floats in a piece's row. */
export const PIECE_ROW = INPUTS + placesOf(WINDOWS) * BRANCH;

export const BRANCHES: readonly BranchForm[] = WINDOWS.map((window, index) => ({
  ...window,
  input: index * BRANCH,
  shares: INPUTS + placesOf(WINDOWS.slice(0, index)) * BRANCH,
}));
