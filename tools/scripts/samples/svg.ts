/** Small helpers for pictures drawn as SVG. */
import sharp from 'sharp';

/** Escapes text for SVG. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

export function svg(width: number, height: number, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`;
}

/** Draws an SVG into a PNG file. */
export async function drawPng(source: string, path: string): Promise<void> {
  await sharp(Buffer.from(source)).png().toFile(path);
}

/**
 * Implements mulberry32: the same seed gives the same picture on every machine.
 * @returns a function that returns numbers from 0 (included) to 1 (excluded).
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
