/** What people did, as training reads it: typed arrays, so that millions of events fit. */

/** The positive events of a project's people. Items are numbers into `ids`, of which the most met comes first. */
export interface Interactions {
  ids: readonly string[];
  /** The events of person p: from `offsets[p]` to `offsets[p + 1] - 1`, the oldest first. */
  offsets: Uint32Array;
  /** Of each event its item, */
  items: Uint32Array;
  /** when it happened (seconds since 1970), */
  seconds: Uint32Array;
  /** what it weighs: the type's weight times the multiplier of its value, above 0, */
  weights: Float32Array;
  /** and the order that it is a line of, or 0. No two people share an order. */
  baskets: Uint32Array;
}

export const peopleOf = ({ offsets }: Interactions): number => offsets.length - 1;

/** How many events of each person belong to a part of the data that begins with everybody's first event. */
export type Cuts = Uint32Array;

/** All events of everybody. */
export function wholeOf({ offsets }: Interactions): Cuts {
  return Uint32Array.from({ length: offsets.length - 1 }, (_, person) => at(offsets, person + 1) - at(offsets, person));
}

/** An element that is known to be there: the loops of training stay within their arrays. */
export function at(array: Uint32Array | Float32Array | Float64Array, index: number): number {
  return array[index] as number;
}
