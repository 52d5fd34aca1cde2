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
  return /^[a-z]+$/.test(word) ? english(word) : word;
}

/** Returns a key that texts with the same stems share. */
export function stemKey(text: string): string {
  return stemsOf(text).join(' ');
}
