/** Scores of all slots on top of a shared base: only differences are written. */
import { withRoom } from '../../../growableColumns.ts';

export class Totals {
  #base = new Float32Array(0);
  #slotCount = 0;
  /** By index, in the order in which slots were first touched. */
  #scores = new Float32Array(0);
  #slots = new Uint32Array(0);
  /** The index of each touched slot. Entries from before the last {@link begin} stay, and {@link isTouched} sees it. */
  #indexOf = new Uint32Array(0);
  #count = 0;

  /**
   * Clears the differences.
   * @param base the initial score of each slot; 0 for slots after those
   */
  begin(base: Float32Array<ArrayBuffer>, slotCount = base.length): void {
    this.#base = base;
    this.#slotCount = slotCount;
    this.#scores = withRoom(this.#scores, slotCount);
    this.#slots = withRoom(this.#slots, slotCount);
    this.#indexOf = withRoom(this.#indexOf, slotCount);
    this.#count = 0;
  }

  add(slot: number, score: number): void {
    const index = this.#touch(slot);
    this.#scores[index] = (this.#scores[index] as number) + score;
  }

  /** Replaces the score of a slot. */
  set(slot: number, score: number): void {
    this.#scores[this.#touch(slot)] = score;
  }

  #touch(slot: number): number {
    if (this.isTouched(slot)) return this.#indexOf[slot] as number;
    const index = this.#count;
    this.#count += 1;
    this.#slots[index] = slot;
    this.#indexOf[slot] = index;
    this.#scores[index] = this.#base[slot] ?? 0;
    return index;
  }

  isTouched(slot: number): boolean {
    const index = this.#indexOf[slot] as number;
    return index < this.#count && this.#slots[index] === slot;
  }

  of(slot: number): number {
    return (this.isTouched(slot) ? this.#scores[this.#indexOf[slot] as number] : this.#base[slot]) ?? 0;
  }

  /** Returns the touched slots, as views that are valid until the next {@link begin}. */
  touched(): { slots: Uint32Array; scores: Float32Array } {
    return { slots: this.#slots.subarray(0, this.#count), scores: this.#scores.subarray(0, this.#count) };
  }

  /** Returns the scores of all slots. */
  all(): Float32Array {
    const all = new Float32Array(this.#slotCount);
    all.set(this.#base);
    const { slots, scores } = this.touched();
    for (let index = 0; index < slots.length; index += 1) all[slots[index] as number] = scores[index] as number;
    return all;
  }
}
