/** Keeps the best few of many in a heap of bounded size, with the worst kept one at its root. */

/** Numbers with their scores, the best first. */
export interface RankedNumbers {
  numbers: Uint32Array<ArrayBuffer>;
  scores: Float64Array<ArrayBuffer>;
}

/**
 * Keeps the numbers with the largest scores. Ties go to the smaller number, so that the same data always gives the same
 * result.
 */
export class TopNumbers {
  readonly #limit: number;
  /** A heap with the worst at the root. */
  readonly #numbers: Uint32Array;
  readonly #scores: Float64Array;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#numbers = new Uint32Array(limit);
    this.#scores = new Float64Array(limit);
  }

  get isFull(): boolean {
    return this.#count === this.#limit;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** The lowest kept score; meaningless when empty. */
  get worst(): number {
    return this.#scores[0] ?? 0;
  }

  /** The number that is replaced first; meaningless when empty. */
  get worstNumber(): number {
    return this.#numbers[0] ?? 0;
  }

  clear(): void {
    this.#count = 0;
  }

  offer(number: number, score: number): void {
    if (this.#count < this.#limit) {
      this.#raise(this.#count++, number, score);
      return;
    }
    if (this.#limit === 0 || !this.#isWorse(0, number, score)) return;
    this.#sink(number, score);
  }

  /** Returns the kept numbers in ascending order, as a view of `into`. */
  sortedInto(into: Uint32Array): Uint32Array {
    into.set(this.#numbers.subarray(0, this.#count));
    return into.subarray(0, this.#count).sort();
  }

  /** Returns the kept numbers. Sorts them within the heap, because an object for each of them would take longer. */
  ranked(): RankedNumbers {
    const count = this.#count;
    while (this.#count > 0) {
      const { worst, worstNumber } = this;
      const last = (this.#count -= 1);
      this.#sink(this.#numbers[last] as number, this.#scores[last] as number);
      this.#put(last, worstNumber, worst);
    }
    this.#count = count;
    const numbers = this.#numbers.subarray(0, count);
    const scores = this.#scores.subarray(0, count);
    const ranked = { numbers: numbers.slice(), scores: scores.slice() };
    // In ascending order the numbers are a heap again.
    numbers.reverse();
    scores.reverse();
    return ranked;
  }

  /** Returns true when the entry at an index is worse than the given one. */
  #isWorse(index: number, number: number, score: number): boolean {
    const own = this.#scores[index] as number;
    return own < score || (own === score && (this.#numbers[index] as number) > number);
  }

  #put(index: number, number: number, score: number): void {
    this.#numbers[index] = number;
    this.#scores[index] = score;
  }

  #raise(from: number, number: number, score: number): void {
    let index = from;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const aboveNumber = this.#numbers[above] as number;
      const aboveScore = this.#scores[above] as number;
      if (this.#isWorse(above, number, score)) break;
      this.#put(index, aboveNumber, aboveScore);
      index = above;
    }
    this.#put(index, number, score);
  }

  /** Replaces the worst entry. */
  #sink(number: number, score: number): void {
    let index = 0;
    for (;;) {
      let below = index * 2 + 1;
      if (below >= this.#count) break;
      const right = below + 1;
      if (right < this.#count && this.#isWorse(right, this.#numbers[below] as number, this.#scores[below] as number))
        below = right;
      if (!this.#isWorse(below, number, score)) break;
      this.#put(index, this.#numbers[below] as number, this.#scores[below] as number);
      index = below;
    }
    this.#put(index, number, score);
  }
}

/** Returns the indexes of the highest keys, the highest first. Ties go to the lower index. */
export function topIndexes(keys: ArrayLike<number>, limit: number): Uint32Array {
  const top = new TopNumbers(Math.min(limit, keys.length));
  for (let index = 0; index < keys.length; index += 1) top.offer(index, keys[index] as number);
  return top.ranked().numbers;
}
