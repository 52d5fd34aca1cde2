/** The parts of a personal score: what the person's items, interests and authors, and the subjects of a question, say of each item. */
import { shareOf, USUAL_PERIOD } from '../../domain/output/popularity.ts';
import type { Blend } from '../models/itemModel.ts';
import type { Catalogue } from './catalogue.ts';
import type { NamedInterest, NamedRegion, WeightedItem } from './messages.ts';
import type { ComparisonBudget } from './neighbourLists.ts';
import type { PartScores } from './partScores.ts';
import type { SlotModel } from './slotModel.ts';
import type { SlotWeights } from './slotWeights.ts';

/** Where nobody has learned anything yet: what is like the person's items, then what is popular. */
export const NO_MODEL_BLEND: Blend = { halfLifeEvents: 5, taste: 0, transition: 0, content: 1, popularity: 0.3 };

/** What the best item of all parts of a blend would get. */
export function totalOf({ taste, transition, content, popularity }: Blend): number {
  return taste + transition + content + popularity;
}

/** An item of the catalogue with what it weighs. */
export interface WeightedSlot {
  id: string;
  slot: number;
  weight: number;
}

/** Items that the catalogue has, in their order. */
export function slotsOf(catalogue: Catalogue, items: readonly WeightedItem[]): WeightedSlot[] {
  return items.flatMap(({ item: id, weight }) => {
    const slot = catalogue.slotOf(id);
    return slot === undefined ? [] : [{ id, slot, weight }];
  });
}

export function idsOf(items: readonly WeightedSlot[]): string[] {
  return items.map(({ id }) => id);
}

/** As the person put them. */
export function namesOf(named: readonly { value: string }[]): string[] {
  return named.map(({ value }) => value);
}

/** The weights of items by their place: after so many later ones, one counts half. */
export function byRecency(items: readonly WeightedSlot[], halfLife: number): WeightedSlot[] {
  return items.map((item, later) => ({ ...item, weight: item.weight * 0.5 ** (later / halfLife) }));
}

/** Sums the rows of items. The sources are their numbers in the list. */
export function addRows(part: PartScores, weights: SlotWeights, items: readonly WeightedSlot[]): void {
  for (const [source, { slot, weight }] of items.entries()) {
    const row = weights.row(slot);
    for (let at = 0; at < row.slots.length; at += 1)
      part.add(row.slots[at] as number, (row.weights[at] as number) * weight, source);
  }
}

/** Items that are compared by content: the others say less, and each may cost a comparison with the whole catalogue. */
const MOST_WANTED = 5;
const MOST_UNWANTED = 2;

/**
 * What is near by content to the items: of several the one that says most, so that a person with two tastes gets both and
 * nothing in between. What is near to unwanted items is lowered.
 * @param budget items whose neighbours are not known are left out when it is used up
 */
export function addNeighbours(
  part: PartScores,
  catalogue: Catalogue,
  items: readonly WeightedSlot[],
  budget: ComparisonBudget,
): void {
  const wanted = strongest(items, 1).slice(0, MOST_WANTED);
  const unwanted = strongest(items, -1).slice(0, MOST_UNWANTED);
  const most = Math.max(0, ...[...wanted, ...unwanted].map(({ item }) => Math.abs(item.weight)));
  if (most === 0) return;
  for (const { item, source } of wanted) {
    const near = catalogue.neighboursWithin(item.slot, budget);
    for (let at = 0; near !== null && at < near.slots.length; at += 1)
      part.raise(near.slots[at] as number, (near.scores[at] as number) * (item.weight / most), source);
  }
  for (const { item, source } of unwanted) {
    const near = catalogue.neighboursWithin(item.slot, budget);
    for (let at = 0; near !== null && at < near.slots.length; at += 1)
      part.add(near.slots[at] as number, (near.scores[at] as number) * (item.weight / most), source);
  }
}

/** From so many people on, what they met says more of an item than its content does. */
const KNOWN_BY = 10;

/** What is near by content, the more the fewer people have met it: the model cannot say much of that yet. */
export function addUnmet(part: PartScores, content: PartScores, { peopleOf }: SlotModel): void {
  for (const slot of content.touched) {
    const share = KNOWN_BY / (KNOWN_BY + peopleOf(slot));
    part.add(slot, (content.values[slot] as number) * share, content.sourceOf(slot));
  }
}

function strongest(items: readonly WeightedSlot[], sign: number): { item: WeightedSlot; source: number }[] {
  return items
    .map((item, source) => ({ item, source }))
    .filter(({ item }) => item.weight * sign > 0)
    .toSorted((a, b) => (b.item.weight - a.item.weight) * sign);
}

/** Items of the authors; the sources are their numbers in the list. */
export function addAuthors(part: PartScores, catalogue: Catalogue, authors: readonly string[]): void {
  for (const [source, author] of authors.entries())
    for (const slot of catalogue.columns.ofAuthor(author)) part.raise(slot, 1, source);
}

/** What is popular at the places; the sources are their numbers in the list. */
export function addPlaces(part: PartScores, catalogue: Catalogue, places: readonly NamedRegion[]): void {
  for (const [source, { key }] of places.entries()) {
    const counts = catalogue.regions.find(key, USUAL_PERIOD);
    const most = counts?.most() ?? 0;
    for (const slot of counts?.slots() ?? []) part.raise(slot, shareOf(counts?.total(slot) ?? 0, most), source);
  }
}

/** Items on the interests, the more for each more of them; the sources are their numbers in the list. */
export function addInterests(part: PartScores, catalogue: Catalogue, interests: readonly NamedInterest[]): void {
  for (const [source, { key }] of interests.entries())
    for (const slot of catalogue.columns.ofInterest(key)) part.add(slot, 1, source);
}
