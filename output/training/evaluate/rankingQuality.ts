/** Measures how well a ranking finds the items that a person wanted. */

/** Number of ranks that count: the 10 of nDCG@10. */
export const CUTOFF = 10;

export interface RankingQuality {
  ndcg: number;
  recall: number;
}

const DISCOUNTS = Float64Array.from({ length: CUTOFF }, (_, rank) => 1 / Math.log2(rank + 2));

/**
 * Computes nDCG@10 and recall@10 with binary relevance (Järvelin and Kekäläinen, 2002): the best possible ranking has
 * 1.
 * @param ranked the best first
 */
export function rankingQuality(ranked: ArrayLike<number>, wanted: Uint32Array): RankingQuality {
  let gain = 0;
  let hits = 0;
  for (let rank = 0; rank < Math.min(CUTOFF, ranked.length); rank += 1) {
    if (!wanted.includes(ranked[rank] as number)) continue;
    gain += DISCOUNTS[rank] as number;
    hits += 1;
  }
  const best = DISCOUNTS.subarray(0, wanted.length).reduce((sum, discount) => sum + discount, 0);
  return { ndcg: best === 0 ? 0 : gain / best, recall: wanted.length === 0 ? 0 : hits / wanted.length };
}

export function meanOf(all: readonly RankingQuality[]): RankingQuality {
  const sum = all.reduce((a, b) => ({ ndcg: a.ndcg + b.ndcg, recall: a.recall + b.recall }), { ndcg: 0, recall: 0 });
  return { ndcg: sum.ndcg / Math.max(1, all.length), recall: sum.recall / Math.max(1, all.length) };
}
