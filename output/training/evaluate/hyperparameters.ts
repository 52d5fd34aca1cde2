/**
 * Hyperparameters of training, chosen for each project and stored with the model so that it can be updated. The first
 * value of each list but {@link HALF_LIVES_DAYS} is the one for projects whose last window does not show clearly that
 * another is better.
 */
import type { Blend } from '../../models/itemModel.ts';

export interface PartSettings {
  /** Maximum number of items that predict one target (K). */
  neighbours: number;
  lambda: number;
}

export interface TrainingSettings {
  /** Training uses one person in this many when there are more events than fit. */
  sampleOf: number;
  /** See TasteWeighing (output/training/rows/tasteRows.ts). */
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

/** Maximum number of weights in a part, 8 bytes each: a large catalogue has fewer per item. */
const MAX_WEIGHTS = 10_000_000;
const MAX_TRIED_WEIGHTS = 3_000_000;

/** Returns K for the model that is published. */
export function neighboursFor(items: number): Neighbours {
  const max = Math.floor(MAX_WEIGHTS / Math.max(1, items));
  return { taste: Math.min(200, max), transition: Math.min(50, max) };
}

/** Returns K for models that are only compared: a sixth of the work, and the same order among them. */
export function trialNeighbours(items: number): Neighbours {
  const max = Math.max(10, Math.floor(MAX_TRIED_WEIGHTS / Math.max(1, items)));
  return { taste: Math.min(100, max), transition: Math.min(50, max) };
}

/**
 * λ in units of the square root of how often a typical item is met: the best value scales like that between data sets.
 */
export const LAMBDA_UNITS = [16, 1, 4, 64] as const;
/**
 * Compared with no fading at all, the first one predicts lasting tastes nearly as well and the next item better:
 * docs/decisions/training.md has the figures.
 */
export const FADINGS = [
  { halfLifeEvents: 4, lasting: 0.5 },
  { halfLifeEvents: 4, lasting: 0.2 },
  { halfLifeEvents: 4, lasting: 0 },
  { halfLifeEvents: 16, lasting: 0 },
  { halfLifeEvents: 1_000, lasting: 0 },
] as const;
/** Compared with no half-life, which is the usual choice, and only where the events span more than twice this time. */
export const HALF_LIVES_DAYS = [30] as const;
export const TRANSITIONS = [0, 0.25, 0.75] as const;
export const POPULARITIES = [0, 0.1, 0.3] as const;
/**
 * Weight of similarity by content. It cannot be tried here, because items without events are not in the data. It is
 * half of the weight of taste, and applies where taste says little.
 */
export const CONTENT = 0.5;
