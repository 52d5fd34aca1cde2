/** Comparison of free texts: by the stems of their words, in any order. */
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as russian } from '@orama/stemmers/russian';

/** Words that only connect others. */
export const STOP_WORDS: ReadonlySet<string> = new Set([
  'и',
  'в',
  'во',
  'на',
  'с',
  'со',
  'для',
  'о',
  'об',
  'по',
  'из',
  'от',
  'за',
  'к',
  'у',
  'г',
  'the',
  'a',
  'an',
  'and',
  'of',
  'for',
  'in',
  'to',
  'on',
  's',
]);

/** Folds a text: lower case, one space between words, ё as е. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('ё', 'е').trim().replaceAll(/\s+/g, ' ');
}

/** Returns the distinct stems of a text's words, sorted, by the Snowball algorithm of the word's alphabet. */
export function stemsOf(text: string): string[] {
  const words = foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return [...new Set((telling.length > 0 ? telling : words).map(stem))].sort();
}

/** Shorter words are abbreviations more often than words with an ending: ИИ is not и. */
const MIN_STEMMED = 4;

/** Returns the stem of one folded word, by the Snowball algorithm of its alphabet. */
export function stem(word: string): string {
  if (word.length < MIN_STEMMED) return word;
  if (/^[а-я]+$/.test(word)) return russian(word);
  return /^[a-z]+$/.test(word) ? wholeIfShort(english(word), word) : word;
}

/** "toys", "flies" */
const OF_Y = /^[a-z]{2}(?:y|ie[sd]$)/;
/** "using"; "doing" belongs to "do". */
const WITHOUT_E = /^[aeiou][a-z]ing$/;

/**
 * Returns an English stem as the word itself if that is too short to be stemmed: the algorithm gives "toi" for "toys",
 * "ag" for "ages" and "us" for "using".
 */
function wholeIfShort(stemmed: string, word: string): string {
  if (stemmed.length === MIN_STEMMED - 1 && stemmed.endsWith('i') && OF_Y.test(word)) return `${stemmed.slice(0, -1)}y`;
  if (stemmed.length !== MIN_STEMMED - 2) return stemmed;
  // "added", "erring": the algorithm takes away one of two equal letters.
  const doubled = `${stemmed}${stemmed.at(-1) ?? ''}`;
  if (word.startsWith(doubled)) return doubled;
  const isCut = word.startsWith(`${stemmed}e`) || (WITHOUT_E.test(word) && word === `${stemmed}ing`);
  return isCut ? `${stemmed}e` : stemmed;
}

/** Returns a key that texts with the same stems share. */
export function stemKey(text: string): string {
  return stemsOf(text).join(' ');
}
