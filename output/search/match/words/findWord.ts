/** Finds the terms that one word of a query stands for. */
import { latinPrefix, toCyrillic } from '../../../../domain/search/transliteration.ts';
import { allowedTypos } from '../../../../domain/search/typos.ts';
import type { SearchIndex } from '../../index/searchIndex.ts';
import type { CorrectionEffort } from '../../index/vocabulary.ts';
import type { SynonymMap } from '../../text/synonymMap.ts';

export interface ResolvedWord {
  /** The word as typed, folded. */
  word: string;
  /** The replacement of the word, when no document has it as typed. */
  correction: string | null;
  /** Empty when nothing resembles the word. */
  terms: readonly number[];
}

export interface WordContext {
  index: SearchIndex;
  synonyms: SynonymMap;
  typos: boolean;
  /** The word may be the beginning of a longer one. */
  isUnfinished: boolean;
  /** Common to all words of a query. */
  effort: CorrectionEffort;
}

/** Maximum number of terms for a prefix: those of the most frequent words. */
const MAX_COMPLETIONS = 200;
/** Maximum number of words that correct a mistyped one; all of them are as near as the nearest. */
const MAX_CORRECTIONS = 3;
/** A single letter begins too many words of the other alphabet. */
const MIN_LETTERS_IN_OTHER_ALPHABET = 2;

/**
 * Returns the terms of a word. The other alphabet and typing errors are considered only when no document has the word
 * as typed.
 */
export function findWord(word: string, context: WordContext): ResolvedWord {
  const { index, synonyms, typos, isUnfinished } = context;
  const exact = liveTerms(index, [index.vocabulary.termOf(word)]);
  const terms = isUnfinished ? [...new Set([...exact, ...prefixTerms(index, word)])] : exact;
  if (terms.length > 0 || !typos || synonyms.of([word]).length > 0) return { word, correction: null, terms };
  const homophones = liveTerms(index, index.vocabulary.termsThatSoundLike(word));
  if (homophones.length > 0) return { word, correction: transliterated(word, homophones, index), terms: homophones };
  return (isUnfinished ? completeInOtherAlphabet(word, index) : null) ?? nearest(word, context);
}

/** Finds words that begin with the word in the other alphabet, as "петербург" with "peterb"; null if there are none. */
function completeInOtherAlphabet(word: string, index: SearchIndex): ResolvedWord | null {
  if (word.length < MIN_LETTERS_IN_OTHER_ALPHABET) return null;
  const correction = toCyrillic(word) ?? spelledInLatin(word, index);
  const terms = correction === null ? [] : prefixTerms(index, correction);
  return terms.length > 0 ? { word, correction, terms } : null;
}

/**
 * Returns the Latin prefix that sounds like the Cyrillic one, from the most frequent word that has one; null if no word
 * does.
 */
function spelledInLatin(prefix: string, index: SearchIndex): string | null {
  for (const term of liveTerms(index, index.vocabulary.termsWithSoundPrefix(prefix))) {
    const spelling = latinPrefix(index.vocabulary.surfaceForm(term), prefix);
    if (spelling !== null) return spelling;
  }
  return null;
}

/** Returns the word in the other alphabet if documents have that form, otherwise the most frequent form of the term. */
function transliterated(word: string, [first = 0]: readonly number[], { vocabulary }: SearchIndex): string {
  const cyrillic = toCyrillic(word);
  return cyrillic !== null && vocabulary.termOf(cyrillic) === first ? cyrillic : vocabulary.surfaceForm(first);
}

/** Returns the terms of words that begin with the prefix, the most frequent first. */
export function prefixTerms(index: SearchIndex, prefix: string): number[] {
  return liveTerms(index, index.vocabulary.termsWithPrefix(prefix, MAX_COMPLETIONS));
}

function nearest(word: string, { index, isUnfinished, effort }: WordContext): ResolvedWord {
  const maxTypos = /\d/.test(word) ? 0 : allowedTypos(word);
  if (maxTypos === 0) return { word, correction: null, terms: [] };
  const near = index.vocabulary
    .wordsNear(word, maxTypos, isUnfinished, effort)
    .filter(({ term }) => index.isLive(term));
  const [first] = near;
  if (!first) return { word, correction: null, terms: [] };
  const nearestWords = near.filter(({ typos }) => typos === first.typos);
  const kept = nearestWords.slice(0, isUnfinished ? MAX_COMPLETIONS : MAX_CORRECTIONS);
  return { word, correction: first.word, terms: [...new Set(kept.map(({ term }) => term))] };
}

function liveTerms(index: SearchIndex, terms: readonly (number | undefined)[]): number[] {
  return terms.filter((term) => term !== undefined).filter((term) => index.isLive(term));
}
