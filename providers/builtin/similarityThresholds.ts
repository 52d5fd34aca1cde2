/** The cosines from which texts count as similar, by what their vectors are made of (`npm run bench:embedding`). */
export const SIMILARITY_THRESHOLDS = {
  /**
   * Only pairs with shared words exceed it: 99.8 % of unrelated pairs are below it, and so are all paraphrases in other
   * words.
   */
  words: 0.2,
  /** 95 % of unrelated pairs are below it, and 9 % of paraphrases. */
  sentences: 0.16,
};
