/** The vectors of a catalogue in one block of memory, so that a comparison with all of them reads it sequentially. */
import { product, type ItemVector } from '../../../domain/output/vectors.ts';
import { withRoom } from '../../growableColumns.ts';
import { SketchColumns, type Candidates } from './sketchColumns.ts';
import { productsAmong, productsWith, productsWithRows, VECTOR_UNIT } from './vectorProducts.ts';

/** Vectors that can be compared: of the same model and dimension. */
interface Space {
  model: string;
  dimension: number;
}

const NO_SPACE = -1;
const FIRST_CAPACITY = 256;
const GROWTH = 1.5;

/** With at least this many slots, sketches select the vectors to compare; with fewer, comparing all takes no longer. */
const SKETCHED_FROM = 8_192;
/**
 * With at least this many slots, missing sketches are added one by one, so that a catalogue that reaches
 * {@link SKETCHED_FROM} is not held up.
 */
const SKETCHES_FROM = SKETCHED_FROM / 2;
/** Number of vectors that sketches select for comparison: twice as many as a neighbour list keeps. */
const CANDIDATES = 1_024;
/**
 * Scattered vectors take longer to compare than consecutive ones, so comparing only candidates pays up to this share of
 * the slots.
 */
const SCATTERED_SHARE = 1 / 8;
/** Cost of comparing a sketch relative to a vector of usual length. */
const SKETCH_COST = 1 / 8;

/** Slots in ascending order, with their cosines. */
export interface NearSlots {
  slots: Uint32Array;
  cosines: Float32Array;
  /** Whether these are all slots with the requested cosine; sketches miss one in rare cases. */
  isAll: boolean;
  /** Cost in comparisons of two vectors. */
  cost: number;
}

export const NOTHING_NEAR: NearSlots = {
  slots: new Uint32Array(0),
  cosines: new Float32Array(0),
  isAll: true,
  cost: 0,
};

/** Reused by every comparison: they are made one at a time. */
let cosines = new Float32Array(0);

export class VectorColumns {
  readonly #spaces: Space[] = [];
  /** Numbers from one vector to the next: the largest dimension, rounded up to a multiple of {@link VECTOR_UNIT}. */
  #stride = 0;
  #numbers = new Int8Array(0);
  #norms = new Float64Array(0);
  #spaceOf = new Int16Array(0);
  readonly #sketches = new SketchColumns();
  /** Slots below this one, and all from {@link SKETCHES_FROM} on, have a sketch. */
  #sketched = 0;

  get bytes(): number {
    return this.#numbers.byteLength + this.#norms.byteLength + this.#spaceOf.byteLength + this.#sketches.bytes;
  }

  modelOf(slot: number): string | null {
    return this.#spaces[this.#spaceOf[slot] ?? NO_SPACE]?.model ?? null;
  }

  /** @returns true when the slot's vector has changed */
  set(slot: number, placed: ItemVector | null): boolean {
    this.#reserve(slot + 1, placed?.vector.length ?? 0);
    const space = placed === null ? NO_SPACE : this.#spaceFor(placed);
    const start = slot * this.#stride;
    const known = this.#numbers.subarray(start, start + (placed?.vector.length ?? 0));
    if (this.#spaceOf[slot] === space && (placed === null || isSame(known, placed.vector))) return false;
    this.#spaceOf[slot] = space;
    if (placed !== null) known.set(placed.vector);
    this.#norms[slot] = placed?.norm ?? 0;
    this.#sketch(slot);
    return true;
  }

  /** Adds the sketch of a slot once the catalogue is large; small catalogues do not use sketches. */
  #sketch(slot: number): void {
    if (slot >= SKETCHES_FROM || slot < this.#sketched) this.#sketchAt(slot);
    if (slot < SKETCHES_FROM || this.#sketched === SKETCHES_FROM) return;
    this.#sketchAt(this.#sketched);
    this.#sketched += 1;
  }

  #sketchAt(slot: number): void {
    const placed = this.at(slot);
    if (placed !== null) this.#sketches.set(slot, placed.vector);
  }

  /** Returns a copy; null for a slot without a vector. */
  at(slot: number): ItemVector | null {
    const space = this.#spaces[this.#spaceOf[slot] ?? NO_SPACE];
    if (!space) return null;
    const start = slot * this.#stride;
    const vector = this.#numbers.slice(start, start + space.dimension);
    return { vector, norm: this.#norms[slot] ?? 0, model: space.model };
  }

  /**
   * Returns a function that returns the cosine of `subject` with a slot, NaN if the two cannot be compared. It is valid
   * until the next {@link set}.
   */
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

  /**
   * Returns the cosines of slots with the given vector, such as a query's; NaN for slots that cannot be compared.
   */
  compare({ model, vector, norm }: ItemVector, slots: Uint32Array): Float64Array<ArrayBuffer> {
    const own = this.#knownSpace({ model, vector });
    const compared = new Float64Array(slots.length).fill(Number.NaN);
    if (own === NO_SPACE) return compared;
    const rows = { numbers: this.#numbers, stride: this.#stride, rows: slots };
    productsWithRows(vector, rows, (first, products) => {
      for (let at = 0; at < products.length; at += 1) {
        const slot = slots[first + at] as number;
        if (this.#spaceOf[slot] === own)
          compared[first + at] = (products[at] as number) / (norm * (this.#norms[slot] as number));
      }
    });
    return compared;
  }

  /**
   * Returns the cosines of a vector with all slots below `slots`, NaN for those that cannot be compared. The next call
   * reuses the memory.
   */
  compareAll({ model, vector, norm }: ItemVector, slots: number): Float32Array {
    const own = this.#knownSpace({ model, vector });
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
   * Returns slots below `slots` with a cosine of at least `minCosine`: the nearest `wanted` of them or more, if there
   * are that many. In a large catalogue only the slots that sketches select are compared. If thousands are as near as
   * the last of them, some may be missing.
   */
  near(
    placed: ItemVector,
    { slots, minCosine, wanted }: { slots: number; minCosine: number; wanted: number },
  ): NearSlots {
    if (!this.#isSketched(slots)) return this.#nearOfAll(placed, slots, minCosine);
    const candidates = this.#candidates(placed, slots, minCosine, CANDIDATES);
    const near = this.#nearAmong(placed, candidates, slots, minCosine);
    if (near.isAll || near.slots.length >= wanted) return near;
    const all = this.allNear(placed, slots, minCosine);
    return { ...all, cost: near.cost + all.cost };
  }

  /** Returns all such slots, at any cost. */
  allNear(placed: ItemVector, slots: number, minCosine: number): NearSlots {
    if (!this.#isSketched(slots)) return this.#nearOfAll(placed, slots, minCosine);
    const candidates = this.#candidates(placed, slots, minCosine, slots * SCATTERED_SHARE);
    return candidates.isAll
      ? this.#nearAmong(placed, candidates, slots, minCosine)
      : this.#nearOfAll(placed, slots, minCosine);
  }

  /** Returns the usual cost of {@link near}, in comparisons of two vectors. */
  nearCost(slots: number): number {
    return this.#isSketched(slots) ? CANDIDATES + slots * SKETCH_COST : slots;
  }

  #isSketched(slots: number): boolean {
    return slots >= SKETCHED_FROM && this.#sketched === SKETCHES_FROM;
  }

  #nearOfAll(placed: ItemVector, slots: number, minCosine: number): NearSlots {
    const all = this.compareAll(placed, slots);
    const found = new Uint32Array(all.length);
    let count = 0;
    for (let slot = 0; slot < all.length; slot += 1)
      if ((all[slot] as number) >= minCosine) {
        found[count] = slot;
        count += 1;
      }
    const near = found.subarray(0, count);
    return { slots: near, cosines: Float32Array.from(near, (slot) => all[slot] as number), isAll: true, cost: slots };
  }

  #candidates({ model, vector }: ItemVector, slots: number, minCosine: number, limit: number): Candidates {
    const space = this.#knownSpace({ model, vector });
    if (space === NO_SPACE) return { slots: NOTHING_NEAR.slots, isAll: true };
    return this.#sketches.candidates(vector, { slots, minCosine, limit, spaceOf: this.#spaceOf, space });
  }

  /** Returns the candidates that are near enough. */
  #nearAmong({ vector, norm }: ItemVector, candidates: Candidates, slots: number, minCosine: number): NearSlots {
    const near = new Uint32Array(candidates.slots.length);
    const cosinesOfNear = new Float32Array(candidates.slots.length);
    let count = 0;
    const rows = { numbers: this.#numbers, stride: this.#stride, rows: candidates.slots };
    productsWithRows(vector, rows, (first, products) => {
      for (let at = 0; at < products.length; at += 1) {
        const slot = candidates.slots[first + at] as number;
        const cosine = (products[at] as number) / (norm * (this.#norms[slot] as number));
        if (cosine < minCosine) continue;
        near[count] = slot;
        cosinesOfNear[count] = cosine;
        count += 1;
      }
    });
    return {
      slots: near.subarray(0, count),
      cosines: cosinesOfNear.subarray(0, count),
      isAll: candidates.isAll,
      cost: slots * SKETCH_COST + candidates.slots.length,
    };
  }

  /**
   * Copies a few slots into a block of their own, to compare them with each other repeatedly.
   * @returns a function that returns the cosines of a slot, given by its index in the list, with all of them; 0 for
   * slots that cannot be compared. Its result is valid until its next call, and the function until the next `among` of
   * any columns.
   */
  among(slots: readonly (number | undefined)[]): (index: number) => Float64Array<ArrayBuffer> {
    const spaces = Int16Array.from(slots, (slot) => this.#spaceOf[slot ?? -1] ?? NO_SPACE);
    const norms = Float64Array.from(slots, (slot) => this.#norms[slot ?? -1] ?? 0);
    const dimensions = this.#spaces.map(({ dimension }) => dimension);
    const rows = Uint32Array.from(slots, (slot) => slot ?? 0);
    const productsOf = productsAmong({ numbers: this.#numbers, stride: this.#stride, rows });
    const cosines = new Float64Array(slots.length);
    return (index) => {
      const own = spaces[index] ?? NO_SPACE;
      const dimension = dimensions[own];
      if (dimension === undefined) return cosines.fill(0);
      const norm = norms[index] as number;
      const products = productsOf(index, dimension);
      for (let at = 0; at < cosines.length; at += 1)
        cosines[at] = spaces[at] === own ? (products[at] as number) / (norm * (norms[at] as number)) : 0;
      return cosines;
    };
  }

  #knownSpace({ model, vector }: Pick<ItemVector, 'model' | 'vector'>): number {
    return this.#spaces.findIndex((space) => space.model === model && space.dimension === vector.length);
  }

  #spaceFor({ model, vector }: ItemVector): number {
    const known = this.#knownSpace({ model, vector });
    return known === NO_SPACE ? this.#spaces.push({ model, dimension: vector.length }) - 1 : known;
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
