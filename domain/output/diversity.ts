/** Diversity: an order in which neighbours differ, although each is good. */

/** Number of best entries that are arranged; the rest keep their order. */
export const ARRANGED = 100;

export interface Diversifying {
  /** Score of each entry, the best first; only their ratios count. */
  scores: readonly number[];
  /** 0: by score only; 1: by difference only. */
  diversity: number;
  /** Number of positions that are chosen; the others follow by score. */
  places: number;
  /** Similarity of each entry, from 0 to 1, to the entries before. */
  before: readonly number[];
  /** Returns the similarity of two entries, from 0 to 1. */
  alike(a: number, b: number): number;
}

/**
 * Maximal marginal relevance (Carbonell and Goldstein, 1998): each position goes to the entry with the largest (1 −
 * diversity) × score − diversity × similarity to the nearest preceding entry. Among equals the better score wins.
 * @returns the indices of the entries, in their new order
 */
export function diversify({ scores, diversity, places, before, alike }: Diversifying): number[] {
  const left = scores.map((_, entry) => entry);
  if (diversity <= 0) return left;
  const relevance = relevanceOf(scores);
  const nearest = Float64Array.from(scores, (_, entry) => before[entry] ?? 0);
  const chosen: number[] = [];
  while (chosen.length < places && left.length > 0) {
    const at = bestOf(left, (entry) => (1 - diversity) * (relevance[entry] ?? 0) - diversity * (nearest[entry] ?? 0));
    const [next = 0] = left.splice(at, 1);
    chosen.push(next);
    for (const entry of left) nearest[entry] = Math.max(nearest[entry] ?? 0, alike(next, entry));
  }
  return [...chosen, ...left];
}

/** Scales scores to the range from 0 to 1: the best positive one becomes 1; 0, or the worst negative one, becomes 0. */
function relevanceOf(scores: readonly number[]): number[] {
  const least = Math.min(0, ...scores);
  const span = Math.max(...scores, 0) - least;
  return scores.map((score) => (span > 0 ? (score - least) / span : 1));
}

function bestOf(entries: readonly number[], valueOf: (entry: number) => number): number {
  let best = 0;
  let most = -Infinity;
  for (let at = 0; at < entries.length; at += 1) {
    const value = valueOf(entries[at] as number);
    if (value <= most) continue;
    best = at;
    most = value;
  }
  return best;
}
