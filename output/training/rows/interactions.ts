/** User behaviour in the form that training reads: typed arrays, so that millions of events fit. */

/** The positive events of a project's people. Items are indexes into `ids`, where the most met item is first. */
export interface Interactions {
  ids: readonly string[];
  /** The events of person p are at `offsets[p]` to `offsets[p + 1] - 1`, the oldest first. */
  offsets: Uint32Array;
  /** The item of each event. */
  items: Uint32Array;
  /** The time of each event, in seconds since 1970. */
  seconds: Uint32Array;
  /** The weight of each event: the type's weight times the multiplier of its value, greater than 0. */
  weights: Float32Array;
  /** The order that each event is a line of, or 0. No two people share an order. */
  baskets: Uint32Array;
}

export const peopleOf = ({ offsets }: Interactions): number => offsets.length - 1;

/** For each person, the number of events, from the first one on, that belong to a part of the data. */
export type Cuts = Uint32Array;

/** Returns the cuts that include all events. */
export function wholeOf({ offsets }: Interactions): Cuts {
  return Uint32Array.from({ length: offsets.length - 1 }, (_, person) => at(offsets, person + 1) - at(offsets, person));
}

/** Returns an element that is known to exist: the loops of training stay within their arrays. */
export function at(array: Uint32Array | Float32Array | Float64Array, index: number): number {
  return array[index] as number;
}
