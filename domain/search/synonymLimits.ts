/** Synonyms of a project. */

export interface SynonymRow {
  words: readonly string[];
  /** Words that a query for `words` finds as well; absent: all words of the row are synonyms of each other. */
  to?: readonly string[];
}

export const MAX_SYNONYM_ROWS = 1_000;
export const MAX_SYNONYM_WORDS = 20;
/** Maximum number of synonyms of one entry, from the first rows: a search looks each of them up in the index. */
export const MAX_SYNONYMS_OF_ENTRY = 200;
