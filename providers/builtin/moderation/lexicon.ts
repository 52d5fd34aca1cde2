/** The form of lexicon entries, and their combination into one matcher per alphabet. */
import type { Category, FoundLevel } from './categories.ts';

/**
 * `words` are sources of regular expressions, each for a whole folded word (anchored on both sides): anchoring keeps
 * out «застрахуй», «хлеб» and "Scunthorpe". Productive prefixes are listed, never implied.
 */
export interface LexiconEntry {
  category: Category;
  level: FoundLevel;
  words: readonly string[];
}

/** Consecutive folded words, each the source of a whole-word expression. */
export interface PhraseEntry {
  category: Category;
  level: FoundLevel;
  phrases: readonly (readonly string[])[];
}

/** Full words that «х*й» and "f**k" are compared with, and their terms. */
export interface MaskedEntry {
  category: Category;
  level: FoundLevel;
  words: readonly string[];
}

export interface Lexicon {
  entries: readonly LexiconEntry[];
  phrases: readonly PhraseEntry[];
  masked: readonly MaskedEntry[];
}

export interface Verdict {
  category: Category;
  level: FoundLevel;
}

/**
 * Tests one folded word. The whole lexicon is tried first as one expression, which nearly every word fails immediately.
 */
export type WordMatcher = (word: string) => readonly Verdict[];

const NOTHING: readonly Verdict[] = [];

export function compileWords(entries: readonly LexiconEntry[]): WordMatcher {
  const anyEntry = wholeWord(entries.flatMap((entry) => entry.words));
  const compiled = entries.map((entry) => ({
    test: wholeWord(entry.words),
    verdict: { category: entry.category, level: entry.level },
  }));
  return (word) => {
    if (!anyEntry.test(word)) return NOTHING;
    return compiled.filter((entry) => entry.test.test(word)).map((entry) => entry.verdict);
  };
}

export interface CompiledPhrase extends Verdict {
  words: readonly RegExp[];
}

export function compilePhrases(entries: readonly PhraseEntry[]): CompiledPhrase[] {
  return entries.flatMap(({ category, level, phrases }) =>
    phrases.map((phrase) => ({ category, level, words: phrase.map((word) => wholeWord([word])) })),
  );
}

function wholeWord(sources: readonly string[]): RegExp {
  return new RegExp(`^(?:${sources.join('|')})$`);
}
