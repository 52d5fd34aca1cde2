/** Trains models in one pass, and returns their weights by name for comparisons. */
import { expect } from '@jest/globals';
import type { StoredItemModel } from '../../../output/models/modelFile.ts';
import type { Interactions } from '../../../output/training/rows/interactions.ts';
import type { TrainingSettings } from '../../../output/training/evaluate/hyperparameters.ts';
import { assembleModel, evidenceFor, solveColumns } from '../../../output/training/training.ts';

/** Trains with every column solved. */
export function trainedOn(data: Interactions, settings: TrainingSettings): StoredItemModel {
  const all = Uint32Array.from(data.ids, (_, item) => item);
  const solved = {
    taste: [solveColumns(evidenceFor(data, 'taste', settings), all, settings.taste)],
    transition: [solveColumns(evidenceFor(data, 'transition', settings), all, settings.transition)],
  };
  return assembleModel({ id: 'anew', data, settings, solved, published: null });
}

/** Returns item → target → weight. */
export function weightsByName(model: StoredItemModel, part: 'taste' | 'transition'): Map<string, number> {
  const { offsets, columns, weights } = model[part];
  return new Map(
    model.ids.flatMap((id, item) =>
      [...columns.subarray(offsets[item], offsets[item + 1])].map((target, index): [string, number] => [
        `${id} → ${model.ids[target]}`,
        weights[(offsets[item] ?? 0) + index] ?? NaN,
      ]),
    ),
  );
}

/** Returns the largest difference; fails when the two do not weigh the same pairs. */
export function largestDifference(a: Map<string, number>, b: Map<string, number>): number {
  const onlyOf = (one: Map<string, number>, other: Map<string, number>) =>
    [...one.keys()].filter((key) => !other.has(key));
  expect([...onlyOf(a, b), ...onlyOf(b, a)]).toEqual([]);
  return [...a].reduce((most, [key, weight]) => Math.max(most, Math.abs(weight - (b.get(key) ?? NaN))), 0);
}
