/** Keeps the best of many scored slots, with the precision of neighbour lists. */
import { TopNumbers } from '../../topNumbers.ts';

export interface ScoredSlots {
  /** The best first. */
  slots: Uint32Array;
  scores: Float32Array;
}

export class TopSlots {
  readonly #top: TopNumbers;
  #isCut = false;
  /** Copies of the heap's values for the loops over all slots: asking the heap takes ten times as long. */
  #worst = -Infinity;
  #worstSlot = 0;

  constructor(capacity: number) {
    this.#top = new TopNumbers(capacity);
    if (capacity > 0) return;
    this.#worst = Infinity;
  }

  /** True when an offered slot was not kept. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /**
   * Returns false for a slot that would not be kept and would not change {@link isCut} either, so that nothing has to
   * be checked for it.
   * @param maxScore its score, or an upper bound
   */
  hasRoom(slot: number, maxScore: number): boolean {
    if (!this.#isCut) return true;
    const rounded = Math.fround(maxScore);
    return rounded > this.#worst || (rounded === this.#worst && slot < this.#worstSlot);
  }

  /** Returns true when neither a slot of this score nor one of a lower score would be kept, whatever its number. */
  isBeyond(maxScore: number): boolean {
    return this.#isCut && Math.fround(maxScore) < this.#worst;
  }

  /** Offers a slot. Ties go to the lower slot, so that repeated rankings are equal. */
  offer(slot: number, score: number): void {
    if (this.#top.isFull) this.#isCut = true;
    this.#top.offer(slot, Math.fround(score));
    if (!this.#isCut || this.#top.isEmpty) return;
    this.#worst = this.#top.worst;
    this.#worstSlot = this.#top.worstNumber;
  }

  take(): ScoredSlots {
    const { numbers, scores } = this.#top.ranked();
    return { slots: numbers, scores: new Float32Array(scores) };
  }
}
