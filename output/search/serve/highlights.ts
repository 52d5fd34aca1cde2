/**
 * Finds the words of a query in texts. Positions are in characters (Unicode code points), like the lengths of texts.
 */
import { wholeCharactersEnd } from '../../../domain/cutText.ts';
import { stem } from '../../../domain/dictionaries/stems.ts';
import { isFunctionWord } from '../../../domain/search/functionWords.ts';
import { parseQuery } from '../../../domain/search/parseQuery.ts';
import { SILENT_MARKS } from '../../../domain/search/silentMarks.ts';
import type { Marks } from '../../messages/searchMessages.ts';
import { fold, visitWords, wordsOf } from '../text/indexedWords.ts';

/** From the first character to the one after the last. */
export type Range = [from: number, to: number];

/** Returns the marks of the query's own words, while it is unknown what else they stand for. */
export function marksOfQuery(query: string): Marks {
  const included = parseQuery(query).filter(({ isExcluded }) => !isExcluded);
  return { stems: [...new Set(included.flatMap(({ text }) => wordsOf(text)).map(stem))], prefixes: [] };
}

/** A word of a text that a query has, too. */
interface MarkedWord {
  /** The stem of the word, or the typed prefix. */
  key: string;
  /** Offsets in UTF-16 code units. */
  start: number;
  end: number;
}

/**
 * Number of code units before the first marked word of a fragment, besides the beginning of a word that they would cut;
 * and the maximum of the whole fragment.
 */
const BEFORE = 60;
const FRAGMENT = 240;

/** Marks the words of one query in any number of texts; the key of a word is computed once. */
export class Marker {
  readonly #stems: ReadonlySet<string>;
  readonly #prefixes: readonly string[];
  readonly #hasOnlyFunctionWords: boolean;
  /**
   * First code units of the stems. A stem begins like its word, so words with other first units need not be stemmed.
   */
  readonly #firstUnits: ReadonlySet<number>;
  /** The key of each word; null for a word that is not marked. */
  readonly #keys = new Map<string, string | null>();

  constructor({ stems, prefixes }: Marks) {
    this.#stems = new Set(stems);
    this.#prefixes = prefixes;
    this.#hasOnlyFunctionWords = stems.every(isFunctionWord);
    this.#firstUnits = new Set([...stems, ...prefixes].map((beginning) => beginning.charCodeAt(0)));
  }

  /** Returns the ranges to mark; none for a text without any of the words. */
  rangesIn(text: string): Range[] {
    return asCharacters(text, this.#occurrencesIn(text));
  }

  /** Returns how many distinct words of the query are in a text. */
  wordsIn(text: string): number {
    return new Set(this.#occurrencesIn(text).map(({ key }) => key)).size;
  }

  /** Returns a piece of a long text around its first marked word; a short text is returned whole. */
  fragmentOf(text: string): string {
    if (text.length <= FRAGMENT) return text;
    const first = this.#occurrencesIn(text)[0]?.start ?? 0;
    const from = first <= BEFORE ? 0 : fragmentStart(text, first);
    const end = text.lastIndexOf(' ', from + FRAGMENT);
    return text.slice(from, end > first ? end : wholeCharactersEnd(text, from + FRAGMENT));
  }

  #occurrencesIn(text: string): MarkedWord[] {
    const found: MarkedWord[] = [];
    visitWords(text, this.#firstUnits, (word, start, end) => {
      const key = this.#keyOf(word);
      if (key === null) return;
      // For a word that is being typed, only the typed part is marked.
      const isTyped = this.#prefixes.includes(key) && word.startsWith(key);
      found.push({ key, start, end: isTyped ? start + typedLength(text.slice(start, end), key) : end });
    });
    return found;
  }

  #keyOf(word: string): string | null {
    const known = this.#keys.get(word);
    if (known !== undefined) return known;
    const key = this.#prefixes.find((prefix) => word.startsWith(prefix)) ?? this.#stemOf(word);
    this.#keys.set(word, key);
    return key;
  }

  #stemOf(word: string): string | null {
    const stemmed = stem(word);
    return this.#stems.has(stemmed) && (this.#hasOnlyFunctionWords || !isFunctionWord(word)) ? stemmed : null;
  }
}

/**
 * Returns the length of a word's beginning as it is written: a folded letter may stand for several characters, and one
 * character for several letters.
 */
function typedLength(written: string, prefix: string): number {
  let length = 1;
  while (length < written.length && !fold(written.slice(0, length)).startsWith(prefix)) {
    length += 1;
    // A run of silent marks folds like its first mark. Folding after each of thousands would take seconds.
    while (SILENT.test(written.charAt(length - 1)) && SILENT.test(written.charAt(length))) length += 1;
  }
  while (COMBINING.test(written.charAt(length))) length += 1;
  return length;
}

const COMBINING = /\p{M}/u;
const SILENT = new RegExp(`[${SILENT_MARKS}]`, 'u');

/** Returns where a fragment around a position should begin: at a word, unless there is no space nearby. */
function fragmentStart(text: string, index: number): number {
  const target = index - BEFORE;
  const space = text.lastIndexOf(' ', target);
  return space === -1 || index - space > FRAGMENT / 2 ? wholeCharactersEnd(text, target) : space + 1;
}

/** Converts code units to code points; the ranges must ascend. */
function asCharacters(text: string, found: readonly MarkedWord[]): Range[] {
  let units = 0;
  let characters = 0;
  const charactersBefore = (unit: number): number => {
    for (; units < unit; characters += 1) units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
    return characters;
  };
  return found.map(({ start, end }) => [charactersBefore(start), charactersBefore(end)]);
}
