/** The vectors of a catalogue in one block of memory: compared one after the other, they are read as they lie. */
import { product, type PlacedItem } from '../../domain/output/vectors.ts';
import { withRoom } from '../columns.ts';
import { SketchColumns } from './sketchColumns.ts';
import { productsWith, productsWithRows, VECTOR_UNIT } from './vectorProducts.ts';

/** Vectors that may be compared: of one model and one dimension. */
interface Space {
  model: string;
  dimension: number;
}

const NO_SPACE = -1;
const FIRST_CAPACITY = 256;
const GROWTH = 1.5;

/** From so many slots on, sketches say which vectors are worth comparing: with fewer, comparing all takes no longer. */
const SKETCHED_FROM = 16_384;
/** Vectors that are compared then: twice as many as a list of neighbours keeps. */
const CANDIDATES = 1_024;
/** A sketch is an eighth of a vector of usual length. */
const SKETCH_COST = 1 / 8;

/** Slots with their cosines, by number. */
export interface NearSlots {
  slots: Uint32Array;
  cosines: Float32Array;
  /** No other slot has the cosine that was asked for. */
  isAll: boolean;
}

export const NOTHING_NEAR: NearSlots = { slots: new Uint32Array(0), cosines: new Float32Array(0), isAll: true };

/** Comparisons are made one after the other, so they share their memory. */
let cosines = new Float32Array(0);

export class VectorColumns {
  readonly #spaces: Space[] = [];
  /** Numbers between the beginnings of two vectors: the largest dimension, up to the next multiple of a unit. */
  #stride = 0;
  #numbers = new Int8Array(0);
  #norms = new Float64Array(0);
  #spaceOf = new Int16Array(0);
  readonly #sketches = new SketchColumns();

  get bytes(): number {
    return this.#numbers.byteLength + this.#norms.byteLength + this.#spaceOf.byteLength + this.#sketches.bytes;
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
    if (placed !== null) {
      known.set(placed.vector);
      this.#sketches.set(slot, placed.vector);
    }
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
    const own = this.#knownSpace({ model, vector });
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
   * The slots below `slots` with a cosine of `least` or more. Among many slots only those are compared that sketches tell
   * to be near: a few may be missing, and those that are furthest away when very many have such a cosine.
   */
  near(placed: PlacedItem, slots: number, least: number): NearSlots {
    return slots < SKETCHED_FROM ? this.allNear(placed, slots, least) : this.#nearBySketches(placed, slots, least);
  }

  /** The same with all of them, whatever it takes. */
  allNear(placed: PlacedItem, slots: number, least: number): NearSlots {
    const all = this.compareAll(placed, slots);
    const found = new Uint32Array(all.length);
    let count = 0;
    for (let slot = 0; slot < all.length; slot += 1)
      if ((all[slot] as number) >= least) {
        found[count] = slot;
        count += 1;
      }
    const near = found.subarray(0, count);
    return { slots: near, cosines: Float32Array.from(near, (slot) => all[slot] as number), isAll: true };
  }

  /** What {@link near} costs, in comparisons of two vectors. */
  nearCost(slots: number): number {
    return slots < SKETCHED_FROM ? slots : CANDIDATES + slots * SKETCH_COST;
  }

  #nearBySketches({ model, vector, norm }: PlacedItem, slots: number, least: number): NearSlots {
    const own = this.#knownSpace({ model, vector });
    const asked = { slots, least, most: CANDIDATES, spaceOf: this.#spaceOf, space: own };
    if (own === NO_SPACE) return NOTHING_NEAR;
    const candidates = this.#sketches.candidates(vector, asked);
    const near = new Uint32Array(candidates.slots.length);
    const cosinesOfNear = new Float32Array(candidates.slots.length);
    let count = 0;
    let isCut = false;
    const rows = { numbers: this.#numbers, stride: this.#stride, rows: candidates.slots };
    productsWithRows(vector, rows, (first, products) => {
      for (let at = 0; at < products.length; at += 1) {
        const slot = candidates.slots[first + at] as number;
        const cosine = (products[at] as number) / (norm * (this.#norms[slot] as number));
        if (cosine < least) continue;
        // Where the last candidates are near enough, some of those that were cut off may be, too.
        isCut ||= !candidates.isAll && candidates.isLast[first + at] === 1;
        near[count] = slot;
        cosinesOfNear[count] = cosine;
        count += 1;
      }
    });
    return { slots: near.subarray(0, count), cosines: cosinesOfNear.subarray(0, count), isAll: !isCut };
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

  #knownSpace({ model, vector }: Pick<PlacedItem, 'model' | 'vector'>): number {
    return this.#spaces.findIndex((space) => space.model === model && space.dimension === vector.length);
  }

  #spaceFor({ model, vector }: PlacedItem): number {
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
