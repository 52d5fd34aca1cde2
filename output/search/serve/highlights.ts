/** Where the words of a query are in texts: places in characters (Unicode code points), as the lengths of texts are counted. */
import { stem } from '../../../dictionaries/words.ts';
import { isFunctionWord } from '../../../domain/search/functionWords.ts';
import { parseQuery } from '../../../domain/search/parseQuery.ts';
import type { Marks } from '../messages.ts';
import { wordPlaces, wordsOf, type WordPlace } from '../text/words.ts';

/** From a character to the one after the last. */
export type Range = [from: number, to: number];

export interface Marked {
  ranges: Range[];
  /** How many of the words are in it, each counted once. */
  words: number;
}

/** What a query says by itself, while nobody can tell what else its words stand for. */
export function marksOfQuery(query: string): Marks {
  const wanted = parseQuery(query).filter(({ isExcluded }) => !isExcluded);
  return { stems: [...new Set(wanted.flatMap(({ text }) => wordsOf(text)).map(stem))], prefixes: [] };
}

/** Of a text that has none of the words, no ranges. */
export function markText(text: string, marks: Marks): Marked {
  const found = placesIn(text, marks);
  const stems = new Set(found.map(({ key }) => key));
  return { ranges: asCharacters(text, found), words: stems.size };
}

interface Found extends Pick<WordPlace, 'start' | 'end'> {
  key: string;
}

function placesIn(text: string, { stems, prefixes }: Marks): Found[] {
  const wanted = new Set(stems);
  const isOnlyJoining = stems.every(isFunctionWord);
  return wordPlaces(text).flatMap(({ word, start, end }): Found[] => {
    const begun = prefixes.find((prefix) => word.startsWith(prefix));
    // Of a word that is being typed, what is typed.
    if (begun !== undefined) return [{ key: begun, start, end: Math.min(end, start + begun.length) }];
    const stemmed = stem(word);
    if (!wanted.has(stemmed) || (!isOnlyJoining && isFunctionWord(word))) return [];
    return [{ key: stemmed, start, end }];
  });
}

/** Code units become code points; the places ascend. */
function asCharacters(text: string, places: readonly Found[]): Range[] {
  let units = 0;
  let characters = 0;
  const reach = (unit: number): number => {
    characters += Array.from(text.slice(units, unit)).length;
    units = unit;
    return characters;
  };
  return places.map(({ start, end }) => [reach(start), reach(end)]);
}

/** Characters before the first marked word of a fragment, and in all of it. */
const BEFORE = 60;
const FRAGMENT = 240;

/** A piece of a long text around its first marked word; the text itself when it is short. */
export function fragmentOf(text: string, marks: Marks): string {
  if (text.length <= FRAGMENT) return text;
  const first = placesIn(text, marks)[0]?.start ?? 0;
  const space = first <= BEFORE ? -1 : text.lastIndexOf(' ', first - BEFORE);
  const from = first <= BEFORE ? 0 : space + 1 || first;
  const end = text.lastIndexOf(' ', from + FRAGMENT);
  return text.slice(from, end > first ? end : from + FRAGMENT).toWellFormed();
}
