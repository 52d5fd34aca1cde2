/** Filters the engine's result: OCR of a photograph yields much that is not text. */

import { joinWords, acceptedWord, type OcrWord } from './ocrWords.ts';

export interface OcrBlock {
  paragraphs: { lines: { words: OcrWord[] }[] }[];
}

/** Minimum mean confidence of a line's words. */
const MIN_CONFIDENCE = 60;
const MIN_LETTERS = 3;

/** Returns lines of confident words, or null if nothing readable is left. */
export function readableText(blocks: readonly OcrBlock[]): string | null {
  const lines = blocks.flatMap((block) => block.paragraphs).flatMap((paragraph) => paragraph.lines);
  const text = lines
    .map(readableLine)
    .filter((line) => line !== '')
    .join('\n');
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters >= MIN_LETTERS && /[\p{L}\p{N}]{2,}/u.test(text) ? text : null;
}

/**
 * Returns the text of a line. A line whose words are doubtful on average is noise, even if one of them looks certain.
 */
function readableLine(line: { words: readonly OcrWord[] }): string {
  const words = line.words.filter((word) => word.text.trim() !== '');
  const mean = words.reduce((sum, word) => sum + word.confidence, 0) / Math.max(1, words.length);
  if (mean < MIN_CONFIDENCE) return '';
  return joinWords(words.map(acceptedWord).filter((word) => word !== null));
}
