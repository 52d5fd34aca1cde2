/** Compares what two rankings found for the same cases. */
import type { RankingQuality } from './rankingQuality.ts';

/** Number of standard errors from which the difference of two results counts as shown. */
const CLEAR = 2;
/** With up to 44 rivals, chance passes this limit as seldom as it passes {@link CLEAR} with one (Bonferroni). */
const CLEAR_OF_MANY = 3.3;

/** The mean of the differences in nDCG between two results for the same cases, with its standard error. */
export interface Advantage {
  mean: number;
  error: number;
}

/**
 * Returns the mean advantage of one result over another, with its standard error. Both are of the same cases, in the
 * same order.
 */
export function advantage(of: readonly RankingQuality[], over: readonly RankingQuality[]): Advantage {
  const differences = of.map(({ ndcg }, index) => ndcg - (over[index]?.ndcg ?? 0));
  const count = Math.max(1, differences.length);
  const mean = differences.reduce((sum, each) => sum + each, 0) / count;
  const squares = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / count / Math.max(1, count - 1)) };
}

/** Returns whether the difference is more than chance explains. */
export function isClearlyBetter(of: readonly RankingQuality[], over: readonly RankingQuality[]): boolean {
  const { mean, error } = advantage(of, over);
  return mean > 0 && mean > CLEAR * error;
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
