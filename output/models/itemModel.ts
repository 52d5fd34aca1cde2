/** The model that training publishes for one project and that `selection` ranks by. */

/**
 * Weights between items, with a row for each known item: the targets of row `r` are `columns[offsets[r]]` to
 * `columns[offsets[r + 1] - 1]`, and their weights have the same indexes. Rows and columns are indexes into
 * {@link ItemModel.ids}.
 */
export interface ItemWeights {
  offsets: Uint32Array;
  columns: Uint32Array;
  weights: Float32Array;
}

/** Weights that combine the parts of a score; chosen on the last window of the project's own data. */
export interface Blend {
  /** Number of later events of the person after which an event counts half. */
  halfLifeEvents: number;
  taste: number;
  transition: number;
  content: number;
  popularity: number;
}

export interface ItemModel {
  /** Identifies the model in answers, reports and the list of models. */
  id: string;
  /** The items that the model knows. */
  ids: readonly string[];
  /** Items liked by people who liked the row's item: a ridge regression for each target. */
  taste: ItemWeights;
  /** Items that follow the row's item within a session. */
  transition: ItemWeights;
  /** Items ordered together with the row's item: shrunk lift, which has a direction. */
  together: ItemWeights;
  blend: Blend;
}
