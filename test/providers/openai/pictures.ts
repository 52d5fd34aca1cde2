/** Pictures generated from numbers, without a font or a file. */
import sharp from 'sharp';

/** Draws lines of short vertical strokes with gaps between words and lines, like small print. */
export function linesOfStrokes(width: number, height: number): Promise<Buffer> {
  return picture(width, height, (x, y) => {
    const inLine = y % 24 < 11 && y > 10 && y < height - 20;
    const letter = Math.floor(x / 9);
    const stroke = x % 9 < 2 || (x % 9 > 5 && x % 9 < 8 && letter % 3 !== 0);
    return inLine && letter % 7 !== 6 && stroke && x < width * 0.8 ? 20 : 235;
  });
}

/** Draws strong detail on every row, like leaves or gravel. The picture is the same each time. */
export function foliage(width: number, height: number): Promise<Buffer> {
  let state = 12_345;
  const random = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  const grid = Array.from({ length: Math.ceil(width / 4) * Math.ceil(height / 4) }, () => random() * 255);
  return picture(width, height, (x, y) => grid[Math.floor(y / 4) * Math.ceil(width / 4) + Math.floor(x / 4)] ?? 0);
}

export const sky = (width: number, height: number): Promise<Buffer> =>
  picture(width, height, (_, y) => 120 + (y / height) * 100);

/** Draws a few hard vertical edges over the whole height, like houses and fences. */
export const fence = (width: number, height: number): Promise<Buffer> =>
  picture(width, height, (x) => (x % 40 < 8 ? 30 : 200));

function picture(width: number, height: number, brightness: (x: number, y: number) => number): Promise<Buffer> {
  const data = Buffer.alloc(width * height);
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) data[y * width + x] = brightness(x, y);
  return sharp(data, { raw: { width, height, channels: 1 } })
    .jpeg({ quality: 85 })
    .toBuffer();
}
