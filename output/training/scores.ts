/** What a model says to a person's history: the parts of a score, as rankers put them together (Blend). */
import type { Blend, ItemWeights } from '../models/itemModel.ts';
import { at, type Cuts, type Interactions } from './interactions.ts';
import { PLACES } from './measures.ts';
import { SESSION_DECAY, SESSION_MEMORY } from './sessionRows.ts';
import { TopPlaces } from './topPlaces.ts';

/** Of a person the latest so many events count. */
const MOST_EVENTS = 500;
/** Whatever a model does not reach is ranked by popularity: no more of that is looked at. */
const MOST_POPULAR = 200;

/** How much each item has to do with some events. */
class Part {
  readonly scores: Float64Array;
  readonly #touched: Uint32Array;
  #count = 0;

  constructor(items: number) {
    this.scores = new Float64Array(items);
    this.#touched = new Uint32Array(items);
  }

  get touched(): Uint32Array {
    return this.#touched.subarray(0, this.#count);
  }

  add({ offsets, columns, weights }: ItemWeights, item: number, value: number): void {
    const end = at(offsets, item + 1);
    for (let entry = at(offsets, item); entry < end; entry += 1) {
      const target = at(columns, entry);
      const score = at(this.scores, target);
      if (score === 0) this.#touched[this.#count++] = target;
      // Never quite 0 again, or it would be noted twice.
      this.scores[target] = score + value * at(weights, entry) || Number.MIN_VALUE;
    }
  }

  clear(): void {
    for (const item of this.touched) this.scores[item] = 0;
    this.#count = 0;
  }

  /** @returns 1 when nothing is above 0 */
  largest(seen: Uint8Array): number {
    let largest = 0;
    for (const item of this.touched) if (seen[item] === 0) largest = Math.max(largest, at(this.scores, item));
    return largest > 0 ? largest : 1;
  }
}

export interface ModelParts {
  taste: ItemWeights;
  transition: ItemWeights;
  /** Of each item, how popular it is, from 0 to 1. */
  popularity: Float64Array;
}

/** From 0 to 1, by the logarithm: the tenth of the most popular one has more than a tenth. */
export function popularityShares(counts: Float64Array): Float64Array {
  const largest = Math.log1p(counts.reduce((most, count) => Math.max(most, count), 0)) || 1;
  return counts.map((count) => Math.log1p(count) / largest);
}

/** Ranks what one person has not met, by several blends at once. */
export class PersonRanker {
  readonly #data: Interactions;
  readonly #cuts: Cuts;
  readonly #parts: ModelParts;
  readonly #popular: Uint32Array;
  readonly #taste: Part;
  readonly #transition: Part;
  readonly #seen: Uint8Array;
  readonly #isCandidate: Uint8Array;
  readonly #best = new TopPlaces(PLACES);

  constructor(data: Interactions, cuts: Cuts, parts: ModelParts) {
    const items = data.ids.length;
    this.#data = data;
    this.#cuts = cuts;
    this.#parts = parts;
    const best = new TopPlaces(MOST_POPULAR);
    for (let item = 0; item < items; item += 1) best.offer(item, at(parts.popularity, item));
    this.#popular = Uint32Array.from(best.ranked(), ({ number }) => number);
    this.#taste = new Part(items);
    this.#transition = new Part(items);
    this.#seen = new Uint8Array(items);
    this.#isCandidate = new Uint8Array(items);
  }

  /** For each blend the items, the best first. The blends are sorted by their half-lives, so that each is reckoned once. */
  rank(person: number, blends: readonly Blend[]): number[][] {
    const { offsets, items } = this.#data;
    const begin = at(offsets, person);
    const end = begin + at(this.#cuts, person);
    for (let event = begin; event < end; event += 1) this.#seen[at(items, event)] = 1;
    this.#fillTransition(begin, end);
    let halfLife: number | null = null;
    const rankings = blends.map((blend) => {
      if (blend.halfLifeEvents !== halfLife) this.#fillTaste(begin, end, blend.halfLifeEvents);
      halfLife = blend.halfLifeEvents;
      return this.#rankBy(blend);
    });
    this.#taste.clear();
    this.#transition.clear();
    for (let event = begin; event < end; event += 1) this.#seen[at(items, event)] = 0;
    return rankings;
  }

  #fillTaste(begin: number, end: number, halfLife: number): void {
    this.#taste.clear();
    for (let event = end - 1; event >= Math.max(begin, end - MOST_EVENTS); event -= 1) {
      const value = at(this.#data.weights, event) * 2 ** (-(end - 1 - event) / halfLife);
      this.#taste.add(this.#parts.taste, at(this.#data.items, event), value);
    }
  }

  #fillTransition(begin: number, end: number): void {
    const latest = new Set<number>();
    for (let event = end - 1; event >= begin && latest.size < SESSION_MEMORY; event -= 1)
      latest.add(at(this.#data.items, event));
    let value = 1;
    for (const item of latest) {
      this.#transition.add(this.#parts.transition, item, value);
      value *= SESSION_DECAY;
    }
  }

  #rankBy(blend: Blend): number[] {
    const taste = blend.taste / this.#taste.largest(this.#seen);
    const transition = blend.transition / this.#transition.largest(this.#seen);
    this.#best.clear();
    const groups = [this.#taste.touched, blend.transition > 0 ? this.#transition.touched : [], this.#popular];
    for (const group of groups) {
      for (const item of group) {
        if (this.#seen[item] === 1 || this.#isCandidate[item] === 1) continue;
        this.#isCandidate[item] = 1;
        const score =
          taste * at(this.#taste.scores, item) +
          transition * at(this.#transition.scores, item) +
          blend.popularity * at(this.#parts.popularity, item);
        this.#best.offer(item, score);
      }
    }
    for (const group of groups) for (const item of group) this.#isCandidate[item] = 0;
    return this.#best.ranked().map(({ number }) => number);
  }
}
