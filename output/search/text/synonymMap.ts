/** Synonyms in the form that queries need (match/words/interpretQuery.ts): by the stems of the words. */
import { stem } from '../../../domain/dictionaries/stems.ts';
import { MAX_SYNONYMS_OF_ENTRY, type SynonymRow } from '../../../domain/search/synonymLimits.ts';
import { withoutPossessives, wordsOf } from './indexedWords.ts';

export interface SynonymMap {
  /** Number of words in the longest entry. */
  longest: number;
  /** Returns the synonyms of a run of words, each as its words, without the run itself; at most {@link MAX_SYNONYMS_OF_ENTRY}. */
  of(words: readonly string[]): readonly (readonly string[])[];
}

export const NO_SYNONYMS: SynonymMap = { longest: 0, of: () => [] };

/** Weight of a synonym that is found instead of the word itself. */
export const SYNONYM_FACTOR = 0.8;

interface Target {
  /** As it is written in the row. */
  written: string;
  words: readonly string[];
  /** The stems of the words. */
  key: string;
}

const keyOf = (words: readonly string[]): string => words.map(stem).join(' ');

/**
 * The rows by the entries that lead to others. The entries of a row share one list of targets, because pairs would be
 * ten times as many. Each text is divided into words only once.
 */
export class SynonymGroups implements SynonymMap {
  longest = 0;
  /** Number of entries in all rows. */
  size = 0;
  readonly #groups = new Map<string, { source: string; targets: readonly Target[] }[]>();
  readonly #targets = new Map<string, Target>();

  add({ words, to }: SynonymRow): void {
    const targets = (to ?? words).map((written) => this.#targetOf(written)).filter((target) => target.key !== '');
    for (const source of words) {
      // Texts have a possessive ending as it is written; queries are read without it.
      const bare = withoutPossessives(source);
      const own = bare === source ? this.#targetOf(source) : { words: wordsOf(bare), key: keyOf(wordsOf(bare)) };
      if (own.key === '' || targets.every(({ written, key }) => written === source || key === own.key)) continue;
      const known = this.#groups.get(own.key);
      if (known) known.push({ source, targets });
      else this.#groups.set(own.key, [{ source, targets }]);
      this.longest = Math.max(this.longest, own.words.length);
    }
    this.size += words.length + (to?.length ?? 0);
  }

  of(words: readonly string[]): readonly (readonly string[])[] {
    const own = keyOf(words);
    const found = new Map<string, readonly string[]>();
    for (const { source, targets } of this.#groups.get(own) ?? [])
      for (const target of targets) {
        if (found.size === MAX_SYNONYMS_OF_ENTRY) return [...found.values()];
        if (target.written !== source && target.key !== own) found.set(target.key, target.words);
      }
    return [...found.values()];
  }

  #targetOf(written: string): Target {
    const known = this.#targets.get(written);
    if (known) return known;
    const words = wordsOf(written);
    const made = { written, words, key: keyOf(words) };
    this.#targets.set(written, made);
    return made;
  }
}

export function synonymMapOf(rows: readonly SynonymRow[]): SynonymMap {
  const groups = new SynonymGroups();
  for (const row of rows) groups.add(row);
  return groups;
}
