/** What training publishes for one project, and what `selection` ranks by. */

/**
 * Weights between items, a row for each item that was met: the targets of row `r` are
 * `columns[offsets[r]]` to `columns[offsets[r + 1] - 1]`, with their weights at the same places. Rows and columns are
 * numbers into {@link ItemModel.ids}.
 */
export interface ItemWeights {
  offsets: Uint32Array;
  columns: Uint32Array;
  weights: Float32Array;
}

/** How the parts of a score are put together; chosen on the last window of the project's own data. */
export interface Blend {
  /** After so many later events of the person, an event counts half. */
  halfLifeEvents: number;
  taste: number;
  transition: number;
  content: number;
  popularity: number;
}

export interface ItemModel {
  /** Names the model in answers, reports and the list of models. */
  id: string;
  /** The items that the model knows. */
  ids: readonly string[];
  /** What people meet who have met the row's item: a ridge regression for each target. */
  taste: ItemWeights;
  /** What comes after the row's item within a session. */
  transition: ItemWeights;
  /** What is ordered with the row's item: shrunk lift, which has a direction. */
  together: ItemWeights;
  blend: Blend;
}
