import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { enlargedPrint, xHeight } from '../../../../providers/builtin/vision/ocrPrint.ts';

/** Returns the ink of lines of the given heights, with gaps between them. */
const rowsOf = (heights: readonly number[]): Float64Array =>
  new Float64Array(heights.flatMap((height) => [0, 8, ...Array.from({ length: height }, () => 50), 6, 0]));

describe('xHeight', () => {
  it('is the height of the lower-case letters in most lines of a page', () => {
    expect(xHeight(rowsOf([14, ...Array.from({ length: 20 }, () => 7)]))).toBe(7);
  });

  it('is unknown for a few lines, for rows of different heights, and for a picture without rows', () => {
    expect(xHeight(rowsOf(Array.from({ length: 6 }, () => 7)))).toBeNull();
    expect(xHeight(rowsOf(Array.from({ length: 20 }, (_, at) => 3 + at * 2)))).toBeNull();
    expect(xHeight(new Float64Array(300).fill(20))).toBeNull();
    expect(xHeight(new Float64Array(0))).toBeNull();
  });
});

describe('enlargedPrint', () => {
  /** Rows of ink of that height, with gaps of twice the height. */
  const striped = (height: number): Promise<Buffer> => {
    const side = 256;
    const rows = Array.from({ length: side }, (_, row) => (row % (3 * height) < height ? 0 : 255));
    const pixels = Buffer.from(rows.flatMap((grey) => Array.from({ length: side }, () => grey)));
    return sharp(pixels, { raw: { width: side, height: side, channels: 1 } })
      .png()
      .toBuffer();
  };
  const widthOf = async (picture: Buffer | null) => picture && (await sharp(picture).metadata()).width;

  it('enlarges small print, but no stripes that are thinner than any print', async () => {
    expect(await widthOf(await enlargedPrint(await striped(5)))).toBe(538);
    expect(await enlargedPrint(await striped(1))).toBeNull();
    expect(await enlargedPrint(await striped(3))).toBeNull();
  });
});
