/** What people meet with an item so much that whoever does not want its like for a while does not want that either. */
import type { SlotModel } from './slotModel.ts';
import type { WeightRow } from './slotWeights.ts';

/** Of one item: a person with many suppressed items must still have something to be shown. */
const MOST = 10;
/** Of the row's heaviest weight. */
const LEAST_SHARE = 0.5;
/** What fewer people have met is in the model by chance. */
const LEAST_PEOPLE = 10;

/**
 * The targets that stand out in a row. Weights of two models, and of two rows, have no common unit, so a row is measured by
 * its own heaviest weight alone.
 * @returns slots, the heaviest first
 */
export function heaviestOf({ slots, weights }: WeightRow): number[] {
  let heaviest = 0;
  for (const weight of weights) if (weight > heaviest) heaviest = weight;
  if (heaviest === 0) return [];
  const targets: { slot: number; weight: number }[] = [];
  for (const [at, weight] of weights.entries())
    if (weight >= LEAST_SHARE * heaviest) targets.push({ slot: slots[at] as number, weight });
  return targets
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, MOST)
    .map(({ slot }) => slot);
}

/** Slots of what is met with the items at the slots given; nothing without a model, or of items that hardly anybody met. */
export function metWith(model: SlotModel | null, slots: readonly number[]): Set<number> {
  if (model === null) return new Set();
  const known = slots.filter((slot) => model.peopleOf(slot) >= LEAST_PEOPLE);
  return new Set(known.flatMap((slot) => heaviestOf(model.taste.row(slot))));
}
