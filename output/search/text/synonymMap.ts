/** Synonyms in the form that queries need (match/readQuery.ts): by the stems of the words. */
import { stem } from '../../../domain/dictionaries/stems.ts';
import type { SynonymRow } from '../../../domain/search/synonymLimits.ts';
import { withoutPossessives, wordsOf } from './indexedWords.ts';

export interface SynonymMap {
  /** Number of words in the longest entry. */
  longest: number;
  /** Returns the synonyms of a run of words, each as its words, without the run itself. */
  of(words: readonly string[]): readonly (readonly string[])[];
}

export const NO_SYNONYMS: SynonymMap = { longest: 0, of: () => [] };

const keyOf = (words: readonly string[]): string => words.map(stem).join(' ');

export function synonymMapOf(rows: readonly SynonymRow[]): SynonymMap {
  const found = new Map<string, Map<string, readonly string[]>>();
  let longest = 0;
  const link = (from: readonly string[], to: readonly string[]): void => {
    const key = keyOf(from);
    if (from.length === 0 || to.length === 0 || key === keyOf(to)) return;
    const known = found.get(key) ?? new Map<string, readonly string[]>();
    found.set(key, known.set(keyOf(to), to));
    longest = Math.max(longest, from.length);
  };
  for (const { words, to } of rows) {
    const targets = to ?? words;
    for (const source of words)
      for (const target of targets)
        // Texts have a possessive ending as it is written; queries are read without it.
        if (source !== target) link(wordsOf(withoutPossessives(source)), wordsOf(target));
  }
  return { longest, of: (words) => [...(found.get(keyOf(words))?.values() ?? [])] };
}
