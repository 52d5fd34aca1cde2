/** Finds the changes made in a form, so that saving them does not revert what others have changed meanwhile. */

/** Returns the fields of `after` whose values are others than before. */
export function changedFields<T extends object>(before: T, after: T): Partial<T> {
  const former = new Map<string, unknown>(Object.entries(before));
  const isChanged = ([name, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify(former.get(name));
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<T>;
}

/**
 * Returns the newest version of something with the changes of a form.
 * @param before as the form has opened with it
 * @param after as the form leaves it
 */
export function mergeChanges<T extends object>(newest: T, before: T, after: T): T {
  return { ...newest, ...changedFields(before, after) };
}
