/**
 * Copies the lines of a page that have doubtful words to a small picture, so that the second pass does not read the
 * whole page again. The time of reading grows with the number of characters.
 */
import { medianGrey } from './ocrPrint.ts';
import { doubtfulLines, mapWords } from './ocrScript.ts';
import type { OcrBlock } from './ocrText.ts';
import type { OcrWord } from './ocrWords.ts';

/** Pictures with fewer lines are read whole: that takes little time, and the engine sees the text around a word. */
const MIN_LINES = 12;
/** Pictures in which more than this share of the lines is doubtful are read whole, too. */
const MAX_SHARE = 1 / 3;
/** Margin around a line, as a share of its height. The ends of letters are within the first third of it. */
const MARGIN = 0.3;

/** A line in the page, and the row where its copy begins; pixels. */
interface Copy {
  left: number;
  top: number;
  width: number;
  height: number;
  at: number;
}

/** Some lines of a page, one below the other, as PNG. Their columns are those of the page. */
export interface LinesOfPage {
  picture: Buffer;
  copies: readonly Copy[];
}

/**
 * Returns the lines with words that may be Latin; null if the whole picture is to be read, because it has few lines or
 * many of them are in doubt.
 * @param blocks result of reading the picture
 * @param picture its path, or the picture itself
 */
export async function linesInDoubt(blocks: readonly OcrBlock[], picture: string | Buffer): Promise<LinesOfPage | null> {
  const lines = blocks.flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => paragraph.lines));
  const doubtful = doubtfulLines(blocks);
  if (lines.length < MIN_LINES || doubtful.length > lines.length * MAX_SHARE) return null;
  const { default: sharp } = await import('sharp');
  const { data, info } = await sharp(picture)
    .flatten({ background: '#ffffff' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const copies = layOutLines(doubtful, info);
  const height = copies.reduce((sum, copy) => Math.max(sum, copy.at + copy.height * 2), 1);
  const copied = Buffer.alloc(info.width * height, medianGrey(data));
  for (const { left, top, width, height: rows, at } of copies)
    for (let row = 0; row < rows; row += 1) {
      const from = (top + row) * info.width + left;
      copied.set(data.subarray(from, from + width), (at + row) * info.width + left);
    }
  const raw = { width: info.width, height, channels: 1 as const };
  return { picture: await sharp(copied, { raw }).withMetadata({ density: 96 }).png().toBuffer(), copies };
}

/** Places the lines below each other, with gaps of their own height. */
function layOutLines(lines: readonly OcrWord[][], page: { width: number; height: number }): Copy[] {
  const copies: Copy[] = [];
  let at = 0;
  for (const line of lines) {
    const boxes = line.flatMap(({ bbox }) => bbox ?? []);
    const [y0, y1] = [Math.min(...boxes.map((box) => box.y0)), Math.max(...boxes.map((box) => box.y1))];
    const margin = Math.ceil((y1 - y0) * MARGIN);
    const [left, top] = [Math.max(0, Math.min(...boxes.map((box) => box.x0)) - margin), Math.max(0, y0 - margin)];
    const width = Math.min(page.width, Math.max(...boxes.map((box) => box.x1)) + margin) - left;
    const height = Math.min(page.height, y1 + margin) - top;
    if (!(width > 0 && height > 0)) continue;
    at += height;
    copies.push({ left, top, width, height, at });
    at += height;
  }
  return copies;
}

/** Returns the result of reading the copied lines, with the places of its words converted to those in the page. */
export function toPageCoordinates(blocks: readonly OcrBlock[], copies: readonly Copy[]): OcrBlock[] {
  const placed = (word: OcrWord): OcrWord => {
    const { bbox } = word;
    const copy = bbox && copies.findLast(({ at }) => (bbox.y0 + bbox.y1) / 2 >= at);
    if (!bbox || !copy) return word;
    const down = copy.top - copy.at;
    return { ...word, bbox: { ...bbox, y0: bbox.y0 + down, y1: bbox.y1 + down } };
  };
  return mapWords(blocks, placed);
}
