/** One part of the scores of all items of a catalogue, and which of its sources brought each item most. */

/** No source brought the item. */
export const NO_SOURCE = -1;
const GROWTH = 1.25;

export class PartScores {
  /** By slot; longer than the catalogue. */
  values = new Float32Array(0);
  #sources = new Int32Array(0);
  /** Of each slot, what its source brought. */
  #most = new Float32Array(0);
  #slots = 0;

  /** Begins anew. */
  reset(slots: number): void {
    this.#slots = slots;
    if (slots > this.values.length) {
      const capacity = Math.ceil(slots * GROWTH);
      this.values = new Float32Array(capacity);
      this.#sources = new Int32Array(capacity);
      this.#most = new Float32Array(capacity);
    } else {
      this.values.fill(0, 0, slots);
      this.#most.fill(0, 0, slots);
    }
    this.#sources.fill(NO_SOURCE, 0, slots);
  }

  add(slot: number, value: number, source: number): void {
    this.values[slot] = (this.values[slot] as number) + value;
    if (value <= (this.#most[slot] as number)) return;
    this.#most[slot] = value;
    this.#sources[slot] = source;
  }

  /** Of several sources the one that says most. */
  raise(slot: number, value: number, source: number): void {
    if (value <= (this.values[slot] as number)) return;
    this.values[slot] = value;
    this.#most[slot] = value;
    this.#sources[slot] = source;
  }

  /** {@link NO_SOURCE} for what none has brought. */
  sourceOf(slot: number): number {
    return this.#sources[slot] ?? NO_SOURCE;
  }

  /** The largest value without its sign; 0 when nothing was added. */
  largest(): number {
    let most = 0;
    for (let slot = 0; slot < this.#slots; slot += 1) {
      const value = Math.abs(this.values[slot] as number);
      if (value > most) most = value;
    }
    return most;
  }
}
