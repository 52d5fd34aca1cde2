/**
 * Computes fingerprints of frames and decides when two frames show the same picture, and which of them is the original.
 *
 * The 64-bit difference hash is Neal Krawetz's dHash ("Kind of Like That", The Hacker Factor Blog, 2013): shrink to 9 ×
 * 8 grey cells, one bit for each horizontal pair, brighter left = 1. It differs in one point: a bit needs a difference
 * of more than MARGIN grey levels, because on the flat background of a slide the sign of a one-level difference is only
 * codec noise.
 *
 * Text is finer than 9 × 8 cells, so two slides can share a hash. Frames within the Hamming limit are therefore
 * compared again as grey pictures of 128 × 128: see `sameFine`.
 */
import sharp from 'sharp';
import type { RawImage } from './rawImage.ts';

/** Hamming distance up to which two frames may be the same. */
export const MAX_HAMMING = 6;

const COLUMNS = 9;
const ROWS = 8;
const MARGIN = 2;
/** Side of the grey pictures that are compared. */
export const FINE_SIDE = 128;
export const FINE_PIXELS = FINE_SIDE * FINE_SIDE;

/**
 * Standard deviation of grey, out of 255, below which a frame is flat, provided that no pixel stands out
 * (PIXEL_DIFFERENCE): a title of one small word on white deviates by 2 and must not count as blank.
 */
const FLAT_DEVIATION = 4;
/** Two flat frames are the same shade within this many grey levels. */
const FLAT_SHADE = 8;

/**
 * Threshold of the finer comparison. Measured on slides of 720p text in H.264 (CRF 23 and 32) on a white and on a
 * shaded background: between two frames of one slide no pixel moves by over 11 levels; a changed digit in text 24
 * pixels high moves at least two pixels by over 16, and 99 % of the picture by at most 4. So on an otherwise still
 * picture, two moved pixels are a change of text. Where much of the picture moves a little (a camera), they are not,
 * and the pictures differ only when over 5 % of all pixels move by over 16. Pixels next to those that move by over 16
 * do not count as moved: they are the edges of large letters, and a new heading has up to 6 % of them. When a camera
 * moves, pixels away from such edges move too: 3 to 15 % of the picture in five photographs that were shifted by two to
 * twelve of 1,280 pixels.
 */
const PIXEL_DIFFERENCE = 16;
const STILL_DIFFERENCE = 4;
const STILL_SHARE = 0.97;
const STILL_ALLOWED = 1;
/** Pixels. */
const EDGE = 3;
const MOVING_ALLOWED = Math.round(0.05 * FINE_PIXELS);

export interface Fingerprint {
  /** 16 hex digits. */
  dhash: string;
  /** Grey levels, 128 × 128, row by row. */
  fine: Uint8Array;
  mean: number;
  flat: boolean;
}

/** Computes the fingerprint of a frame on disk or in memory, which takes a few milliseconds. */
export async function fingerprint(image: string | Buffer | RawImage): Promise<Fingerprint> {
  const input = typeof image === 'string' || Buffer.isBuffer(image) ? sharp(image) : sharp(image.data, { raw: image });
  const fine = await input.greyscale().resize(FINE_SIDE, FINE_SIDE, { fit: 'fill' }).raw().toBuffer();
  return fingerprintOfGrey(fine);
}

/** @param fine 128 × 128 grey levels */
export function fingerprintOfGrey(fine: Uint8Array): Fingerprint {
  if (fine.length !== FINE_PIXELS) throw new RangeError(`expected ${FINE_PIXELS} grey pixels, got ${fine.length}`);
  const { mean, deviation } = statistics(fine);
  const flat = deviation < FLAT_DEVIATION && fine.every((grey) => Math.abs(grey - mean) <= PIXEL_DIFFERENCE);
  return { dhash: differenceHash(fine), fine, mean, flat };
}

/** Returns true when `b` shows the same picture as `a`: close hashes, confirmed by the finer comparison. */
export function sameFrame(a: Fingerprint, b: Fingerprint): boolean {
  if (a.flat && b.flat) return Math.abs(a.mean - b.mean) <= FLAT_SHADE;
  return hamming(a.dhash, b.dhash) <= MAX_HAMMING && sameFine(a, b);
}

/**
 * Marks each frame that repeats an earlier one with the time of the original: of the earliest frame that is not a
 * duplicate itself and shows the same picture.
 * @param frames in order of time
 */
export function markDuplicates<Frame extends { ts: number; fingerprint: Fingerprint }>(
  frames: readonly Frame[],
): (Frame & { duplicateOfTs: number | null })[] {
  const originals: Frame[] = [];
  return frames.map((frame) => {
    const original = originals.find((earlier) => sameFrame(earlier.fingerprint, frame.fingerprint));
    if (original === undefined) originals.push(frame);
    return { ...frame, duplicateOfTs: original?.ts ?? null };
  });
}

/** Returns the number of bits in which two hashes of 16 hex digits differ. */
export function hamming(a: string, b: string): number {
  let bits = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  let count = 0;
  for (; bits !== 0n; bits &= bits - 1n) count++;
  return count;
}

function sameFine(a: Fingerprint, b: Fingerprint): boolean {
  const differences = new Uint8Array(FINE_PIXELS);
  let different = 0;
  for (let at = 0; at < FINE_PIXELS; at++) {
    const difference = Math.abs((a.fine[at] ?? 0) - (b.fine[at] ?? 0));
    differences[at] = difference;
    if (difference > PIXEL_DIFFERENCE) different++;
  }
  if (different <= STILL_ALLOWED) return true;
  return different <= MOVING_ALLOWED && !isStillElsewhere(differences);
}

/** Returns true when hardly a pixel has moved, apart from those that moved much and their edges. */
function isStillElsewhere(differences: Uint8Array): boolean {
  let moved = 0;
  for (let at = 0; at < FINE_PIXELS; at++)
    if ((differences[at] ?? 0) > STILL_DIFFERENCE && !isAtEdge(differences, at)) moved++;
  return moved <= (1 - STILL_SHARE) * FINE_PIXELS;
}

/** Returns true when the pixel or one near it moved much. */
function isAtEdge(differences: Uint8Array, at: number): boolean {
  const [row, column] = [Math.floor(at / FINE_SIDE), at % FINE_SIDE];
  const [left, right] = [Math.max(0, column - EDGE), Math.min(FINE_SIDE - 1, column + EDGE)];
  for (let y = Math.max(0, row - EDGE); y <= Math.min(FINE_SIDE - 1, row + EDGE); y++)
    for (let x = left; x <= right; x++) if ((differences[y * FINE_SIDE + x] ?? 0) > PIXEL_DIFFERENCE) return true;
  return false;
}

function differenceHash(fine: Uint8Array): string {
  let bits = 0n;
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS - 1; column++) {
      const brighter = cellMean(fine, column, row) - cellMean(fine, column + 1, row) > MARGIN;
      bits = (bits << 1n) | (brighter ? 1n : 0n);
    }
  }
  return bits.toString(16).padStart(16, '0');
}

function cellMean(fine: Uint8Array, column: number, row: number): number {
  const left = Math.floor((column * FINE_SIDE) / COLUMNS);
  const right = Math.floor(((column + 1) * FINE_SIDE) / COLUMNS);
  const top = (row * FINE_SIDE) / ROWS;
  const bottom = ((row + 1) * FINE_SIDE) / ROWS;
  let sum = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) sum += fine[y * FINE_SIDE + x] ?? 0;
  }
  return sum / ((right - left) * (bottom - top));
}

function statistics(fine: Uint8Array): { mean: number; deviation: number } {
  let sum = 0;
  let squares = 0;
  for (const grey of fine) {
    sum += grey;
    squares += grey * grey;
  }
  const mean = sum / fine.length;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / fine.length - mean * mean)) };
}
