/**
 * Prepares a second pass over a picture that was not read well. The engine expects dark letters of a certain size on
 * light paper: it misses small print, and white letters on a photograph, as in posters and subtitles.
 */
import type { Sharp } from 'sharp';
import { isKnownWord } from '../text/dictionary.ts';
import { foldWord } from '../text/words.ts';
import type { OcrBlock } from './ocrText.ts';
import { acceptedWord, type OcrWord } from './ocrWords.ts';

/**
 * Height of words in pixels. Measured on pages of print: at 7 half of the letters are wrong, at 9 one in twenty, from
 * 11 on hardly any; enlarged to 14 or more, one in a hundred.
 */
const [MIN_HEIGHT, GOOD_HEIGHT] = [11, 18];
/** Smaller letters are illegible, and the engine needs memory and time for each pixel. */
export const MAX_ENLARGED = 3;
/** Minimum number of reliable words for the size to count: on a page, only a small heading may have been found. */
const MIN_WORDS = 2;
/** Grey levels from here on count as white: letters are whiter than almost anything in a photograph. */
const WHITE = 225;
/** Bounds for the share of white letters in a picture, from 0 to 1; more is paper or the sky. */
const [MIN_SHARE, MAX_SHARE] = [0.003, 0.35];
/** If a smaller share of the words is kept, the engine has mistaken other things for letters. */
const PLAIN_SHARE = 0.8;

/**
 * Returns the picture prepared for a second pass, as PNG; null if it was read well, or nothing would help. A slide or a
 * page in ordinary print is read once.
 * @param blocks result of the first pass
 * @param picture its path, or the picture itself
 */
export async function pictureForSecondPass(
  blocks: readonly OcrBlock[],
  picture: string | Buffer,
): Promise<Buffer | null> {
  const words = wordsOf(blocks);
  const kept = words.filter((word) => acceptedWord(word) !== null);
  const height = medianHeight(kept);
  if (kept.length >= MIN_WORDS && height !== null && height < MIN_HEIGHT)
    return enlarged(picture, Math.min(MAX_ENLARGED, GOOD_HEIGHT / height));
  return words.length === 0 || kept.length < words.length * PLAIN_SHARE ? whiteParts(picture) : null;
}

/** Returns the result with more letters in dictionary words. */
export function betterReading(first: OcrBlock[], second: OcrBlock[]): OcrBlock[] {
  return lettersIn(second) > lettersIn(first) ? second : first;
}

/** Returns the picture in grey, enlarged, as PNG. @param picture its path, or the picture itself */
export async function enlarged(picture: string | Buffer, factor: number): Promise<Buffer> {
  // Loaded on demand, since most pictures are read well the first time.
  const { default: sharp } = await import('sharp');
  const { width } = await sharp(picture).metadata();
  return toPng(
    sharp(picture)
      .greyscale()
      .resize({ width: Math.round(width * factor), kernel: 'lanczos3' }),
  );
}

/** Returns the white parts, black on white; null if none of them may be letters. */
async function whiteParts(picture: string | Buffer): Promise<Buffer | null> {
  const { default: sharp } = await import('sharp');
  const { data, info } = await sharp(picture)
    .flatten({ background: '#ffffff' })
    .greyscale()
    .threshold(WHITE)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const white = data.reduce((count, value) => count + (value > 0 ? 1 : 0), 0) / data.length;
  return white < MIN_SHARE || white > MAX_SHARE ? null : toPng(sharp(data, { raw: info }).negate());
}

/** Sets a plausible density, without which the engine complains. */
function toPng(picture: Sharp): Promise<Buffer> {
  return picture.withMetadata({ density: 96 }).png({ compressionLevel: 1 }).toBuffer();
}

function medianHeight(words: readonly OcrWord[]): number | null {
  const heights = words.flatMap(({ bbox }) => (bbox ? [bbox.y1 - bbox.y0] : [])).toSorted((a, b) => a - b);
  return heights[heights.length >> 1] ?? null;
}

/** Returns the number of letters in dictionary words of three letters and more. */
export function lettersIn(blocks: readonly OcrBlock[]): number {
  return wordsOf(blocks)
    .flatMap((word) => acceptedWord(word) ?? [])
    .map((word) => word.replaceAll(/[^\p{L}]/gu, ''))
    .reduce((sum, letters) => sum + (letters.length > 2 && isKnownWord(foldWord(letters)) ? letters.length : 0), 0);
}

/** Returns everything that the engine took for a word. */
export function wordsOf(blocks: readonly OcrBlock[]): OcrWord[] {
  return blocks
    .flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines.flatMap(({ words }) => words)))
    .filter(({ text }) => text.trim() !== '');
}
