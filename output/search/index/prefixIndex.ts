/** Values by the first two letters of their spellings, which narrows a search for a prefix without keeping an order. */
export class PrefixIndex<T> {
  readonly #values = new Map<string, T[]>();

  add(spelling: string, value: T): void {
    const key = spelling.slice(0, 2);
    const known = this.#values.get(key);
    if (known) known.push(value);
    else this.#values.set(key, [value]);
  }

  /**
   * Returns the values whose spellings begin with the first two letters of a prefix, or with all of a shorter prefix.
   */
  candidates(prefix: string): readonly T[] {
    if (prefix.length >= 2) return this.#values.get(prefix.slice(0, 2)) ?? [];
    return [...this.#values].flatMap(([key, values]) => (key.startsWith(prefix) ? values : []));
  }
}
