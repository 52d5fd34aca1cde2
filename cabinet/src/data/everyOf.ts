/**
 * Returns all values of a type of the API, in the order of writing: one that the API has gained is a type error until
 * it is added.
 */
export const everyOf = <T extends string>(values: Readonly<Record<T, true>>): readonly T[] =>
  Object.keys(values) as T[];
