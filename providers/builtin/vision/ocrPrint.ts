/**
 * Recognises pages in small print before they are read, so that they are enlarged at once. Reading such a page takes
 * seconds, and the size of its print would be known only afterwards.
 */
import { enlarged, MAX_ENLARGED } from './ocrSecondPass.ts';

/** The x-height of small print in pixels, at most: whole words are then 9 or 10 pixels high. */
const SMALL_X_HEIGHT = 7;
/**
 * The x-height to which small print is enlarged. Measured on a Russian page of 3,200 characters, where it was 7:
 * enlarged to 10.5, no character is wrong; to 9, which takes a fifth less time, three words are lost; as it is, one
 * character in 25 is wrong.
 */
const GOOD_X_HEIGHT = 10.5;
/** Fewest lines of a page. */
const MIN_LINES = 12;
/**
 * Rows with at least this share of the ink of a dense row belong to the middle of a line, where every letter has ink.
 */
const INK_SHARE = 0.4;
/** Share of the rows that have no more ink than a dense row. */
const DENSE_ROW = 0.9;
/**
 * Share of the lines that are about as high as the middle one. Pages have 0.7 to 1, tables and photographs up to 0.4.
 */
const MIN_ALIKE = 0.6;
/**
 * Lines differ from the middle one by at most this share of its height; a difference of one pixel is always allowed.
 */
const ALIKE = 0.25;
/** Lightest grey level of paper. */
const MIN_PAPER = 160;

/**
 * Returns a page in small print enlarged, as PNG; null for any other picture, such as one of stripes that are thinner
 * than any print. The check takes a few milliseconds.
 * @param picture its path, or the picture itself
 */
export async function enlargedPrint(picture: string | Buffer): Promise<Buffer | null> {
  const ink = await inkOfRows(picture);
  const height = ink === null ? null : xHeight(ink);
  if (height === null || height > SMALL_X_HEIGHT || GOOD_X_HEIGHT / height > MAX_ENLARGED) return null;
  return enlarged(picture, GOOD_X_HEIGHT / height);
}

/** Returns the mean darkness of each row against the paper; null if the picture is not mostly light paper. */
async function inkOfRows(picture: string | Buffer): Promise<Float64Array | null> {
  const { default: sharp } = await import('sharp');
  const { data, info } = await sharp(picture)
    .flatten({ background: '#ffffff' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const paper = medianGrey(data);
  if (paper < MIN_PAPER) return null;
  const ink = new Float64Array(info.height);
  for (const [at, grey] of data.entries()) {
    const row = Math.floor(at / info.width);
    ink[row] = (ink[row] ?? 0) + Math.max(0, paper - grey) / info.width;
  }
  return ink;
}

/** Returns the grey level of the paper, which most pixels have. */
export function medianGrey(data: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (const grey of data) counts[grey] = (counts[grey] ?? 0) + 1;
  let [grey, below] = [0, counts[0] ?? 0];
  while (below * 2 < data.length) below += counts[++grey] ?? 0;
  return grey;
}

/**
 * Returns the x-height of the print in pixels; null if the rows do not alternate between lines of one height and
 * gaps, as on a page.
 * @param ink of each row
 */
export function xHeight(ink: Float64Array): number | null {
  const dense = ink.toSorted()[Math.floor(ink.length * DENSE_ROW)] ?? 0;
  const heights = runsAbove(ink, dense * INK_SHARE).toSorted((a, b) => a - b);
  const middle = heights[heights.length >> 1];
  if (middle === undefined || heights.length < MIN_LINES) return null;
  const alike = heights.filter((height) => Math.abs(height - middle) <= Math.max(1, middle * ALIKE));
  return alike.length < heights.length * MIN_ALIKE ? null : middle;
}

/** Returns the lengths of the runs of values above the limit. */
function runsAbove(values: Float64Array, limit: number): number[] {
  const runs: number[] = [];
  let run = 0;
  for (const value of [...values, 0]) {
    if (value > limit) run += 1;
    else if (run > 0) {
      runs.push(run);
      run = 0;
    }
  }
  return runs;
}
