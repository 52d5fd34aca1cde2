/**
 * Chooses how a project's model is trained, by trying hyperparameters on its own last window, and reports how good the
 * model is there. worthPublishing.ts decides whether it is published.
 */
import type { ModelQuality, ModelReason } from '../../../domain/training/models.ts';
import type { Interactions } from '../rows/interactions.ts';
import { isClearlyBetter } from './advantage.ts';
import { lastWindow } from './evaluationWindow.ts';
import { neighboursFor, type TrainingSettings } from './hyperparameters.ts';
import { HyperparameterSearch } from './hyperparameterSearch.ts';
import { meanOf } from './rankingQuality.ts';
import { isWorthPublishing } from './worthPublishing.ts';

export interface Choice {
  settings: TrainingSettings;
  quality: ModelQuality;
  /** The reason why the model is not worth publishing; null when it is. */
  reason: ModelReason | null;
}

export interface Choosing {
  sampleOf: number;
  /** Time from which ages are counted, in seconds since 1970. */
  reference: number;
  /** Settings of the published model. */
  published: TrainingSettings | null;
}

/**
 * Chooses the settings that predict the last window best from what was before it, or the usual ones if none is clearly
 * better. Half of the people choose; the others compare the choice with popularity and with the settings of the
 * published model. The published model itself cannot be compared, because it was trained on the window. If the window
 * does not show whether the model or popularity is better, the last new item of everybody who is not in the window
 * counts as well.
 * @returns null when there are too few people to try
 */
export function chooseHyperparameters(data: Interactions, { sampleOf, reference, published }: Choosing): Choice | null {
  const window = lastWindow(data);
  if (!window) return null;
  const trial = new HyperparameterSearch(data, window, reference);
  const chosen = trial.chosen();
  const rivals = [chosen, ...(published === null ? [] : [trial.again(published)])];
  const evaluated = rivals.map((rival) => ({ rival, found: trial.evaluate(rival) }));
  const [own, former] = evaluated;
  if (!own) throw new Error('no settings were evaluated');
  const best = former && isClearlyBetter(former.found, own.found) ? former : own;
  const { taste, transition, halfLifeDays, blend } = best.rival;
  const neighbours = neighboursFor(data.ids.length);
  const settings = {
    sampleOf,
    reference,
    halfLifeDays,
    taste: { neighbours: neighbours.taste, lambda: taste.lambda },
    transition: { neighbours: neighbours.transition, lambda: transition.lambda },
    blend,
  };
  const popular = trial.evaluatePopular();
  const { ndcg, recall } = meanOf(best.found);
  const isWorth = isWorthPublishing({ data, window, settings }, best.found, popular);
  return {
    settings,
    quality: { ndcg, recall, popular_7d: meanOf(popular).ndcg },
    reason: isWorth ? null : 'below_popularity',
  };
}
