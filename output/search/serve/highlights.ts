/** Where the words of a query are in texts: places in characters (Unicode code points), as the lengths of texts are counted. */
import { stem } from '../../../dictionaries/words.ts';
import { isFunctionWord } from '../../../domain/search/functionWords.ts';
import { parseQuery } from '../../../domain/search/parseQuery.ts';
import type { Marks } from '../messages.ts';
import { visitWords, wordsOf } from '../text/words.ts';

/** From a character to the one after the last. */
export type Range = [from: number, to: number];

/** What a query says by itself, while nobody can tell what else its words stand for. */
export function marksOfQuery(query: string): Marks {
  const wanted = parseQuery(query).filter(({ isExcluded }) => !isExcluded);
  return { stems: [...new Set(wanted.flatMap(({ text }) => wordsOf(text)).map(stem))], prefixes: [] };
}

/** A word of a text that a query has, too. */
interface Found {
  /** Its stem, or what of it was typed. */
  key: string;
  /** Offsets in UTF-16 code units. */
  start: number;
  end: number;
}

/** Characters before the first marked word of a fragment, and in all of it. */
const BEFORE = 60;
const FRAGMENT = 240;

/** The words of one query in any number of texts: what a word is taken for is worked out once. */
export class Marker {
  readonly #stems: ReadonlySet<string>;
  readonly #prefixes: readonly string[];
  readonly #isOnlyJoining: boolean;
  /** A stem begins as its word does, so that other words need not be stemmed. */
  readonly #firstUnits: ReadonlySet<number>;
  /** Of each word its key; null for one that is not marked. */
  readonly #keys = new Map<string, string | null>();

  constructor({ stems, prefixes }: Marks) {
    this.#stems = new Set(stems);
    this.#prefixes = prefixes;
    this.#isOnlyJoining = stems.every(isFunctionWord);
    this.#firstUnits = new Set([...stems, ...prefixes].map((beginning) => beginning.charCodeAt(0)));
  }

  /** Of a text that has none of the words, no ranges. */
  rangesIn(text: string): Range[] {
    return asCharacters(text, this.#placesIn(text));
  }

  /** How many of the words are in a text, each counted once. */
  wordsIn(text: string): number {
    return new Set(this.#placesIn(text).map(({ key }) => key)).size;
  }

  /** A piece of a long text around its first marked word; the text itself when it is short. */
  fragmentOf(text: string): string {
    if (text.length <= FRAGMENT) return text;
    const first = this.#placesIn(text)[0]?.start ?? 0;
    const from = first <= BEFORE ? 0 : beginningBefore(text, first);
    const end = text.lastIndexOf(' ', from + FRAGMENT);
    return text.slice(from, end > first ? end : from + FRAGMENT).toWellFormed();
  }

  #placesIn(text: string): Found[] {
    const found: Found[] = [];
    visitWords(text, this.#firstUnits, (word, start, end) => {
      const key = this.#keyOf(word);
      if (key === null) return;
      // Of a word that is being typed, what is typed.
      found.push({
        key,
        start,
        end: this.#prefixes.includes(key) && word.startsWith(key) ? Math.min(end, start + key.length) : end,
      });
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
    return this.#stems.has(stemmed) && (this.#isOnlyJoining || !isFunctionWord(word)) ? stemmed : null;
  }
}

/** Where a fragment begins that is to have what is at a place: with a word, unless there is none for long. */
function beginningBefore(text: string, place: number): number {
  const wanted = place - BEFORE;
  const space = text.lastIndexOf(' ', wanted);
  return space === -1 || place - space > FRAGMENT / 2 ? wanted : space + 1;
}

/** Code units become code points; the places ascend. */
function asCharacters(text: string, places: readonly Found[]): Range[] {
  let units = 0;
  let characters = 0;
  const reach = (unit: number): number => {
    for (; units < unit; characters += 1) units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
    return characters;
  };
  return places.map(({ start, end }) => [reach(start), reach(end)]);
}
