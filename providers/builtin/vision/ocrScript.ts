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
const LOOKS_LATIN = new RegExp(`^[${CYRILLIC}]{2,}$`);

/** Returns whether a Cyrillic word may be Latin: its letters look alike, and no dictionary has it. */
function isDoubtful({ text }: OcrWord): boolean {
  return LOOKS_LATIN.test(text) && !isKnownWord(foldWord(text));
}

/** Returns whether a second pass with only the English data is worth its time. */
export function needsLatinReading(blocks: readonly OcrBlock[]): boolean {
  return wordsOf(blocks).some(isDoubtful);
}

/** Replaces doubtful words by the English result in the same place if that is as certain. */
export function withLatinReading(blocks: readonly OcrBlock[], latin: readonly OcrBlock[]): OcrBlock[] {
  const readings = wordsOf(latin);
  return mapWords(blocks, (word) => {
    if (!isDoubtful(word)) return word;
    const other = readings.find((reading) => overlaps(word, reading));
    return other && other.confidence >= word.confidence && /^[A-Za-z]+$/.test(other.text) ? other : word;
  });
}

/**
 * Converts words with letters of both alphabets to the alphabet that most of their unambiguous letters belong to. A
 * word of Latin letters that looks like a Russian word becomes that word if the rest of its line is Russian («вход CO
 * двора»).
 */
export function inOneScript(blocks: readonly OcrBlock[]): OcrBlock[] {
  const whole = mapWords(blocks, (word) => ({ ...word, text: wholeWord(word.text) }));
  return mapLines(whole, (words) => (isRussian(words) ? words.map(russianWord) : words));
}

function isRussian(words: readonly OcrWord[]): boolean {
  const count = (script: RegExp): number => words.filter(({ text }) => script.test(text)).length;
  return count(/\p{Script=Cyrillic}/u) > count(/\p{Script=Latin}/u);
}

function russianWord(word: OcrWord): OcrWord {
  const [, before = '', letters = '', after = ''] = /^([^\p{L}]*)(\p{L}+)([^\p{L}]*)$/u.exec(word.text) ?? [];
  const mapped = [...letters].map((each) => CYRILLIC[LATIN.indexOf(each)] ?? each).join('');
  const isTwin = letters !== '' && [...letters].every((each) => LATIN.includes(each));
  return isTwin && isKnownWord(foldWord(mapped)) ? { ...word, text: `${before}${mapped}${after}` } : word;
}

function wholeWord(text: string): string {
  if (!/\p{Script=Cyrillic}/u.test(text) || !/\p{Script=Latin}/u.test(text)) return text;
  const letters = [...text];
  const onlyCyrillic = letters.filter((each) => /\p{Script=Cyrillic}/u.test(each) && !CYRILLIC.includes(each)).length;
  const onlyLatin = letters.filter((each) => /\p{Script=Latin}/u.test(each) && !LATIN.includes(each)).length;
  if (onlyCyrillic === onlyLatin) return text;
  const [from, to] = onlyCyrillic > onlyLatin ? [LATIN, CYRILLIC] : [CYRILLIC, LATIN];
  return letters.map((each) => to[from.indexOf(each)] ?? each).join('');
}

function wordsOf(blocks: readonly OcrBlock[]): OcrWord[] {
  return blocks.flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines.flatMap(({ words }) => words)));
}

function mapWords(blocks: readonly OcrBlock[], change: (word: OcrWord) => OcrWord): OcrBlock[] {
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
