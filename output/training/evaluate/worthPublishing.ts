/** Whether a new model is worth publishing: whether it finds more of what people wanted than popular items do. */
import type { Interactions } from '../rows/interactions.ts';
import { peopleByItem, tasteRows } from '../rows/tasteRows.ts';
import { advantage, isClearlyBetter } from './advantage.ts';
import { lastWindowByPerson, type Window } from './evaluationWindow.ts';
import type { TrainingSettings } from './hyperparameters.ts';
import { HyperparameterSearch } from './hyperparameterSearch.ts';
import type { RankingQuality } from './rankingQuality.ts';

/**
 * Returns whether the model beats popularity: by the people of a window of time if they show it either way, and
 * otherwise by everybody's average.
 * @param model what the model found for the cases of the window
 * @param popular what popular items found for the same cases
 */
export function isWorthPublishing(
  trained: TrainedModel,
  model: readonly RankingQuality[],
  popular: readonly RankingQuality[],
): boolean {
  const verdict = trained.window.isByTime ? verdictOf(model, popular) : null;
  return verdict ?? isBetterForAll(trained, model, popular);
}

/** Minimum number of people who can show that a model is worse: among a few dozen, chance may decide. */
const MIN_REJECTING = 200;

/**
 * Returns whether the model finds more than popular items do, as far as the people of the window show it; null if they
 * show neither.
 */
function verdictOf(model: readonly RankingQuality[], popular: readonly RankingQuality[]): boolean | null {
  if (isClearlyBetter(model, popular)) return true;
  return model.length >= MIN_REJECTING && isClearlyBetter(popular, model) ? false : null;
}

/** A model by its settings, with the data and the window in which it is compared. */
export interface TrainedModel {
  data: Interactions;
  window: Window;
  settings: TrainingSettings;
}

/**
 * Returns true if the model finds more than popular items do for the average person. Each counts once: by the window if
 * they came back in it, and otherwise by their last new item. In the latter case, popularity is counted over the whole
 * time before the item and not over seven days, because the item is as old as the person's last visit.
 * @param model what the model found in the window
 * @param popular what popular items found there
 */
function isBetterForAll(
  { data, window, settings }: TrainedModel,
  model: readonly RankingQuality[],
  popular: readonly RankingQuality[],
): boolean {
  const last = lastWindowByPerson(data, 0);
  if (!last) return advantage(model, popular).mean > 0;
  const met = tasteRows(data, last.cuts, { halfLifeDays: null, reference: settings.reference });
  const popularity = Float64Array.from(peopleByItem(met, data.ids.length));
  const asked = new Set(window.isByTime ? window.cases.map(({ person }) => person) : []);
  const others = last.cases.filter(({ person }) => !asked.has(person));
  const trial = new HyperparameterSearch(data, { ...last, cases: others }, settings.reference, popularity);
  const ofOthers = [trial.evaluate(trial.again(settings)), trial.evaluatePopular()] as const;
  if (!window.isByTime) return advantage(...ofOthers).mean > 0;
  return advantage([...model, ...ofOthers[0]], [...popular, ...ofOthers[1]]).mean > 0;
}
