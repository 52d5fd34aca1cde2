import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { toPageCoordinates, linesInDoubt } from '../../../../providers/builtin/vision/ocrLines.ts';
import type { OcrBlock } from '../../../../providers/builtin/vision/ocrText.ts';

/** Height of the lines of a page, and the distance from one to the next. */
const [HEIGHT, PITCH] = [20, 40];
const WIDTH = 300;

/** The result of reading a page with a word of 100 pixels in each line. */
const pageOf = (words: readonly string[]): OcrBlock[] => [
  {
    paragraphs: [
      {
        lines: words.map((text, at) => ({
          words: [{ text, confidence: 90, bbox: { x0: 50, y0: at * PITCH, x1: 150, y1: at * PITCH + HEIGHT } }],
        })),
      },
    ],
  },
];

/** A page in which each line is a bar of its own grey level, 100 or more. */
function picture(lines: number): Promise<Buffer> {
  const bars = Array.from({ length: lines }, (_, at) => {
    const grey = 100 + at;
    return `<rect x="50" y="${at * PITCH}" width="100" height="${HEIGHT}" fill="rgb(${grey},${grey},${grey})"/>`;
  });
  const [width, height] = [WIDTH, lines * PITCH];
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="#fff"/>${bars.join('')}</svg>`,
    ),
  )
    .png()
    .toBuffer();
}

const RUSSIAN = Array.from({ length: 20 }, () => 'музей');

describe('the doubtful lines of a page', () => {
  it('are the only ones copied, each at its horizontal place and on a white background', async () => {
    const words = RUSSIAN.with(4, 'ТВАМ').with(19, 'ОЕРОТ');
    const lines = await linesInDoubt(pageOf(words), await picture(words.length));
    if (lines === null) throw new Error('the whole page is to be read');
    const { data, info } = await sharp(lines.picture).greyscale().raw().toBuffer({ resolveWithObject: true });
    expect(info.width).toBe(WIDTH);
    expect(info.height).toBeLessThan(words.length * PITCH * 0.3);
    const middle = (at: number): number => data[(at + HEIGHT / 2) * WIDTH + 100] ?? 0;
    expect(lines.copies.map(({ at }) => middle(at))).toEqual([104, 119]);
    expect(new Set(data)).toEqual(new Set([255, 104, 119]));
  });

  it('yield words at their places in the page when their copies are read', async () => {
    const words = RUSSIAN.with(4, 'ТВАМ').with(19, 'ОЕРОТ');
    const lines = await linesInDoubt(pageOf(words), await picture(words.length));
    const copies = lines?.copies ?? [];
    const read: OcrBlock[] = copies.map(({ top, at }, index) => {
      const y0 = at + (index === 0 ? 4 : 19) * PITCH - top;
      const word = { text: 'TRAM', confidence: 95, bbox: { x0: 50, y0, x1: 150, y1: y0 + HEIGHT } };
      return { paragraphs: [{ lines: [{ words: [word] }] }] };
    });
    const boxes = toPageCoordinates(read, copies).map(({ paragraphs }) => paragraphs[0]?.lines[0]?.words[0]?.bbox);
    expect(boxes).toEqual([4, 19].map((at) => ({ x0: 50, y0: at * PITCH, x1: 150, y1: at * PITCH + HEIGHT })));
  });

  it('are not copied if the picture has few lines, or if many are doubtful', async () => {
    const few = ['ТВАМ', ...RUSSIAN.slice(0, 5)];
    expect(await linesInDoubt(pageOf(few), await picture(few.length))).toBeNull();
    const many = RUSSIAN.map((word, at) => (at % 2 === 0 ? 'ТВАМ' : word));
    expect(await linesInDoubt(pageOf(many), await picture(many.length))).toBeNull();
  });
});
