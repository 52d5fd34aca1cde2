/** One part of the scores of a catalogue's items, and which of its sources brought each item most. */

/** No source brought the item. */
export const NO_SOURCE = -1;
/** Nothing was said of the item. */
const UNTOUCHED = -2;
const GROWTH = 1.25;

/** Most items have nothing to do with a person: only those that have are gone through. */
export class PartScores {
  /** By slot; longer than the catalogue. */
  values = new Float32Array(0);
  #sources = new Int32Array(0);
  /** Of each slot, what its source brought. */
  #most = new Float32Array(0);
  #touched = new Uint32Array(0);
  #count = 0;

  /** The slots of which something was said, each once. */
  get touched(): Uint32Array {
    return this.#touched.subarray(0, this.#count);
  }

  /** Begins anew. */
  reset(slots: number): void {
    for (const slot of this.touched) {
      this.values[slot] = 0;
      this.#most[slot] = 0;
      this.#sources[slot] = UNTOUCHED;
    }
    this.#count = 0;
    if (slots <= this.values.length) return;
    const capacity = Math.ceil(slots * GROWTH);
    this.values = new Float32Array(capacity);
    this.#most = new Float32Array(capacity);
    this.#sources = new Int32Array(capacity).fill(UNTOUCHED);
    this.#touched = new Uint32Array(capacity);
  }

  add(slot: number, value: number, source: number): void {
    this.#touch(slot);
    this.values[slot] = (this.values[slot] as number) + value;
    if (value <= (this.#most[slot] as number)) return;
    this.#most[slot] = value;
    this.#sources[slot] = source;
  }

  /** Of several sources the one that says most. */
  raise(slot: number, value: number, source: number): void {
    this.#touch(slot);
    if (value <= (this.values[slot] as number)) return;
    this.values[slot] = value;
    this.#most[slot] = value;
    this.#sources[slot] = source;
  }

  /** {@link NO_SOURCE} for what none has brought. */
  sourceOf(slot: number): number {
    return Math.max(NO_SOURCE, this.#sources[slot] ?? NO_SOURCE);
  }

  /** The largest value without its sign; 0 when nothing was added. */
  largest(): number {
    let most = 0;
    for (const slot of this.touched) most = Math.max(most, Math.abs(this.values[slot] as number));
    return most;
  }

  #touch(slot: number): void {
    if (this.#sources[slot] !== UNTOUCHED) return;
    this.#sources[slot] = NO_SOURCE;
    this.#touched[this.#count] = slot;
    this.#count += 1;
  }
}
