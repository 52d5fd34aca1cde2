/** Regular expressions by which PostgreSQL finds the words of a query in texts (db/search/excerpts.ts). */
import { isFunctionWord } from '../../../domain/search/functionWords.ts';
import type { Marks, WordForms } from '../../messages/searchMessages.ts';
import { commonPrefix } from '../text/indexedWords.ts';

export interface WordPatterns {
  /** One for each word of the query. */
  each: readonly string[];
  /** Matches the beginning of any of the words; null when there are no words. */
  any: string | null;
}

/**
 * Maximum number of patterns; every chunk that has a word is searched for each of them. If a query has more words, the
 * last pattern matches any of the rest.
 */
const MAX_PATTERNS = 8;

/**
 * Returns a pattern for the words that begin with one of these. Hyphens and underscores separate words, as they do in
 * the index.
 */
export const startingWith = (...prefixes: string[]): string =>
  `(?:^|[^[:alnum:]])(?:${prefixes.map(unfolded).join('|')})`;
const among = (words: readonly string[]): string => `${startingWith(...words)}(?:$|[^[:alnum:]])`;

/** Words have only letters and digits, so that no character has a special meaning in the pattern. */
const unfolded = (folded: string): string => folded.replaceAll('е', '[её]');

/**
 * Returns patterns for texts in upper and lower case. The pattern of a word with known forms matches only these: "кот"
 * is not in "который". Function words are left out unless there are no others.
 */
export function wordPatterns({ stems, prefixes }: Marks, forms: WordForms): WordPatterns {
  const contentStems = stems.filter((stem) => !isFunctionStem(stem, forms));
  const wanted = contentStems.length + prefixes.length > 0 ? contentStems : stems;
  const words = wanted.filter((stem) => !prefixes.some((prefix) => stem.startsWith(prefix)));
  const all = [
    ...prefixes.map((prefix) => ({ prefix, pattern: startingWith(prefix) })),
    ...words.map((stem) => {
      const prefix = commonPrefix(stem);
      const known = formsOf(forms, stem);
      return { prefix, pattern: known === undefined ? startingWith(prefix) : among(known) };
    }),
  ];
  if (all.length === 0) return { each: [], any: null };
  const rest = all.slice(MAX_PATTERNS - 1).map(({ prefix }) => prefix);
  return {
    each: [
      ...all.slice(0, MAX_PATTERNS - 1).map(({ pattern }) => pattern),
      ...(rest.length > 0 ? [startingWith(...rest)] : []),
    ],
    any: startingWith(...all.map(({ prefix }) => prefix)),
  };
}

function isFunctionStem(stem: string, forms: WordForms): boolean {
  return isFunctionWord(stem) || (formsOf(forms, stem)?.every(isFunctionWord) ?? false);
}

/** Stems come from queries: one like "constructor" must not find what every object inherits. */
function formsOf(forms: WordForms, stem: string): readonly string[] | undefined {
  return Object.hasOwn(forms, stem) ? forms[stem] : undefined;
}
