/**
 * Finds items that people see together with another one so often that a person who has rejected that one for a while
 * will not want them either. Those with similar content are found in domain/output/similarity.ts.
 */
import type { SlotModel } from './slotModel.ts';
import type { WeightRow } from './slotWeights.ts';

/** Maximum per item: a person with many suppressed items must still have something to be shown. */
const MAX_PER_ITEM = 10;
/** Minimum share of the row's heaviest weight. */
const MIN_SHARE = 0.5;
/** For items that fewer people have met, the weights are due to chance. */
const MIN_PEOPLE = 10;

/**
 * Returns the targets that stand out in a row. Weights of two models, or of two rows, have no common unit, so a row is
 * measured only by its own heaviest weight.
 * @returns slots, the heaviest first
 */
export function heaviestOf({ slots, weights }: WeightRow): number[] {
  let heaviest = 0;
  for (const weight of weights) if (weight > heaviest) heaviest = weight;
  if (heaviest === 0) return [];
  const targets: { slot: number; weight: number }[] = [];
  for (const [at, weight] of weights.entries())
    if (weight >= MIN_SHARE * heaviest) targets.push({ slot: slots[at] as number, weight });
  return targets
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, MAX_PER_ITEM)
    .map(({ slot }) => slot);
}

/**
 * Returns the slots of items that people see together with the given ones; empty without a model, or for items that
 * hardly anybody has seen.
 */
export function suppressedAlong(model: SlotModel | null, slots: readonly number[]): Set<number> {
  if (model === null) return new Set();
  const known = slots.filter((slot) => model.peopleOf(slot) >= MIN_PEOPLE);
  return new Set(known.flatMap((slot) => heaviestOf(model.taste.row(slot))));
}
