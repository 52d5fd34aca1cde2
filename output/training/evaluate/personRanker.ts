/** Scores a person's history with a model: the parts of a score, combined as rankers do it (Blend). */
import { decay } from '../../../domain/output/itemSignals.ts';
import {
  decayFactor,
  MAX_TASTE_ITEMS,
  SESSION_FADING,
  SESSION_ITEMS,
  type Blend,
  type EventDecay,
  type ItemWeights,
} from '../../models/itemModel.ts';
import { at, type Interactions } from '../rows/interactions.ts';
import { CUTOFF } from './rankingQuality.ts';
import { TopNumbers } from '../../topNumbers.ts';
import type { Case } from './evaluationWindow.ts';

/** Maximum number of popular items that are ranked besides those that the model reaches. */
const MAX_POPULAR = 200;

/** The scores of items by one part of a model. */
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
      // Never exactly 0 again, or the item would be listed twice.
      this.scores[target] = score + value * at(weights, entry) || Number.MIN_VALUE;
    }
  }

  clear(): void {
    for (const item of this.touched) this.scores[item] = 0;
    this.#count = 0;
  }

  /** Returns the largest absolute score; 1 when there is none. */
  largest(): number {
    let largest = 0;
    for (const item of this.touched) largest = Math.max(largest, Math.abs(at(this.scores, item)));
    return largest > 0 ? largest : 1;
  }
}

export interface ModelParts {
  taste: ItemWeights;
  transition: ItemWeights;
  /** The popularity of each item, 0 to 1. */
  popularity: Float64Array;
}

/** Returns popularity from 0 to 1 on a logarithmic scale: a tenth of the largest count gets more than a tenth. */
export function popularityShares(counts: Float64Array): Float64Array {
  const largest = Math.log1p(counts.reduce((most, count) => Math.max(most, count), 0)) || 1;
  return counts.map((count) => Math.log1p(count) / largest);
}

/** Ranks the items that a person has not met, by several blends at once. */
export class PersonRanker {
  readonly #data: Interactions;
  readonly #parts: ModelParts;
  readonly #popular: Uint32Array;
  readonly #taste: Part;
  readonly #transition: Part;
  readonly #seen: Uint8Array;
  readonly #isCandidate: Uint8Array;
  readonly #best = new TopNumbers(CUTOFF);

  constructor(data: Interactions, parts: ModelParts) {
    const items = data.ids.length;
    this.#data = data;
    this.#parts = parts;
    const best = new TopNumbers(MAX_POPULAR);
    for (let item = 0; item < items; item += 1) best.offer(item, at(parts.popularity, item));
    this.#popular = best.ranked().numbers;
    this.#taste = new Part(items);
    this.#transition = new Part(items);
    this.#seen = new Uint8Array(items);
    this.#isCandidate = new Uint8Array(items);
  }

  /** Returns the items for each blend, the best first. It is faster if blends with the same fading are consecutive. */
  rank({ person, known, moment }: Case, blends: readonly Blend[]): number[][] {
    const { offsets, items } = this.#data;
    const begin = at(offsets, person);
    const end = begin + known;
    for (let event = begin; event < end; event += 1) this.#seen[at(items, event)] = 1;
    const met = [...this.#metItems(begin, end, moment)];
    this.#fill(this.#transition, this.#parts.transition, met.slice(0, SESSION_ITEMS), SESSION_FADING);
    let decay: EventDecay | null = null;
    const rankings = blends.map((blend) => {
      if (decay === null || decay.halfLifeEvents !== blend.halfLifeEvents || decay.lasting !== blend.lasting)
        this.#fill(this.#taste, this.#parts.taste, met.slice(0, MAX_TASTE_ITEMS), blend);
      decay = blend;
      return this.#rankBy(blend);
    });
    for (let event = begin; event < end; event += 1) this.#seen[at(items, event)] = 0;
    return rankings;
  }

  /** Returns the weight of each met item, the latest first. */
  #metItems(begin: number, end: number, moment: number): Map<number, number> {
    const met = new Map<number, number>();
    for (let event = end - 1; event >= begin; event -= 1) {
      const item = at(this.#data.items, event);
      const weight = at(this.#data.weights, event) * decay((moment - at(this.#data.seconds, event)) * 1000);
      met.set(item, (met.get(item) ?? 0) + weight);
    }
    return met;
  }

  /** Fills a part from the items that a person met, the latest first. */
  #fill(part: Part, weights: ItemWeights, met: readonly [number, number][], decay: EventDecay): void {
    part.clear();
    for (const [later, [item, weight]] of met.entries()) part.add(weights, item, weight * decayFactor(decay, later));
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
    return Array.from(this.#best.ranked().numbers);
  }
}
