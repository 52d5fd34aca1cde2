/**
 * The parts of a personal score: contributions of the person's items, interests and authors, and of the subjects of a
 * question.
 */
import { shareOf, USUAL_PERIOD } from '../../../domain/output/popularity.ts';
import { decayFactor, type Blend, type EventDecay } from '../../models/itemModel.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { NamedInterest, NamedRegion, WeightedItem } from '../../messages/selectionMessages.ts';
import type { ComparisonBudget } from '../vectors/neighbourLists.ts';
import type { PartScores } from './scores/partScores.ts';
import type { SlotModel } from '../models/slotModel.ts';
import type { SlotWeights } from '../models/slotWeights.ts';

/** The blend without a trained model: items similar to the person's, then popular ones. */
export const NO_MODEL_BLEND: Blend = { halfLifeEvents: 5, taste: 0, transition: 0, content: 1, popularity: 0.3 };

/** Returns the score of an item that is the best in all parts of a blend. */
export function totalOf({ taste, transition, content, popularity }: Blend): number {
  return taste + transition + content + popularity;
}

/** An item of the catalogue with its weight. */
export interface WeightedSlot {
  id: string;
  slot: number;
  weight: number;
}

/** Returns the items that the catalogue has, in order. */
export function slotsOf(catalogue: Catalogue, items: readonly WeightedItem[]): WeightedSlot[] {
  return items.flatMap(({ item: id, weight }) => {
    const slot = catalogue.slotOf(id);
    return slot === undefined ? [] : [{ id, slot, weight }];
  });
}

export function idsOf(items: readonly WeightedSlot[]): string[] {
  return items.map(({ id }) => id);
}

/** Returns the names as the person wrote them. */
export function namesOf(named: readonly { value: string }[]): string[] {
  return named.map(({ value }) => value);
}

/** Weighs items by position, the latest first. */
export function byRecency(items: readonly WeightedSlot[], decay: EventDecay): WeightedSlot[] {
  return items.map((item, later) => ({ ...item, weight: item.weight * decayFactor(decay, later) }));
}

/** Adds the rows of the items; the sources are their indexes in the list. */
export function addRows(part: PartScores, weights: SlotWeights, items: readonly WeightedSlot[]): void {
  for (const [source, { slot, weight }] of items.entries()) {
    const row = weights.row(slot);
    for (let at = 0; at < row.slots.length; at += 1)
      part.add(row.slots[at] as number, (row.weights[at] as number) * weight, source);
  }
}

/**
 * Maximum number of items that are compared by content: further ones matter less, and each may cost a comparison with
 * the whole catalogue.
 */
const MAX_WANTED = 5;
const MAX_UNWANTED = 2;

/**
 * Adds items near to the given ones by content. The highest of several scores counts, so that a person with two tastes
 * gets both and nothing in between. Items near to unwanted ones are lowered.
 * @param budget when it is used up, items without cached neighbours are left out
 */
export function addNeighbours(
  part: PartScores,
  catalogue: Catalogue,
  items: readonly WeightedSlot[],
  budget: ComparisonBudget,
): void {
  const wanted = strongest(items, 1).slice(0, MAX_WANTED);
  const unwanted = strongest(items, -1).slice(0, MAX_UNWANTED);
  const max = Math.max(0, ...[...wanted, ...unwanted].map(({ item }) => Math.abs(item.weight)));
  if (max === 0) return;
  for (const { item, source } of wanted) {
    const near = catalogue.neighboursWithin(item.slot, budget);
    for (let at = 0; near !== null && at < near.slots.length; at += 1)
      part.raise(near.slots[at] as number, (near.scores[at] as number) * (item.weight / max), source);
  }
  for (const { item, source } of unwanted) {
    const near = catalogue.neighboursWithin(item.slot, budget);
    for (let at = 0; near !== null && at < near.slots.length; at += 1)
      part.add(near.slots[at] as number, (near.scores[at] as number) * (item.weight / max), source);
  }
}

/** An item that more people than this have met is described better by the model than by its content. */
const KNOWN_BY = 5;

const unknownShareOf = ({ peopleOf }: SlotModel, slot: number): number => KNOWN_BY / (KNOWN_BY + peopleOf(slot));

/** Returns the share of a person's items, by weight, about which the model knows little; from 0 to 1. */
export function unknownShare(items: readonly WeightedSlot[], model: SlotModel): number {
  let unknown = 0;
  let all = 0;
  for (const { slot, weight } of items) {
    unknown += Math.abs(weight) * unknownShareOf(model, slot);
    all += Math.abs(weight);
  }
  return all === 0 ? 1 : unknown / all;
}

/**
 * Adds items near by content with a share that falls with the number of people who have met them: the model knows
 * little about those that few have met.
 * @param counted the share with which content already counts for all items ({@link unknownShare})
 */
export function addUnmet(part: PartScores, content: PartScores, model: SlotModel, counted: number): void {
  for (const slot of content.touched) {
    const share = unknownShareOf(model, slot) - counted;
    if (share > 0) part.add(slot, (content.values[slot] as number) * share, content.sourceOf(slot));
  }
}

function strongest(items: readonly WeightedSlot[], sign: number): { item: WeightedSlot; source: number }[] {
  return items
    .map((item, source) => ({ item, source }))
    .filter(({ item }) => item.weight * sign > 0)
    .toSorted((a, b) => (b.item.weight - a.item.weight) * sign);
}

/** Adds items of the authors; the sources are their indexes in the list. */
export function addAuthors(part: PartScores, catalogue: Catalogue, authors: readonly string[]): void {
  for (const [source, author] of authors.entries())
    for (const slot of catalogue.columns.ofAuthor(author)) part.raise(slot, 1, source);
}

/** Adds items that are popular at the places; the sources are their indexes in the list. */
export function addPlaces(part: PartScores, catalogue: Catalogue, places: readonly NamedRegion[]): void {
  for (const [source, { key }] of places.entries()) {
    const counts = catalogue.regions.find(key, USUAL_PERIOD);
    const max = counts?.most() ?? 0;
    for (const slot of counts?.slots() ?? []) part.raise(slot, shareOf(counts?.total(slot) ?? 0, max), source);
  }
}

/** Adds items about the interests, more for each matching interest; the sources are their indexes in the list. */
export function addInterests(part: PartScores, catalogue: Catalogue, interests: readonly NamedInterest[]): void {
  for (const [source, { key }] of interests.entries())
    for (const slot of catalogue.columns.ofInterest(key)) part.add(slot, 1, source);
}
