/** Tries a model and what it is compared with on the same people: each is learned from what was before, and judged by what came after. */
import { choose } from '../../output/training/choose.ts';
import { at, wholeOf, type Cuts, type Interactions } from '../../output/training/interactions.ts';
import { found, meanOf, type Found } from '../../output/training/measures.ts';
import { PersonRanker, popularityShares } from '../../output/training/scores.ts';
import type { TrainingSettings } from '../../output/training/settings.ts';
import { assembleModel, evidenceFor, solveColumns } from '../../output/training/training.ts';
import { popularity7d, type Window } from '../../output/training/window.ts';
import { easeRanker, knnRanker, popularRanker, type Ranker } from './baselines.ts';

export interface Compared {
  name: string;
  found: Found;
}

export interface Comparison {
  cases: number;
  settings: TrainingSettings;
  results: Compared[];
}

/** Above so many items EASE over all of them takes minutes and gigabytes. */
const MOST_ITEMS_OF_EASE = 6_000;
/** The ones that papers try. */
const EASE_LAMBDAS = [10, 100, 1_000];

/** @returns null when what was before the window is too little to choose settings by */
export function compare(data: Interactions, window: Window): Comparison | null {
  const before = cutOff(data, window.cuts);
  const choice = choose(before, { sampleOf: 1, reference: window.begin, published: null });
  if (!choice) return null;
  const popularity = popularity7d(data, window);
  const isSmall = data.ids.length <= MOST_ITEMS_OF_EASE;
  const rankers: [string, Ranker][] = [
    ['model', modelRanker(before, choice.settings, popularity, window.begin)],
    ['popular, 7 days', popularRanker(before, popularity)],
    ...(isSmall
      ? ([
          ['item kNN', knnRanker(before)],
          ...EASE_LAMBDAS.map((lambda): [string, Ranker] => [`EASE, λ = ${lambda}`, easeRanker(before, lambda)]),
        ] satisfies [string, Ranker][])
      : []),
  ];
  const results = rankers.map(([name, rank]) => ({
    name,
    found: meanOf(window.cases.map(({ person, wanted }) => found(rank(person), wanted))),
  }));
  return { cases: window.cases.length, settings: choice.settings, results };
}

/** The model as the workflow makes it. */
function modelRanker(data: Interactions, settings: TrainingSettings, popularity: Float64Array, moment: number): Ranker {
  const all = Uint32Array.from(data.ids, (_, item) => item);
  const solved = {
    taste: [solveColumns(evidenceFor(data, 'taste', settings), all, settings.taste)],
    transition: [solveColumns(evidenceFor(data, 'transition', settings), all, settings.transition)],
  };
  const { taste, transition } = assembleModel({ id: 'tried', data, settings, solved, published: null });
  const parts = { taste, transition, popularity: popularityShares(popularity) };
  const ranker = new PersonRanker(data, wholeOf(data), parts);
  return (person) => ranker.rank(person, moment, [settings.blend])[0] ?? [];
}

/** What is within the cuts; people and items keep their numbers. */
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
