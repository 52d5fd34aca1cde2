/**
 * Estimates whether a frame shows small text, which `detail: low` (a 512 px copy) would lose.
 *
 * Rows of text leave a pattern that scenery does not: within a small cell some rows of pixels cross many strokes, while
 * others, between the lines, cross none. Foliage and crowds have strokes on every row, skies and faces on none. Letters
 * too large for this pattern are legible in the small copy.
 */
import sharp from 'sharp';

const CELL_WIDTH = 96;
const CELL_HEIGHT = 32;
/** Difference in brightness, of 255, that counts as the edge of a stroke. */
const EDGE = 56;
/** Edges on a row that crosses letters: at least three strokes in 96 px. */
const BUSY_EDGES = 6;
const MIN_BUSY_ROWS = 4;
const MIN_EMPTY_ROWS = 4;
/** One short line of a caption covers about three cells side by side. */
const MIN_TEXT_CELLS = 3;
const MAX_PIXELS = 16_000_000;

/** @returns false also for a picture that cannot be read; the provider then judges it */
export async function likelyShowsText(jpeg: Buffer): Promise<boolean> {
  try {
    const image = sharp(jpeg, { limitInputPixels: MAX_PIXELS }).toColourspace('b-w').extractChannel(0).raw();
    const { data, info } = await image.toBuffer({ resolveWithObject: true });
    return countTextCells(data, info.width, info.height) >= MIN_TEXT_CELLS;
  } catch {
    return false;
  }
}

function countTextCells(pixels: Buffer, width: number, height: number): number {
  let cells = 0;
  for (let top = 0; top + CELL_HEIGHT <= height; top += CELL_HEIGHT / 2) {
    for (let left = 0; left + CELL_WIDTH <= width; left += CELL_WIDTH) {
      if (isTextCell(pixels, width, left, top)) cells += 1;
    }
  }
  return cells;
}

function isTextCell(pixels: Buffer, width: number, left: number, top: number): boolean {
  let busy = 0;
  let empty = 0;
  for (let row = top; row < top + CELL_HEIGHT; row += 1) {
    const edges = countEdges(pixels, row * width + left);
    if (edges >= BUSY_EDGES) busy += 1;
    if (edges === 0) empty += 1;
  }
  return busy >= MIN_BUSY_ROWS && empty >= MIN_EMPTY_ROWS;
}

/** Counts changes between rising and falling edges along one row of a cell. */
function countEdges(pixels: Buffer, start: number): number {
  let edges = 0;
  let last = 0;
  for (let offset = start; offset < start + CELL_WIDTH - 2; offset += 1) {
    const step = (pixels[offset + 2] ?? 0) - (pixels[offset] ?? 0);
    const sign = step > EDGE ? 1 : step < -EDGE ? -1 : 0;
    if (sign !== 0 && sign !== last) {
      edges += 1;
      last = sign;
    }
  }
  return edges;
}
