/** What of the engine's answer is text: OCR of a photograph yields much that is not. */

export interface OcrWord {
  text: string;
  /** 0 to 100. */
  confidence: number;
  /** Pixels of the picture. */
  bbox?: { x0: number; y0: number; x1: number; y1: number };
}

export interface OcrBlock {
  paragraphs: { lines: { words: OcrWord[] }[] }[];
}

/** Below this the engine's words on photographs are mostly leaves and shadows. */
const LEAST_CONFIDENCE = 60;
const LEAST_LETTERS = 3;

/** Lines of confident words, or null when nothing readable is left. */
export function readableText(blocks: readonly OcrBlock[]): string | null {
  const lines = blocks.flatMap((block) => block.paragraphs).flatMap((paragraph) => paragraph.lines);
  const text = lines
    .map(readableLine)
    .filter((line) => line !== '')
    .join('\n');
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters >= LEAST_LETTERS && /[\p{L}\p{N}]{2,}/u.test(text) ? text : null;
}

/** A line whose words are doubtful on average is noise, even if one of them looks sure. */
function readableLine(line: { words: readonly OcrWord[] }): string {
  const words = line.words.filter((word) => word.text.trim() !== '');
  const mean = words.reduce((sum, word) => sum + word.confidence, 0) / Math.max(1, words.length);
  if (mean < LEAST_CONFIDENCE) return '';
  const sure = words.filter((word) => word.confidence >= LEAST_CONFIDENCE).map((word) => word.text);
  return sure.some((word) => /[\p{L}\p{N}]/u.test(word)) ? sure.join(' ') : '';
}
