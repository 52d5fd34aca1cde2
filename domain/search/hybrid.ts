/**
 * Combines words and meaning: a convex combination of scores that are normalised within the answer (Bruch, Gai and
 * Ingber 2023, "An Analysis of Fusion Functions for Hybrid Retrieval", arXiv:2210.11934). Unlike reciprocal ranks, it
 * preserves how much better one hit is than another.
 */

/** The default weight of meaning. */
export const AUTO_SEMANTIC = 0.5;

export interface HybridScales {
  /** The best score by words among the hits; 0 when no hit has words. */
  bestWords: number;
  /** The cosine from which something counts as similar. */
  threshold: number;
  /** The best cosine among the hits. */
  bestMeaning: number;
}

/**
 * Returns the score, from 0 to 1.
 * @param words a hit's score by its words, 0 without any
 * @param cosine null where the vectors were not compared
 */
export function hybridScore(
  words: number,
  cosine: number | null,
  weight: number,
  { bestWords, threshold, bestMeaning }: HybridScales,
): number {
  const byWords = bestWords > 0 ? words / bestWords : 0;
  const span = bestMeaning - threshold;
  const byMeaning = cosine === null || span <= 0 ? 0 : Math.max(0, (cosine - threshold) / span);
  return (1 - weight) * byWords + weight * Math.min(1, byMeaning);
}
