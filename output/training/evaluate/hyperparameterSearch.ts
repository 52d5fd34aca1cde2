/** Tries hyperparameters on the people of a window: trains with each on what was before it, and ranks for them. */
import type { Blend, ItemWeights } from '../../models/itemModel.ts';
import { at, type Interactions } from '../rows/interactions.ts';
import { sessionSteps } from '../rows/sessionRows.ts';
import { tasteRows } from '../rows/tasteRows.ts';
import { ColumnSolver, evidenceOf, type Evidence } from '../solve/columnSolver.ts';
import { rowsOf } from '../solve/columnsToRows.ts';
import { clearlyBest } from './advantage.ts';
import { popularity7d, type Case, type Window } from './evaluationWindow.ts';
import {
  CONTENT,
  FADINGS,
  HALF_LIVES_DAYS,
  LAMBDA_UNITS,
  POPULARITIES,
  TRANSITIONS,
  trialNeighbours,
  type TrainingSettings,
} from './hyperparameters.ts';
import { PersonRanker, popularityShares, type ModelParts } from './personRanker.ts';
import { rankingQuality, type RankingQuality } from './rankingQuality.ts';

const DAY = 86_400;

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

/** Half of the cases of the window choose, and the other half evaluate. */
export class HyperparameterSearch {
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

/**
 * Returns the unit of λ: the square root of the mean of the diagonal, in which each item counts as often as it is met.
 */
function lambdaUnit(diagonal: Float64Array): number {
  let sum = 0;
  let squares = 0;
  for (let item = 0; item < diagonal.length; item += 1) {
    sum += at(diagonal, item);
    squares += at(diagonal, item) ** 2;
  }
  return sum === 0 ? 1 : Math.max(1, Math.sqrt(squares / sum));
}
