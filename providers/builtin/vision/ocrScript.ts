/**
 * Which alphabet a word on a picture is in. Beside Russian text the engine reads Latin capitals as the Cyrillic
 * letters that look like them («ТВАМ» for TRAM), and mixes both within a word: each word is one or the other.
 */
import { isKnownWord } from '../text/dictionary.ts';
import { foldWord } from '../text/words.ts';
import type { OcrBlock, OcrWord } from './ocrText.ts';

const CYRILLIC = 'АВЕКМНОРСТУХаеорсух';
const LATIN = 'ABEKMHOPCTYXaeopcyx';
const LOOKS_LATIN = new RegExp(`^[${CYRILLIC}]{2,}$`);

/** Cyrillic that may be Latin: of letters that look alike, and no word that a dictionary has. */
function isDoubtful({ text }: OcrWord): boolean {
  return LOOKS_LATIN.test(text) && !isKnownWord(foldWord(text));
}

/** Whether a second reading by the English data alone is worth its time. */
export function needsLatinReading(blocks: readonly OcrBlock[]): boolean {
  return wordsOf(blocks).some(isDoubtful);
}

/** Takes over, in place of doubtful words, what the English reading has there and is as sure of. */
export function withLatinReading(blocks: readonly OcrBlock[], latin: readonly OcrBlock[]): OcrBlock[] {
  const readings = wordsOf(latin);
  return mapWords(blocks, (word) => {
    if (!isDoubtful(word)) return word;
    const other = readings.find((reading) => overlaps(word, reading));
    return other && other.confidence >= word.confidence && /^[A-Za-z]+$/.test(other.text) ? other : word;
  });
}

/** Words of letters of both alphabets, in the one that most of their letters can only belong to. */
export function inOneScript(blocks: readonly OcrBlock[]): OcrBlock[] {
  return mapWords(blocks, (word) => ({ ...word, text: wholeWord(word.text) }));
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
  return blocks.map(({ paragraphs }) => ({
    paragraphs: paragraphs.map(({ lines }) => ({ lines: lines.map(({ words }) => ({ words: words.map(change) })) })),
  }));
}

/** Whether the middle of one word lies within the other. */
function overlaps({ bbox: a }: OcrWord, { bbox: b }: OcrWord): boolean {
  if (!a || !b) return false;
  const [x, y] = [(a.x0 + a.x1) / 2, (a.y0 + a.y1) / 2];
  return x >= b.x0 && x <= b.x1 && y >= b.y0 && y <= b.y1;
}
