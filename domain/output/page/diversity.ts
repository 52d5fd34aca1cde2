/** Diversity: an order in which neighbours differ, although each is good. */

/** Diversity of a request that sets none; 0 would be the plain ranking. */
export const DEFAULT_DIVERSITY = 0.2;

/** Number of best entries that are arranged; the rest keep their order. */
export const ARRANGED = 100;

export interface Diversifying {
  /** Score of each entry, the best first; only their ratios count. */
  scores: readonly number[];
  /** 0: by score only; 1: by difference only. */
  diversity: number;
  /** Number of positions that are chosen; the others follow by score. */
  places: number;
  /** Similarity of each entry, from 0 to 1, to the nearest of the entries that precede all of these. */
  before: ArrayLike<number>;
  /**
   * Returns the similarity of an entry to each entry, valid until the next call. Below 0 it counts as 0, above 1 as 1.
   */
  likenessTo(entry: number): ArrayLike<number>;
}

/**
 * Maximal marginal relevance (Carbonell and Goldstein, 1998): each position goes to the entry with the largest (1 −
 * diversity) × score − diversity × similarity to the nearest preceding entry. Among equals the better score wins.
 * @returns the indices of the entries, in their new order
 */
export function diversify({ scores, diversity, places, before, likenessTo }: Diversifying): number[] {
  const entries = scores.map((_, entry) => entry);
  if (diversity <= 0) return entries;
  const relevance = relevanceOf(scores);
  const nearest = Float64Array.from(scores, (_, entry) => before[entry] ?? 0);
  const isChosen = new Uint8Array(scores.length);
  const chosen: number[] = [];
  while (chosen.length < Math.min(places, scores.length)) {
    const next = bestLeft({ relevance, nearest, isChosen, diversity });
    isChosen[next] = 1;
    chosen.push(next);
    raiseTo(nearest, likenessTo(next));
  }
  return [...chosen, ...entries.filter((entry) => isChosen[entry] === 0)];
}

/** Raises each value to the similarity of its entry, where that is higher. */
export function raiseTo(values: Float64Array, likeness: ArrayLike<number>): void {
  for (let entry = 0; entry < values.length; entry += 1)
    values[entry] = Math.max(values[entry] as number, Math.min(1, likeness[entry] as number));
}

/** Scales scores to the range from 0 to 1: the best positive one becomes 1; 0, or the worst negative one, becomes 0. */
function relevanceOf(scores: readonly number[]): Float64Array {
  const least = Math.min(0, ...scores);
  const span = Math.max(...scores, 0) - least;
  return Float64Array.from(scores, (score) => (span > 0 ? (score - least) / span : 1));
}

interface Choosing {
  relevance: Float64Array;
  /** Similarity of each entry to the nearest preceding one. */
  nearest: Float64Array;
  /** 1 for each chosen entry. */
  isChosen: Uint8Array;
  diversity: number;
}

function bestLeft({ relevance, nearest, isChosen, diversity }: Choosing): number {
  let best = isChosen.indexOf(0);
  let most = -Infinity;
  for (let entry = best; entry < relevance.length; entry += 1) {
    if (isChosen[entry] === 1) continue;
    const value = (1 - diversity) * (relevance[entry] as number) - diversity * (nearest[entry] as number);
    if (value <= most) continue;
    best = entry;
    most = value;
  }
  return best;
}
