/**
 * Decides the alphabet of each word on a picture. In Russian text the engine reads Latin capitals as the Cyrillic
 * letters that look like them («ТВАМ» for TRAM), and mixes both within a word, although each word has only one
 * alphabet.
 */
import { isKnownWord } from '../text/dictionary.ts';
import { foldWord } from '../text/words.ts';
import type { OcrBlock } from './ocrText.ts';
import type { OcrWord } from './ocrWords.ts';

const CYRILLIC = 'АВЕКМНОРСТУХаеорсух';
const LATIN = 'ABEKMHOPCTYXaeopcyx';
const CYRILLIC_LETTER = /\p{Script=Cyrillic}/u;
const LATIN_LETTER = /\p{Script=Latin}/u;
const CYRILLIC_WORD = /^\p{Script=Cyrillic}{2,}$/u;
const ONLY_HOMOGLYPHS = new RegExp(`^[${CYRILLIC}]{2,}$`);

/**
 * In a picture with this many Latin words for each Cyrillic one, a Cyrillic word is more likely misread than Russian.
 */
const LATIN_SHARE = 5;

/**
 * Returns a test of whether a Cyrillic word of the picture may be Latin: its letters look alike and no dictionary has
 * it, or nearly all other words are Latin.
 */
function doubtfulIn(blocks: readonly OcrBlock[]): (word: OcrWord) => boolean {
  const words = wordsOf(blocks);
  const isEnglish = countOf(words, LATIN_LETTER) >= LATIN_SHARE * countOf(words, CYRILLIC_LETTER);
  return ({ text }) =>
    isEnglish ? CYRILLIC_WORD.test(text) : ONLY_HOMOGLYPHS.test(text) && !isKnownWord(foldWord(text));
}

/** Returns whether a second pass with only the English data is worth its time. */
export function needsLatinReading(blocks: readonly OcrBlock[]): boolean {
  return doubtfulLines(blocks).length > 0;
}

/** Returns the words of each line with a word that may be Latin. */
export function doubtfulLines(blocks: readonly OcrBlock[]): OcrWord[][] {
  const isDoubtful = doubtfulIn(blocks);
  return blocks
    .flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines.map(({ words }) => words)))
    .filter((words) => words.some(isDoubtful));
}

/**
 * Replaces doubtful words by the English result in the same place if that is as certain. A word that a dictionary has
 * gives way only to another such word: «Ном to bake» to "How".
 */
export function withLatinReading(blocks: readonly OcrBlock[], latin: readonly OcrBlock[]): OcrBlock[] {
  const readings = wordsOf(latin);
  const isDoubtful = doubtfulIn(blocks);
  return mapWords(blocks, (word) => {
    if (!isDoubtful(word)) return word;
    const other = readings.find((reading) => overlaps(word, reading));
    if (!other || other.confidence < word.confidence || !/^[A-Za-z]+$/.test(other.text)) return word;
    return isKnownWord(foldWord(word.text)) && !isKnownWord(foldWord(other.text)) ? word : other;
  });
}

/**
 * Converts words with letters of both alphabets to the alphabet that most of their unambiguous letters belong to. A
 * word whose letters look alike in both becomes a word of the other alphabet if the rest of its line is written in it
 * («вход CO двора», "Nike Air Мах").
 */
export function inOneScript(blocks: readonly OcrBlock[]): OcrBlock[] {
  const whole = mapWords(blocks, (word) => ({ ...word, text: wholeWord(word.text) }));
  return mapLines(whole, (line) => {
    if (isRussian(line)) return line.map((word) => replaceHomoglyphs(word, LATIN, CYRILLIC));
    return isLatin(line) ? line.map((word) => replaceHomoglyphs(word, CYRILLIC, LATIN)) : line;
  });
}

function isRussian(line: readonly OcrWord[]): boolean {
  return countOf(line, CYRILLIC_LETTER) > countOf(line, LATIN_LETTER);
}

function isLatin(line: readonly OcrWord[]): boolean {
  return countOf(line, LATIN_LETTER) > countOf(line, CYRILLIC_LETTER);
}

function countOf(line: readonly OcrWord[], letter: RegExp): number {
  return line.filter(({ text }) => letter.test(text)).length;
}

/** Returns the word in the other alphabet if all of its letters look alike there and a dictionary has it. */
function replaceHomoglyphs(word: OcrWord, from: string, to: string): OcrWord {
  const [, before = '', letters = '', after = ''] = /^([^\p{L}]*)(\p{L}+)([^\p{L}]*)$/u.exec(word.text) ?? [];
  const mapped = [...letters].map((each) => to[from.indexOf(each)] ?? each).join('');
  const hasHomoglyphs = letters !== '' && [...letters].every((each) => from.includes(each));
  return hasHomoglyphs && isKnownWord(foldWord(mapped)) ? { ...word, text: `${before}${mapped}${after}` } : word;
}

function wholeWord(text: string): string {
  if (!CYRILLIC_LETTER.test(text) || !LATIN_LETTER.test(text)) return text;
  const letters = [...text];
  const onlyCyrillic = letters.filter((each) => CYRILLIC_LETTER.test(each) && !CYRILLIC.includes(each)).length;
  const onlyLatin = letters.filter((each) => LATIN_LETTER.test(each) && !LATIN.includes(each)).length;
  if (onlyCyrillic === onlyLatin) return text;
  const [from, to] = onlyCyrillic > onlyLatin ? [LATIN, CYRILLIC] : [CYRILLIC, LATIN];
  return letters.map((each) => to[from.indexOf(each)] ?? each).join('');
}

function wordsOf(blocks: readonly OcrBlock[]): OcrWord[] {
  return blocks.flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines.flatMap(({ words }) => words)));
}

/** Changes each word. */
export function mapWords(blocks: readonly OcrBlock[], change: (word: OcrWord) => OcrWord): OcrBlock[] {
  return mapLines(blocks, (words) => words.map(change));
}

function mapLines(blocks: readonly OcrBlock[], change: (words: OcrWord[]) => OcrWord[]): OcrBlock[] {
  return blocks.map(({ paragraphs }) => ({
    paragraphs: paragraphs.map(({ lines }) => ({ lines: lines.map(({ words }) => ({ words: change(words) })) })),
  }));
}

/** Returns whether the middle of one word is within the other. */
function overlaps({ bbox: a }: OcrWord, { bbox: b }: OcrWord): boolean {
  if (!a || !b) return false;
  const [x, y] = [(a.x0 + a.x1) / 2, (a.y0 + a.y1) / 2];
  return x >= b.x0 && x <= b.x1 && y >= b.y0 && y <= b.y1;
}
