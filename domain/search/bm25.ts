/**
 * The weight of a word of a field: BM25F (Robertson, Zaragoza and Taylor 2004, "Simple BM25 extension to multiple
 * weighted fields"): occurrences are weighted by field and length before they are saturated together.
 */

export const SEARCH_FIELDS = ['title', 'labels', 'summary', 'text'] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

interface FieldWeight {
  weight: number;
  /** The influence of the field's length: 0 none, 1 full. */
  lengthShare: number;
  /** Number of words in a usual field. It is fixed, so that a weight does not depend on what was indexed before. */
  usualLength: number;
}

const FIELDS: Readonly<Record<SearchField, FieldWeight>> = {
  title: { weight: 5, lengthShare: 0.5, usualLength: 7 },
  labels: { weight: 3, lengthShare: 0.3, usualLength: 12 },
  summary: { weight: 2, lengthShare: 0.6, usualLength: 40 },
  text: { weight: 1, lengthShare: 0.75, usualLength: 300 },
};

/** How soon further occurrences stop counting (k₁ of BM25). */
const SATURATION = 1.2;

/** Returns the weight that one occurrence in a field of this many words adds to a word. */
export function occurrenceWeight(field: SearchField, words: number): number {
  const { weight, lengthShare, usualLength } = FIELDS[field];
  return weight / (1 - lengthShare + (lengthShare * words) / usualLength);
}

/** Returns the saturated weight, from 0 to 1. */
export function saturated(weight: number): number {
  return weight / (SATURATION + weight);
}

/** Returns how distinctive a word is that `documentFrequency` of the documents contain. */
export function inverseDocumentFrequency(documentFrequency: number, documents: number): number {
  return Math.log(1 + (Math.max(0, documents - documentFrequency) + 0.5) / (documentFrequency + 0.5));
}
