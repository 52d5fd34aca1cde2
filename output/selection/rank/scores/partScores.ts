/** One part of the scores of a catalogue's items, with the source that contributed most to each. */

/** No source contributed to the item. */
export const NO_SOURCE = -1;
/** The item has no value in this part. */
const UNTOUCHED = -2;
const GROWTH = 1.25;

/** Sparse scores: most items have nothing to do with a person, so only touched ones are visited. */
export class PartScores {
  /** Values by slot; may be longer than the catalogue. */
  values = new Float32Array(0);
  #sources = new Int32Array(0);
  /** For each slot, the contribution of its source. */
  #contributions = new Float32Array(0);
  #touched = new Uint32Array(0);
  #count = 0;

  /** The distinct slots with a value. */
  get touched(): Uint32Array {
    return this.#touched.subarray(0, this.#count);
  }

  /** Clears all values. */
  reset(slots: number): void {
    for (const slot of this.touched) {
      this.values[slot] = 0;
      this.#contributions[slot] = 0;
      this.#sources[slot] = UNTOUCHED;
    }
    this.#count = 0;
    if (slots <= this.values.length) return;
    const capacity = Math.ceil(slots * GROWTH);
    this.values = new Float32Array(capacity);
    this.#contributions = new Float32Array(capacity);
    this.#sources = new Int32Array(capacity).fill(UNTOUCHED);
    this.#touched = new Uint32Array(capacity);
  }

  add(slot: number, value: number, source: number): void {
    this.#touch(slot);
    this.values[slot] = (this.values[slot] as number) + value;
    if (value <= (this.#contributions[slot] as number)) return;
    this.#contributions[slot] = value;
    this.#sources[slot] = source;
  }

  /** Sets the value to the highest of several sources. */
  raise(slot: number, value: number, source: number): void {
    this.#touch(slot);
    if (value <= (this.values[slot] as number)) return;
    this.values[slot] = value;
    this.#contributions[slot] = value;
    this.#sources[slot] = source;
  }

  /** Returns the source that contributed most; {@link NO_SOURCE} if there is none. */
  sourceOf(slot: number): number {
    return Math.max(NO_SOURCE, this.#sources[slot] ?? NO_SOURCE);
  }

  /** Returns the largest absolute value; 0 when nothing was added. */
  largest(): number {
    let max = 0;
    for (const slot of this.touched) max = Math.max(max, Math.abs(this.values[slot] as number));
    return max;
  }

  #touch(slot: number): void {
    if (this.#sources[slot] !== UNTOUCHED) return;
    this.#sources[slot] = NO_SOURCE;
    this.#touched[this.#count] = slot;
    this.#count += 1;
  }
}
