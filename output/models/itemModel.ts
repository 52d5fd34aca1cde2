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

/** Maximum number of items that a model knows. */
export const MAX_MODEL_ITEMS = 200_000;

/**
 * Maximum number of a person's latest items that count, in training and in serving: earlier ones add little, and the
 * work of training grows with the square of their number.
 */
export const MAX_TASTE_ITEMS = 500;

/** How the weight of an event fades with the number of the person's later events. */
export interface EventDecay {
  /** Number of later events after which the fading share of an event's weight is half. */
  halfLifeEvents: number;
  /** Share of the weight that never fades, from 0 to 1: lasting tastes. Models of earlier releases do not have it. */
  lasting?: number;
}

/** Number of a person's latest items that count in the part `transition` of a feed, and in its evaluation. */
export const SESSION_ITEMS = 5;
/** Each item of a session weighs half of the one after it. */
export const SESSION_FADING: EventDecay = { halfLifeEvents: 1 };

/** Returns the factor of an event's weight after a number of later events, from `lasting` to 1. */
export function decayFactor({ halfLifeEvents, lasting = 0 }: EventDecay, later: number): number {
  return lasting + (1 - lasting) * 0.5 ** (later / halfLifeEvents);
}

/** Weights that combine the parts of a score; chosen on the last window of the project's own data. */
export interface Blend extends EventDecay {
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
