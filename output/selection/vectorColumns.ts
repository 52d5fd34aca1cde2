/** The vectors of a catalogue in one block of memory: compared one after the other, they are read as they lie. */
import { product, type PlacedItem } from '../../domain/output/vectors.ts';
import { withRoom } from '../columns.ts';
import { productsWith, VECTOR_UNIT } from './vectorProducts.ts';

/** Vectors that may be compared: of one model and one dimension. */
interface Space {
  model: string;
  dimension: number;
}

const NO_SPACE = -1;
const FIRST_CAPACITY = 256;
const GROWTH = 1.5;

/** Comparisons are made one after the other, so they share their memory. */
let cosines = new Float32Array(0);

export class VectorColumns {
  readonly #spaces: Space[] = [];
  /** Numbers between the beginnings of two vectors: the largest dimension, up to the next multiple of a unit. */
  #stride = 0;
  #numbers = new Int8Array(0);
  #norms = new Float64Array(0);
  #spaceOf = new Int16Array(0);

  get bytes(): number {
    return this.#numbers.byteLength + this.#norms.byteLength + this.#spaceOf.byteLength;
  }

  modelOf(slot: number): string | null {
    return this.#spaces[this.#spaceOf[slot] ?? NO_SPACE]?.model ?? null;
  }

  /** @returns whether the slot's vector is another one than before */
  set(slot: number, placed: PlacedItem | null): boolean {
    this.#reserve(slot + 1, placed?.vector.length ?? 0);
    const space = placed === null ? NO_SPACE : this.#spaceFor(placed);
    const start = slot * this.#stride;
    const known = this.#numbers.subarray(start, start + (placed?.vector.length ?? 0));
    if (this.#spaceOf[slot] === space && (placed === null || isSame(known, placed.vector))) return false;
    this.#spaceOf[slot] = space;
    if (placed !== null) known.set(placed.vector);
    this.#norms[slot] = placed?.norm ?? 0;
    return true;
  }

  /** A copy; null for a slot without a vector. */
  at(slot: number): PlacedItem | null {
    const space = this.#spaces[this.#spaceOf[slot] ?? NO_SPACE];
    if (!space) return null;
    const start = slot * this.#stride;
    const vector = this.#numbers.slice(start, start + space.dimension);
    return { vector, norm: this.#norms[slot] ?? 0, model: space.model };
  }

  /** The cosine of a slot and others, until the next {@link set}; NaN for those that cannot be compared with it. */
  scorer(subject: number): (slot: number) => number {
    const own = this.#spaceOf[subject] ?? NO_SPACE;
    const dimension = this.#spaces[own]?.dimension ?? 0;
    const stride = this.#stride;
    const numbers = this.#numbers;
    const from = subject * stride;
    const norms = this.#norms;
    const spaceOf = this.#spaceOf;
    const norm = norms[subject] ?? 0;
    return (slot) =>
      own === NO_SPACE || spaceOf[slot] !== own
        ? Number.NaN
        : product(numbers, from, numbers, slot * stride, dimension) / (norm * (norms[slot] as number));
  }

  /** The cosine of a slot and a vector that is no item's; NaN for those that cannot be compared with it. */
  scorerTo({ model, vector, norm }: PlacedItem): (slot: number) => number {
    const own = this.#spaces.findIndex((space) => space.model === model && space.dimension === vector.length);
    const numbers = this.#numbers;
    const stride = this.#stride;
    const norms = this.#norms;
    const spaceOf = this.#spaceOf;
    return (slot) =>
      own === NO_SPACE || spaceOf[slot] !== own
        ? Number.NaN
        : product(vector, 0, numbers, slot * stride, vector.length) / (norm * (norms[slot] as number));
  }

  /**
   * The cosines of a vector with all slots below `slots`, NaN for those that cannot be compared with it. The next call
   * uses the same memory.
   */
  compareAll({ model, vector, norm }: PlacedItem, slots: number): Float32Array {
    const own = this.#spaces.findIndex((space) => space.model === model && space.dimension === vector.length);
    cosines = withRoom(cosines, slots);
    const compared = cosines.subarray(0, slots).fill(Number.NaN);
    if (own === NO_SPACE) return compared;
    const spaceOf = this.#spaceOf;
    const norms = this.#norms;
    const count = Math.min(slots, norms.length);
    productsWith(vector, { numbers: this.#numbers, stride: this.#stride, count }, (first, products) => {
      for (let at = 0; at < products.length; at += 1)
        if (spaceOf[first + at] === own)
          compared[first + at] = (products[at] as number) / (norm * (norms[first + at] as number));
    });
    return compared;
  }

  /**
   * A few slots in a block of their own, to be compared with each other again and again.
   * @returns by a slot's place in the list, its cosines with all of them; 0 for what cannot be compared
   */
  among(slots: readonly (number | undefined)[]): (place: number) => Float64Array<ArrayBuffer> {
    const stride = this.#stride;
    const numbers = new Int8Array(slots.length * stride);
    for (const [place, slot] of slots.entries())
      if (slot !== undefined) numbers.set(this.#numbers.subarray(slot * stride, (slot + 1) * stride), place * stride);
    const spaceOf = (slot: number | undefined): number => this.#spaceOf[slot ?? -1] ?? NO_SPACE;
    return (place) => {
      const cosines = new Float64Array(slots.length);
      const own = spaceOf(slots[place]);
      const subject = numbers.subarray(place * stride, place * stride + (this.#spaces[own]?.dimension ?? 0));
      if (subject.length === 0) return cosines;
      const norm = this.#norms[slots[place] ?? -1] ?? 0;
      productsWith(subject, { numbers, stride, count: slots.length }, (first, products) => {
        for (const [at, product] of products.entries()) {
          const slot = slots[first + at] ?? -1;
          if (spaceOf(slot) === own) cosines[first + at] = product / (norm * (this.#norms[slot] as number));
        }
      });
      return cosines;
    };
  }

  #spaceFor({ model, vector }: PlacedItem): number {
    const known = this.#spaces.findIndex((space) => space.model === model && space.dimension === vector.length);
    return known === -1 ? this.#spaces.push({ model, dimension: vector.length }) - 1 : known;
  }

  #reserve(slots: number, dimension: number): void {
    const capacity = this.#spaceOf.length;
    const stride = Math.max(this.#stride, Math.ceil(dimension / VECTOR_UNIT) * VECTOR_UNIT);
    if (slots <= capacity && stride === this.#stride) return;
    const enough = slots <= capacity ? capacity : Math.max(FIRST_CAPACITY, slots, Math.ceil(capacity * GROWTH));
    this.#numbers = this.#layOut(enough, stride);
    this.#stride = stride;
    if (enough === capacity) return;
    const norms = new Float64Array(enough);
    norms.set(this.#norms);
    const spaceOf = new Int16Array(enough).fill(NO_SPACE, capacity);
    spaceOf.set(this.#spaceOf);
    this.#norms = norms;
    this.#spaceOf = spaceOf;
  }

  #layOut(capacity: number, stride: number): Int8Array<ArrayBuffer> {
    const numbers = new Int8Array(capacity * stride);
    if (stride === this.#stride) numbers.set(this.#numbers);
    else
      for (let slot = 0; slot < this.#spaceOf.length; slot += 1)
        numbers.set(this.#numbers.subarray(slot * this.#stride, (slot + 1) * this.#stride), slot * stride);
    return numbers;
  }
}

function isSame(a: Int8Array, b: Int8Array): boolean {
  return a.every((value, at) => value === b[at]);
}
