/** The meaning of a cosine depends on the embedding model, so each model has its own thresholds. */
import { cosine, type ItemVector } from '../vectors.ts';

export interface SimilarityThresholds {
  /** Two items below this are unrelated: without it an answer has an irrelevant tail. */
  similar: number;
  /**
   * From this value on, two items count as the same thing (a product in another size or colour) or as parts of one
   * thing. `suppress_similar_days` means these, but not everything on the same subject.
   */
  same: number;
}

/**
 * Thresholds by the name of the model without its provider.
 * - The lexical vectors were measured: 99 % of 190 pairs of unrelated Russian titles are below 0.17; titles that
 *   differ in a colour or a size have 0.84 to 0.89, two titles on one subject up to 0.82.
 * - The sentence encoder was measured on the 1,770 pairs of the 60 documents of tools/bench/output/pairs.json, of which
 *   95 % are below 0.39 and 99 % below 0.48, including pairs from one field; pairs of titles on one subject have 0.42
 *   to 0.87, titles that differ in a colour or a size 0.67 to 0.89. These overlap, so only the surest are suppressed.
 * - With text-embedding-3, irrelevant texts have 0.08 to 0.25, relevant ones 0.44 and more
 *   (afurmanov.com/chunk-size-embedding-similarity, community.openai.com/t/1377685).
 * - With text-embedding-ada-002, irrelevant texts have 0.77 to 0.79 (the same thread), and hardly anything has less.
 */
const BY_MODEL: Readonly<Record<string, SimilarityThresholds>> = {
  'builtin-embed-2': { similar: 0.17, same: 0.84 },
  'builtin-use-multilingual-v3': { similar: 0.4, same: 0.88 },
  'text-embedding-3-small': { similar: 0.25, same: 0.85 },
  'text-embedding-3-large': { similar: 0.25, same: 0.85 },
  'text-embedding-ada-002': { similar: 0.79, same: 0.95 },
};

/** An unknown model: most are trained like text-embedding-3, so that unrelated texts are near 0. */
const OTHERS: SimilarityThresholds = { similar: 0.2, same: 0.85 };

export function similarityOf(model: string): SimilarityThresholds {
  const name = model.slice(Math.max(model.lastIndexOf('/'), model.lastIndexOf(':')) + 1);
  return (Object.hasOwn(BY_MODEL, name) ? BY_MODEL[name] : undefined) ?? OTHERS;
}

/** Returns true when an item is so similar to a suppressed one that it is suppressed as well. */
export function isSuppressed(item: ItemVector, suppressed: readonly ItemVector[]): boolean {
  const { same } = similarityOf(item.model);
  return suppressed.some((other) => cosine(item, other) >= same);
}
