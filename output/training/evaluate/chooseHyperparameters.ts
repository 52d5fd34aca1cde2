/**
 * Chooses how a project's model is trained, by trying hyperparameters on its own last window, and whether the model is
 * worth publishing: whether it beats popularity there.
 */
import type { ModelQuality, ModelReason } from '../../../domain/training/models.ts';
import type { Blend, ItemWeights } from '../../models/itemModel.ts';
import { ColumnSolver, evidenceOf, type Evidence } from '../solve/columnSolver.ts';
import { at, type Interactions } from '../rows/interactions.ts';
import { rankingQuality, meanOf, type RankingQuality } from './rankingQuality.ts';
import { PersonRanker, popularityShares, type ModelParts } from './personRanker.ts';
import { sessionSteps } from '../rows/sessionRows.ts';
import {
  CONTENT,
  FADINGS,
  HALF_LIVES_DAYS,
  LAMBDA_UNITS,
  neighboursFor,
  POPULARITIES,
  TRANSITIONS,
  trialNeighbours,
  type TrainingSettings,
} from './hyperparameters.ts';
import { peopleByItem, tasteRows } from '../rows/tasteRows.ts';
import { rowsOf } from '../solve/columnsToRows.ts';
import { lastWindow, lastWindowByPerson, popularity7d, type Case, type Window } from './evaluationWindow.ts';

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

const DAY = 86_400;
/** Number of standard errors from which the difference of two results counts as shown. */
const CLEAR = 2;
/** With up to 44 rivals, chance passes this limit as seldom as it passes {@link CLEAR} with one (Bonferroni). */
const CLEAR_OF_MANY = 3.3;

/**
 * Chooses the settings that predict the last window best from what was before it, or the usual ones if none is clearly
 * better. Half of the people choose; the others compare the choice with popularity and with the settings of the
 * published model. The published model itself cannot be compared, because it was trained on the window. Where the
 * window does not show that the model finds more than popular items do, the last items of the others count as well.
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
  const isBetter =
    (window.isByTime ? verdictOf(best.found, popular) : null) ??
    isBetterForAll({ data, window, settings }, best.found, popular);
  return {
    settings,
    quality: { ndcg, recall, popular_7d: meanOf(popular).ndcg },
    reason: isBetter ? null : 'below_popularity',
  };
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

interface Questioned {
  data: Interactions;
  window: Window;
  settings: TrainingSettings;
}

/**
 * Returns true if the model finds more than popular items do for the average person. Each counts once: by the window if
 * they came back in it, and otherwise by their last new item. Popularity then covers all of the time, because these
 * items are as old as the person's last visit.
 * @param model what the model found in the window
 * @param popular what popular items found there
 */
function isBetterForAll(
  { data, window, settings }: Questioned,
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

interface Solved {
  lambda: number;
  weights: ItemWeights;
}

/** Settings, and the weights that were learned with them from the data before the window. */
interface Candidate {
  halfLifeDays: number | null;
  taste: Solved;
  transition: Solved;
  blend: Blend;
}

class HyperparameterSearch {
  readonly #data: Interactions;
  readonly #window: Window;
  readonly #reference: number;
  readonly #popularity: Float64Array;
  readonly #none: ItemWeights;
  readonly #choosing: readonly Case[];
  readonly #evaluation: readonly Case[];

  /** @param popularity how many people met each item; by default in the seven days before the window */
  constructor(data: Interactions, window: Window, reference: number, popularity = popularity7d(data, window)) {
    this.#data = data;
    this.#window = window;
    this.#reference = reference;
    this.#popularity = popularityShares(popularity);
    this.#none = rowsOf([], data.ids.length);
    this.#choosing = window.cases.filter((_, index) => index % 2 === 0);
    this.#evaluation = window.cases.filter((_, index) => index % 2 === 1);
  }

  /** Chooses part by part: the best value of one hardly depends on the others. */
  chosen(): Candidate {
    const { halfLifeDays, ...taste } = this.#chosenTaste();
    const transition = this.#bestOf(this.#transitions(null), (weights) => ({ taste: this.#none, transition: weights }));
    const blends = FADINGS.flatMap((fading) =>
      TRANSITIONS.flatMap((share) =>
        POPULARITIES.map((popularity) => blendOf({ ...fading, transition: share, popularity })),
      ),
    );
    const parts = { taste: taste.weights, transition: transition.weights, popularity: this.#popularity };
    const results = this.#try(parts, blends, this.#choosing);
    return { halfLifeDays, taste, transition, blend: blends[clearlyBest(results)] ?? blendOf({}) };
  }

  /** Returns the settings chosen before, trained on the current data. */
  again({ halfLifeDays, taste, transition, blend }: TrainingSettings): Candidate {
    const [tasteNow] = this.#tastes(halfLifeDays, [taste.lambda]);
    const [transitionNow] = this.#transitions([transition.lambda]);
    if (!tasteNow || !transitionNow) throw new Error('one λ did not give exactly one model');
    return { halfLifeDays, taste: tasteNow, transition: transitionNow, blend };
  }

  evaluate({ taste, transition, blend }: Candidate): RankingQuality[] {
    const parts = { taste: taste.weights, transition: transition.weights, popularity: this.#popularity };
    return this.#try(parts, [blend], this.#evaluation)[0] ?? [];
  }

  evaluatePopular(): RankingQuality[] {
    const parts = { taste: this.#none, transition: this.#none, popularity: this.#popularity };
    return this.#try(parts, [blendOf({ popularity: 1 })], this.#evaluation)[0] ?? [];
  }

  #chosenTaste(): Solved & { halfLifeDays: number | null } {
    const asTaste = (weights: ItemWeights) => ({ taste: weights, transition: this.#none });
    const ageless = this.#bestOf(this.#tastes(null, null), asTaste);
    const oldest = this.#data.seconds.reduce((least, seconds) => Math.min(least, seconds), this.#window.begin);
    const span = (this.#window.begin - oldest) / DAY;
    const aging = HALF_LIVES_DAYS.filter((days) => span > 2 * days).map((halfLifeDays) => ({
      halfLifeDays,
      ...this.#bestOf(this.#tastes(halfLifeDays, null), asTaste),
    }));
    const all = [{ halfLifeDays: null, ...ageless }, ...aging];
    return all[clearlyBest(all.map(({ results }) => results))] ?? { halfLifeDays: null, ...ageless };
  }

  #tastes(halfLifeDays: number | null, lambdas: readonly number[] | null): Solved[] {
    const known = tasteRows(this.#data, this.#window.cuts, { halfLifeDays, reference: this.#reference });
    return this.#solve(evidenceOf(known, this.#data.ids.length), trialNeighbours(this.#data.ids.length).taste, lambdas);
  }

  #transitions(lambdas: readonly number[] | null): Solved[] {
    const { past, next } = sessionSteps(this.#data, this.#window.cuts);
    return this.#solve(
      evidenceOf(past, this.#data.ids.length, next),
      trialNeighbours(this.#data.ids.length).transition,
      lambdas,
    );
  }

  /** @param lambdas null means the values that are worth trying */
  #solve(evidence: Evidence, neighbours: number, lambdas: readonly number[] | null): Solved[] {
    const items = this.#data.ids.length;
    const tried = lambdas ?? LAMBDA_UNITS.map((units) => units * lambdaUnit(evidence.sums.diagonal));
    const all = Uint32Array.from({ length: items }, (_, item) => item);
    const columns = new ColumnSolver(evidence, neighbours).solve(all, tried);
    return tried.map((lambda, index) => {
      const solved = columns[index];
      return { lambda, weights: rowsOf(solved ? [solved] : [], items) };
    });
  }

  #bestOf(
    solved: readonly Solved[],
    partsOf: (weights: ItemWeights) => Omit<ModelParts, 'popularity'>,
  ): Solved & { results: RankingQuality[] } {
    const blend = blendOf({ transition: 1 });
    const results = solved.map(({ weights }) => {
      const parts = { ...partsOf(weights), popularity: this.#popularity };
      return this.#try(parts, [blend], this.#choosing)[0] ?? [];
    });
    const index = clearlyBest(results);
    const best = solved[index];
    if (!best) throw new Error('no settings were tried');
    return { ...best, results: results[index] ?? [] };
  }

  /** Returns the results of each blend, by case. */
  #try(parts: ModelParts, blends: readonly Blend[], cases: readonly Case[]): RankingQuality[][] {
    const ranker = new PersonRanker(this.#data, parts);
    const results: RankingQuality[][] = blends.map(() => []);
    for (const each of cases) {
      for (const [index, ranked] of ranker.rank(each, blends).entries())
        results[index]?.push(rankingQuality(ranked, each.relevant));
    }
    return results;
  }
}

function blendOf(blend: Partial<Blend>): Blend {
  return { ...FADINGS[0], taste: 1, transition: 0, content: CONTENT, popularity: 0, ...blend };
}

/** Returns the unit of λ: the square root of how often the item of a typical entry is met, in units of its values. */
function lambdaUnit(diagonal: Float64Array): number {
  let sum = 0;
  let squares = 0;
  for (let item = 0; item < diagonal.length; item += 1) {
    sum += at(diagonal, item);
    squares += at(diagonal, item) ** 2;
  }
  return sum === 0 ? 1 : Math.max(1, Math.sqrt(squares / sum));
}

/**
 * Returns the index of the settings with the highest mean nDCG of those whose advantage over the first, the usual ones,
 * is clear; 0 if none is: with few people the best of many settings is the luckiest (compare the one-standard-error
 * rule of Breiman and others, "Classification and regression trees", 1984).
 * @param results the results of each setting for the same cases
 */
export function clearlyBest(results: readonly (readonly RankingQuality[])[]): number {
  const [usual = []] = results;
  let best = 0;
  let most = 0;
  for (const [index, each] of results.entries()) {
    const { mean, error } = advantage(each, usual);
    if (mean <= most || mean <= CLEAR_OF_MANY * error) continue;
    best = index;
    most = mean;
  }
  return best;
}

/** The mean of the differences in nDCG between two results for the same cases, with its standard error. */
interface Advantage {
  mean: number;
  error: number;
}

function advantage(of: readonly RankingQuality[], over: readonly RankingQuality[]): Advantage {
  const differences = of.map(({ ndcg }, index) => ndcg - (over[index]?.ndcg ?? 0));
  const count = Math.max(1, differences.length);
  const mean = differences.reduce((sum, each) => sum + each, 0) / count;
  const squares = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / count / Math.max(1, count - 1)) };
}

function isClearlyBetter(of: readonly RankingQuality[], over: readonly RankingQuality[]): boolean {
  const { mean, error } = advantage(of, over);
  return mean > 0 && mean > CLEAR * error;
}
