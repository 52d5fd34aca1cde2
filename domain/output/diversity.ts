/** Diversity: an order in which neighbours differ, although each is good. */

/** The best of a ranking are arranged; what comes after them stays as it is. */
export const ARRANGED = 100;

export interface Diversifying {
  /** Of each entry, the best first; only their ratios count. */
  scores: readonly number[];
  /** 0: by score alone; 1: by difference alone. */
  diversity: number;
  /** So many places are chosen, then the others follow by score. */
  places: number;
  /** Of each entry how like it is, from 0 to 1, to what comes before. */
  before: readonly number[];
  /** How alike two entries are, from 0 to 1. */
  alike(a: number, b: number): number;
}

/**
 * Maximal marginal relevance (Carbonell and Goldstein, 1998): each place goes to the entry with the most of
 * (1 − diversity) × score − diversity × likeness to the nearest that comes before. Among equals the better score wins.
 * @returns the entries, by their numbers
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

/** From 0 to 1 for the best; what is below zero counts from the worst on. */
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
