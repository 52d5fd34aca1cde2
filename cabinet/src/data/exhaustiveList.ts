/**
 * Returns all values of a type of the API, in the given order. A value that is new in the API is a type error until it
 * is added.
 */
export const exhaustiveList = <T extends string>(values: Readonly<Record<T, true>>): readonly T[] =>
  Object.keys(values) as T[];
