/** Synonyms of a project. */

export interface SynonymRow {
  words: readonly string[];
  /** What the words also find; absent: all of them are synonyms of each other. */
  to?: readonly string[];
}

export const MAX_SYNONYM_ROWS = 1_000;
export const MAX_SYNONYM_WORDS = 20;
