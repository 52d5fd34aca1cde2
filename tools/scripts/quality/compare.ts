/**
 * Evaluates a model and its baselines on the same people: each is trained on the events before a time, and judged by
 * those after it.
 */
import { chooseHyperparameters } from '../../../output/training/evaluate/chooseHyperparameters.ts';
import { at, type Cuts, type Interactions } from '../../../output/training/rows/interactions.ts';
import { rankingQuality, type RankingQuality } from '../../../output/training/evaluate/rankingQuality.ts';
import { PersonRanker, popularityShares } from '../../../output/training/evaluate/personRanker.ts';
import type { TrainingSettings } from '../../../output/training/evaluate/hyperparameters.ts';
import { assembleModel, evidenceFor, solveColumns } from '../../../output/training/training.ts';
import { cutsBefore, popularity7d, type Window } from '../../../output/training/evaluate/evaluationWindow.ts';
import { itemRankers, popularRanker, type Ranker } from './baselines.ts';

export interface RankerResults {
  name: string;
  /** Results by case. */
  found: RankingQuality[];
}

export interface Comparison {
  settings: TrainingSettings;
  results: RankerResults[];
}

/** @returns null when there is too little data before the window to choose settings */
export function compare(data: Interactions, window: Window): Comparison | null {
  const before = cutOff(data, window.cuts);
  const choice = chooseHyperparameters(before, { sampleOf: 1, reference: window.begin, published: null });
  if (!choice) return null;
  const popularity = popularity7d(data, window);
  const rankers: [string, Ranker][] = [
    ['model', modelRanker(data, before, choice.settings, popularity)],
    ['popular, 7 days', popularRanker(data, popularity)],
    ...itemRankers(data, before),
  ];
  const results = rankers.map(([name, rank]) => ({
    name,
    found: window.cases.map((each) => rankingQuality(rank(each), each.relevant)),
  }));
  return { settings: choice.settings, results };
}

/** Trains the model on `data` as the workflow does. */
function modelRanker(
  all: Interactions,
  data: Interactions,
  settings: TrainingSettings,
  popularity: Float64Array,
): Ranker {
  const items = Uint32Array.from(data.ids, (_, item) => item);
  const solved = {
    taste: [solveColumns(evidenceFor(data, 'taste', settings), items, settings.taste)],
    transition: [solveColumns(evidenceFor(data, 'transition', settings), items, settings.transition)],
  };
  const { taste, transition } = assembleModel({ id: 'tried', data, settings, solved, published: null });
  const ranker = new PersonRanker(all, { taste, transition, popularity: popularityShares(popularity) });
  return (each) => ranker.rank(each, [settings.blend])[0] ?? [];
}

/**
 * Returns the data up to the time by which a share of the events has happened, so that each share ends its window at a
 * different time.
 */
export function untilShare(data: Interactions, share: number): Interactions {
  const moment = data.seconds.slice().sort()[Math.ceil(data.seconds.length * share) - 1] ?? 0;
  return cutOff(data, cutsBefore(data, moment + 1));
}

/** Returns the data within the cuts; people and items keep their numbers. */
function cutOff({ ids, offsets, ...columns }: Interactions, cuts: Cuts): Interactions {
  const ends = [0];
  const kept: number[] = [];
  for (const [person, cut] of cuts.entries()) {
    const begin = at(offsets, person);
    for (let event = begin; event < begin + cut; event += 1) kept.push(event);
    ends.push(kept.length);
  }
  const events = Uint32Array.from(kept);
  return {
    ids,
    offsets: Uint32Array.from(ends),
    items: events.map((event) => at(columns.items, event)),
    seconds: events.map((event) => at(columns.seconds, event)),
    weights: Float32Array.from(events, (event) => at(columns.weights, event)),
    baskets: events.map((event) => at(columns.baskets, event)),
  };
}
