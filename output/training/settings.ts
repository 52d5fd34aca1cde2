/** How a model is trained; chosen for each project, and kept with the model so that it can be brought up to date. */
import type { Blend } from '../models/itemModel.ts';

export interface PartSettings {
  /** Items that tell of one target (K). */
  neighbours: number;
  lambda: number;
}

export interface TrainingSettings {
  /** One person in so many is learned from, when there are more events than fit. */
  sampleOf: number;
  /** output/training/tasteRows.ts TasteWeighing. */
  halfLifeDays: number | null;
  reference: number;
  taste: PartSettings;
  transition: PartSettings;
  blend: Blend;
}

interface Neighbours {
  taste: number;
  transition: number;
}

/** Weights of a part, 8 bytes each, of which a large catalogue has fewer for each item. */
const MOST_WEIGHTS = 10_000_000;
const MOST_TRIED_WEIGHTS = 3_000_000;

/** K of the model that is published. */
export function neighboursFor(items: number): Neighbours {
  const most = Math.floor(MOST_WEIGHTS / Math.max(1, items));
  return { taste: Math.min(200, most), transition: Math.min(50, most) };
}

/** K of the models that are only compared: a sixth of the work, and the same order among them. */
export function trialNeighbours(items: number): Neighbours {
  const most = Math.max(10, Math.floor(MOST_TRIED_WEIGHTS / Math.max(1, items)));
  return { taste: Math.min(100, most), transition: Math.min(50, most) };
}

/** λ in units of the square root of how often a usual item is met: what is best grows like that from one data set to another. */
export const LAMBDA_UNITS = [1, 4, 16, 64] as const;
export const HALF_LIVES_EVENTS = [4, 16, 1_000] as const;
/** Only where the events go back further than twice as long. */
export const HALF_LIVES_DAYS = [30] as const;
export const TRANSITIONS = [0, 0.25, 0.75] as const;
export const POPULARITIES = [0, 0.1, 0.3] as const;
/** Likeness of content cannot be tried here: items without events are not in the data. Half as much as taste, wherever taste says little. */
export const CONTENT = 0.5;
