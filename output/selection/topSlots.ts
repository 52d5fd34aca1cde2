/** The best of many scored slots, with the precision that lists of neighbours keep. */
import { TopNumbers } from '../topNumbers.ts';

export interface ScoredSlots {
  /** The best first. */
  slots: Uint32Array;
  scores: Float32Array;
}

export class TopSlots {
  readonly #top: TopNumbers;
  #isCut = false;

  constructor(capacity: number) {
    this.#top = new TopNumbers(capacity);
  }

  /** Something was offered that found no room. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /**
   * Scores up to this one find no room, for slots that come after all that were offered; for others, scores below it.
   * Loops over all slots keep it in a variable, which is ten times as fast as asking.
   */
  get bar(): number {
    if (!this.#isCut) return -Infinity;
    return this.#top.isEmpty ? Infinity : this.#top.worst;
  }

  /** The lower one of two slots with equal scores is the better one, so that a ranking made twice is the same. */
  offer(slot: number, score: number): void {
    if (this.#top.isFull) this.#isCut = true;
    this.#top.offer(slot, Math.fround(score));
  }

  take(): ScoredSlots {
    const ranked = this.#top.ranked();
    return {
      slots: Uint32Array.from(ranked, ({ number }) => number),
      scores: Float32Array.from(ranked, ({ score }) => score),
    };
  }
}
