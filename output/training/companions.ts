/**
 * Finds items that people see together with another one so often that a person who has rejected that one for a while
 * will not want them either. Those with similar content are found in domain/output/similarity/similarity.ts.
 */
import type { ItemCompanions } from '../../domain/training/companions.ts';
import type { StoredItemModel } from '../models/modelFile.ts';

/** Maximum per item: a person with many suppressed items must still have something to be shown. */
const MAX_PER_ITEM = 10;
/** Minimum share of the row's heaviest weight. */
const MIN_SHARE = 0.5;
/** For items that fewer people have met, the weights are due to chance. */
const MIN_PEOPLE = 10;

/**
 * Returns the targets that stand out in a row of weights. Weights of two models, or of two rows, have no common unit,
 * so a row is measured only by its own heaviest weight.
 * @returns indexes of the row's targets, the heaviest first
 */
export function heaviestOf(weights: Float32Array): number[] {
  let heaviest = 0;
  for (const weight of weights) if (weight > heaviest) heaviest = weight;
  if (heaviest === 0) return [];
  return [...weights.keys()]
    .filter((at) => weightAt(weights, at) >= MIN_SHARE * heaviest)
    .toSorted((a, b) => weightAt(weights, b) - weightAt(weights, a))
    .slice(0, MAX_PER_ITEM);
}

const weightAt = (weights: Float32Array, at: number): number => weights[at] ?? 0;

/** Returns the companions of all items that enough people have met; items without companions are left out. */
export function companionsOf({
  ids,
  people,
  taste,
}: Pick<StoredItemModel, 'ids' | 'people' | 'taste'>): ItemCompanions[] {
  return ids.flatMap((item, row) => {
    if ((people[row] ?? 0) < MIN_PEOPLE) return [];
    const [from, to] = [taste.offsets[row], taste.offsets[row + 1]];
    const companions = heaviestOf(taste.weights.subarray(from, to)).flatMap(
      (at) => ids[taste.columns[(from ?? 0) + at] ?? ids.length] ?? [],
    );
    return companions.length === 0 ? [] : [{ item, companions }];
  });
}
