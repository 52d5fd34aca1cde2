/**
 * Recognises pictures that lie on their side or upside down: pages from scanners, and photographs whose program dropped
 * the EXIF orientation. The engine reads nonsense from them.
 */
import { lettersIn, wordsOf } from './ocrSecondPass.ts';
import type { OcrBlock } from './ocrText.ts';

/** Clockwise rotation in degrees. */
export type Rotation = 90 | 180 | 270;

/**
 * A picture counts as read if the mean confidence of its words is at least this. Measured on 21 pictures in four
 * positions: upright pages, slides, signs and receipts have 88 to 97, the same ones rotated 27 to 70, photographs up to
 * 60.
 */
const READ_CONFIDENCE = 75;
/**
 * A picture counts as read if the number of letters in dictionary words, divided by the number of words that the engine
 * found, is at least this. Upright pictures have 0.6 (white letters on a photograph) to 5, rotated ones at most 0.1.
 */
const READ_LETTERS = 0.5;
/** Fewest letters in dictionary words for a reading to be believed. */
const MIN_LETTERS = 8;
/** The engine finds fewer words than this in most photographs without text, however they are rotated. */
const MIN_WORDS = 5;
/** Side in pixels of the picture whose lines are looked for. */
const SIDE = 256;
/**
 * Smallest mean square of the difference between neighbouring rows, or columns, of a picture with lines of text, in
 * grey levels out of 255. Pictures of text have 45 to 800, photographs up to 38 (a wall of bricks), noise has 1.
 */
const MIN_STRIPES = 40;

/** A whole page on its side differs at least this many times more from column to column than from row to row. */
const PAGE_RATIO = 4;
/** Share of a picture's width and height that is read to find the right rotation. */
const MIDDLE = 0.5;

/**
 * Mean square of the difference between neighbouring rows, and between neighbouring columns. Lines of text differ from
 * the gaps between them, so a page upside down differs from row to row, and one on its side from column to column.
 */
export interface Stripes {
  rows: number;
  columns: number;
}

/** Returns true for a page on its side. It is rotated before it is read, because nonsense takes long to read. */
export function isPageOnItsSide({ rows, columns }: Stripes): boolean {
  return columns >= MIN_STRIPES && columns >= rows * PAGE_RATIO;
}

/** The rotations of a picture on its side, the more frequent one first. */
export const SIDEWAYS: readonly Rotation[] = [270, 90];

/**
 * Returns how to rotate a picture that was not read; none if it was, or has no lines of text.
 * @param blocks result of reading the picture as it is
 */
export function rotationsToTry(blocks: readonly OcrBlock[], { rows, columns }: Stripes): readonly Rotation[] {
  const words = wordsOf(blocks);
  const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / words.length;
  if (words.length < MIN_WORDS || confidence >= READ_CONFIDENCE || isUpright(blocks)) return [];
  if (Math.max(rows, columns) < MIN_STRIPES) return [];
  return rows > columns ? [180] : SIDEWAYS;
}

/** Returns the picture rotated, as PNG. @param part of its width and height, around the middle */
export async function rotatePicture(path: string, rotation: Rotation, part = 1): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const { width, height } = await sharp(path).metadata();
  const [across, down] = [Math.ceil(width * part), Math.ceil(height * part)];
  return sharp(path)
    .extract({ left: (width - across) >> 1, top: (height - down) >> 1, width: across, height: down })
    .rotate(rotation)
    .withMetadata({ density: 96 })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/**
 * Returns the rotation after which the middle of the picture has words; null if no rotation shows any.
 * @param read reads a picture once
 */
export async function rotationOfMiddle(
  path: string,
  rotations: readonly Rotation[],
  read: (picture: Buffer) => Promise<OcrBlock[]>,
): Promise<Rotation | null> {
  for (const rotation of rotations)
    if (isUpright(await read(await rotatePicture(path, rotation, MIDDLE)))) return rotation;
  return null;
}

/** Returns whether the result of reading a picture shows that it is upright. */
export function isUpright(blocks: readonly OcrBlock[]): boolean {
  return lettersIn(blocks) >= Math.max(MIN_LETTERS, wordsOf(blocks).length * READ_LETTERS);
}

/** Measures the stripes of a picture, which takes a few milliseconds. */
export async function stripesOf(path: string): Promise<Stripes> {
  const { default: sharp } = await import('sharp');
  const { data, info } = await sharp(path)
    .flatten({ background: '#ffffff' })
    .greyscale()
    .resize(SIDE, SIDE, { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const rows = new Float64Array(info.height);
  const columns = new Float64Array(info.width);
  for (const [at, grey] of data.entries()) {
    const [row, column] = [Math.floor(at / info.width), at % info.width];
    rows[row] = (rows[row] ?? 0) + grey / info.width;
    columns[column] = (columns[column] ?? 0) + grey / info.height;
  }
  return { rows: roughness(rows), columns: roughness(columns) };
}

function roughness(means: Float64Array): number {
  let sum = 0;
  for (let at = 1; at < means.length; at += 1) sum += ((means[at] ?? 0) - (means[at - 1] ?? 0)) ** 2;
  return sum / Math.max(1, means.length - 1);
}
