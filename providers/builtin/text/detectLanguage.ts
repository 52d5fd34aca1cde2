/**
 * Detects the language of a text: Russian, English, another, or unknown.
 *
 * Two kinds of evidence are added up word by word. Function words are the strongest signal in short texts (Ingle 1976;
 * Grefenstette 1995 compares them with trigrams), and rivals' function words count against, so that Ukrainian is not
 * Russian and Dutch not English. Letters decide the rest: ы, э, ъ, щ indicate Russian, і, ї, ў, ј and the Turkic
 * letters other languages; diacritics other Latin languages; endings such as -ing and -tion English. The test has 78
 * short sentences in 27 languages: 76 were detected correctly, one stayed unknown, and one, in Bulgarian without any
 * distinctive letter, was taken for Russian: see test/providers/builtin/text/language.samples.ts.
 */
import { STOP_WORDS } from './stopWords.ts';
import { scriptOf, splitWords } from './words.ts';
import { OTHER_CYRILLIC_WORDS, OTHER_LATIN_WORDS } from './languageRivals.ts';

export type DetectedLanguage = 'ru' | 'en' | 'other';

/** The beginning is enough, and bounds the cost. */
const SAMPLE_CHARACTERS = 6_000;
const RUSSIAN_LETTERS = /[ыэъщ]/;
const FOREIGN_CYRILLIC = /[іїєґўјљњћђџѓќѕәғқңөұүһҳҷӣӯ]/;
/** In Russian ъ occurs only before е, ё, ю, я; in Bulgarian it is a vowel, and the article follows the noun. */
const BULGARIAN = /ъ(?![еюя])|(?:остта|ството|ията|ието|ските|ците)$/;
const FOREIGN_LATIN = /[àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœßğışčćđěřšťůžąęłńóśźżőűțșăāēīūķļņģ]/;
const RUSSIAN_ENDING =
  /(?:ость|ости|ение|ения|ению|ений|ание|ания|ться|тся|ого|ому|ыми|ими|ый|ая|ое|ые|ых|ов|ами|ями|ция|ции|ский|ство)$/;
const ENGLISH_ENDING = /(?:ing|tion|tions|ness|ment|ments|ly|ed|ght|ship|able|less|ful|ough|ould|ck|wn|sh|th|y)$/;
const ENGLISH_ONSET = /^(?:th|wh|kn|wr|sh|str|squ|wo|be|un|over|out)/;
const ENGLISH_INNER = /(?:ee|oo|ea|ou|igh|aw|ow|ew)/;

interface Score {
  own: number;
  rival: number;
  words: number;
}

/**
 * @param text any length; the first 6,000 characters are read
 * @returns null if there are no words or the evidence is too weak or balanced
 */
export function detectLanguage(text: string): DetectedLanguage | null {
  const cyrillic: Score = { own: 0, rival: 0, words: 0 };
  const latin: Score = { own: 0, rival: 0, words: 0 };
  let otherLetters = 0;
  for (const word of splitWords(text.slice(0, SAMPLE_CHARACTERS))) {
    const script = scriptOf(word.folded);
    if (script === 'cyrillic') addRussian(cyrillic, word.text.toLowerCase(), word.folded);
    else if (script === 'latin') addEnglish(latin, word.folded);
    else if (/\p{L}/u.test(word.text)) otherLetters += /[\u0400-\u04ffa-z]/i.test(word.text) ? 0 : 1;
  }
  return decide(cyrillic, latin, otherLetters);
}

/** Returns the language of a text as ISO 639-1, or null if it is another one or unknown. */
export function knownLanguage(text: string): 'ru' | 'en' | null {
  const detected = detectLanguage(text);
  return detected === 'other' ? null : detected;
}

/**
 * Returns the language of a text: that of its words, else the stated one, unless the words contradict it. Null for a
 * text without words, and if neither is known.
 * @param stated ISO 639 code from a container or a recogniser
 */
export function languageOfWords(text: string, stated: string | null): string | null {
  if (text.trim() === '') return null;
  const detected = detectLanguage(text);
  if (detected !== 'other') return detected ?? stated;
  return isDetectable(stated) ? null : stated;
}

/** Returns true for the languages that the detector names; a text in any other one is `other`. */
export function isDetectable(language: string | null): boolean {
  return language === 'ru' || language === 'en';
}

function addRussian(score: Score, lower: string, folded: string): void {
  score.words += 1;
  if (FOREIGN_CYRILLIC.test(folded) || BULGARIAN.test(folded)) score.rival += 2;
  else if (OTHER_CYRILLIC_WORDS.has(folded)) score.rival += 1;
  else if (STOP_WORDS.ru.has(folded) && !SHARED_CYRILLIC.has(folded)) score.own += 1;
  else if (RUSSIAN_LETTERS.test(lower) || lower.includes('ё')) score.own += 1;
  else if (RUSSIAN_ENDING.test(folded)) score.own += 0.6;
  else score.own += 0.2;
}

function addEnglish(score: Score, folded: string): void {
  score.words += 1;
  const own = STOP_WORDS.en.has(folded.replaceAll('’', "'"));
  const rival = OTHER_LATIN_WORDS.has(folded);
  if (FOREIGN_LATIN.test(folded)) score.rival += 1.5;
  else if (own && rival) score.own += 0.3;
  else if (rival) score.rival += 1;
  else if (own) score.own += 1;
  else if (folded.length > 2) score.own += englishLook(folded);
}

/** Rates how English a content word looks, from 0 to 0.5. */
function englishLook(folded: string): number {
  if (ENGLISH_ENDING.test(folded)) return 0.5;
  return ENGLISH_ONSET.test(folded) || ENGLISH_INNER.test(folded) ? 0.35 : 0;
}

/** Written alike in several Cyrillic languages: no evidence either way. */
const SHARED_CYRILLIC = new Set([
  'и',
  'в',
  'на',
  'за',
  'от',
  'до',
  'не',
  'а',
  'по',
  'о',
  'с',
  'у',
  'з',
  'ти',
  'ми',
  'он',
  'то',
  'да',
  'ли',
  'те',
  'се',
  'его',
  'под',
  'над',
  'без',
  'при',
]);

function decide(cyrillic: Score, latin: Score, otherLetters: number): DetectedLanguage | null {
  const words = cyrillic.words + latin.words + otherLetters;
  if (words === 0) return null;
  if (otherLetters > words / 2) return 'other';
  if (cyrillic.words >= latin.words) return verdict(cyrillic, 'ru', 0.18);
  return verdict(latin, 'en', 0.16);
}

/**
 * @param minScore the share of evidence per word below which the text stays unknown: a name or a brand ("Nike Air Max")
 * is written alike in every language
 */
function verdict(score: Score, own: 'ru' | 'en', minScore: number): DetectedLanguage | null {
  if (score.rival > score.own) return 'other';
  if (score.own / score.words < minScore) return null;
  return score.rival * 1.5 > score.own ? null : own;
}
