/** What a model says to a person's history: the parts of a score, as rankers put them together (Blend). */
import { decay } from '../../domain/output/signals.ts';
import type { Blend, ItemWeights } from '../models/itemModel.ts';
import { at, type Interactions } from './interactions.ts';
import { PLACES } from './measures.ts';
import { TopNumbers } from '../topNumbers.ts';
import type { Case } from './window.ts';

/** Of a person the latest so many items count, as at serving. */
const MOST_ITEMS = 500;
/** What comes next goes by the latest items alone: each weighs half of the one after it. */
const LATEST_ITEMS = 5;
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

  /** Without its sign; 1 when there is nothing. */
  largest(): number {
    let largest = 0;
    for (const item of this.touched) largest = Math.max(largest, Math.abs(at(this.scores, item)));
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
  readonly #parts: ModelParts;
  readonly #popular: Uint32Array;
  readonly #taste: Part;
  readonly #transition: Part;
  readonly #seen: Uint8Array;
  readonly #isCandidate: Uint8Array;
  readonly #best = new TopNumbers(PLACES);

  constructor(data: Interactions, parts: ModelParts) {
    const items = data.ids.length;
    this.#data = data;
    this.#parts = parts;
    const best = new TopNumbers(MOST_POPULAR);
    for (let item = 0; item < items; item += 1) best.offer(item, at(parts.popularity, item));
    this.#popular = Uint32Array.from(best.ranked(), ({ number }) => number);
    this.#taste = new Part(items);
    this.#transition = new Part(items);
    this.#seen = new Uint8Array(items);
    this.#isCandidate = new Uint8Array(items);
  }

  /**
   * For each blend the items, the best first. Blends of one half-life that follow each other are quick.
   */
  rank({ person, known, moment }: Case, blends: readonly Blend[]): number[][] {
    const { offsets, items } = this.#data;
    const begin = at(offsets, person);
    const end = begin + known;
    for (let event = begin; event < end; event += 1) this.#seen[at(items, event)] = 1;
    const met = [...this.#metItems(begin, end, moment)];
    this.#fill(this.#transition, this.#parts.transition, met.slice(0, LATEST_ITEMS), 1);
    let halfLife: number | null = null;
    const rankings = blends.map((blend) => {
      if (blend.halfLifeEvents !== halfLife)
        this.#fill(this.#taste, this.#parts.taste, met.slice(0, MOST_ITEMS), blend.halfLifeEvents);
      halfLife = blend.halfLifeEvents;
      return this.#rankBy(blend);
    });
    for (let event = begin; event < end; event += 1) this.#seen[at(items, event)] = 0;
    return rankings;
  }

  /** What each item weighs, the one that was met last first. */
  #metItems(begin: number, end: number, moment: number): Map<number, number> {
    const met = new Map<number, number>();
    for (let event = end - 1; event >= begin; event -= 1) {
      const item = at(this.#data.items, event);
      const weight = at(this.#data.weights, event) * decay((moment - at(this.#data.seconds, event)) * 1000);
      met.set(item, (met.get(item) ?? 0) + weight);
    }
    return met;
  }

  /** After so many later items one counts half. */
  #fill(part: Part, weights: ItemWeights, met: readonly [number, number][], halfLife: number): void {
    part.clear();
    for (const [later, [item, weight]] of met.entries()) part.add(weights, item, weight * 0.5 ** (later / halfLife));
  }

  #rankBy(blend: Blend): number[] {
    const taste = blend.taste / this.#taste.largest();
    const transition = blend.transition / this.#transition.largest();
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
