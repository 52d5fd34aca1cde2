/** Distinguishes the words of a text that may be keywords from function words, units and the like. */
import { OTHER_CYRILLIC_WORDS, OTHER_LATIN_WORDS } from './languageRivals.ts';
import { isStopWord } from './stopWords.ts';
import type { Word } from './words.ts';
import type { Zone } from './weightedTextZones.ts';

/** Scales, units and particles: part of an amount or a name, not a subject. */
const PARTS = new Set([
  'тыс',
  'тысяч',
  'тысячи',
  'млн',
  'миллион',
  'миллиона',
  'миллионов',
  'млрд',
  'миллиард',
  'миллиардов',
  'руб',
  'рублей',
  'процент',
  'процента',
  'процентов',
  'million',
  'millions',
  'billion',
  'thousand',
  'percent',
  'van',
  'der',
  'von',
]);
/** More function words of German, French, Spanish, Portuguese and Italian, of three letters or more. */
const FOREIGN_WORDS = new Set(
  `zwischen gegen ohne seit dass weil beim vom ins vor nun etwa unter wieder wurde wurden können muss sollte dort alle andere
  avant après chez donc sans sous vers très être été même encore lors déjà alors ceux toute toutes désormais dit
  antes después cada mientras luego primero nunca siempre puede deben debe poco mucho otro otra otros cómo
  pelo pela até depois você também onde outro outra está são
  più perché prima dopo senza tra fra già ancora può devono ogni altro altra nei negli sui sulla`.split(/\s+/),
);
/** Words by which descriptions speak of a picture and not of its subject. */
const FRAME_WORDS = new Set([
  'изображение',
  'изображении',
  'кадр',
  'преобладает',
  'преобладают',
  'цвет',
  'цвета',
  'светлое',
  'темное',
  'резкое',
  'нерезкое',
  'однотонное',
  'текст',
  'есть',
]);

/** Longest run of characters that may be a word in a script without spaces between words. */
const MAX_UNSPACED_LENGTH = 6;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/**
 * Returns whether a word may be a keyword.
 * @param isForeign whether the text is in a language other than Russian and English
 */
export function isContent(word: Word, kind: Zone['kind'], isForeign: boolean): boolean {
  const { folded } = word;
  if (folded.length < 3 && !/^\p{Lu}{2}$/u.test(word.text)) return false;
  if (/^[\p{N}-]+$/u.test(folded) || folded.length > 40 || isStopWord(folded) || PARTS.has(folded)) return false;
  if (isForeign && (isUnspaced(folded) || isForeignFunctionWord(folded))) return false;
  return kind !== 'frame' || !FRAME_WORDS.has(folded);
}

/** Returns whether it is several words of a script without spaces between words. */
const isUnspaced = (folded: string): boolean => folded.length > MAX_UNSPACED_LENGTH && UNSPACED.test(folded);

/** Returns whether it is a function word, also after an elision: «l'adjointe» is a noun, «qu'il» is not. */
function isForeignFunctionWord(folded: string): boolean {
  const elided = folded.replace(/^[a-z]{1,2}['’]/, '');
  return OTHER_CYRILLIC_WORDS.has(folded) || OTHER_LATIN_WORDS.has(elided) || FOREIGN_WORDS.has(elided);
}
