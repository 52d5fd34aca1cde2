/** The best of many scored slots: a heap of bounded size, the worst that is kept at its root. */

export interface ScoredSlots {
  /** The best first. */
  slots: Uint32Array;
  scores: Float32Array;
}

export class TopSlots {
  readonly #slots: Uint32Array;
  readonly #scores: Float32Array;
  #size = 0;
  #isCut = false;

  constructor(capacity: number) {
    this.#slots = new Uint32Array(capacity);
    this.#scores = new Float32Array(capacity);
  }

  /** Something was offered that found no room. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Whether a score finds no room, for a slot that comes after all that were offered; never before {@link isCut} holds. */
  isTooLow(score: number): boolean {
    return this.#isCut && (this.#size === 0 || Math.fround(score) <= this.#scoreAt(0));
  }

  /** The lower one of two slots with equal scores is the better one, so that a ranking made twice is the same. */
  offer(slot: number, given: number): void {
    const score = Math.fround(given);
    if (this.#size < this.#slots.length) {
      this.#size += 1;
      this.#rise(this.#size - 1, slot, score);
      return;
    }
    this.#isCut = true;
    if (this.#size > 0 && this.#isWorse(0, slot, score)) this.#sink(slot, score);
  }

  /** The heap is as good as empty afterwards. */
  take(): ScoredSlots {
    const order = Array.from({ length: this.#size }, (_, at) => at).sort((a, b) =>
      this.#isWorse(a, this.#slotAt(b), this.#scoreAt(b)) ? 1 : -1,
    );
    return {
      slots: Uint32Array.from(order, (at) => this.#slotAt(at)),
      scores: Float32Array.from(order, (at) => this.#scoreAt(at)),
    };
  }

  #slotAt(at: number): number {
    return this.#slots[at] as number;
  }

  #scoreAt(at: number): number {
    return this.#scores[at] as number;
  }

  /** Whether what is kept at a place is worse than another. */
  #isWorse(at: number, slot: number, score: number): boolean {
    const own = this.#scoreAt(at);
    return own < score || (own === score && this.#slotAt(at) > slot);
  }

  #put(at: number, slot: number, score: number): void {
    this.#slots[at] = slot;
    this.#scores[at] = score;
  }

  #rise(from: number, slot: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#isWorse(parent, slot, score)) break;
      this.#put(at, this.#slotAt(parent), this.#scoreAt(parent));
      at = parent;
    }
    this.#put(at, slot, score);
  }

  /** In place of the root. */
  #sink(slot: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#isWorse(child + 1, this.#slotAt(child), this.#scoreAt(child))) child += 1;
      if (!this.#isWorse(child, slot, score)) break;
      this.#put(at, this.#slotAt(child), this.#scoreAt(child));
      at = child;
    }
    this.#put(at, slot, score);
  }
}
