import { describe, expect, it } from '@jest/globals';
import { colourShares, nameColour } from '../../../../providers/builtin/vision/colours.ts';
import { describePicture } from '../../../../providers/builtin/vision/describe.ts';
import { readableText } from '../../../../providers/builtin/vision/ocrText.ts';

describe('nameColour', () => {
  it.each([
    ['#000000', 'чёрный'],
    ['#ffffff', 'белый'],
    ['#808080', 'серый'],
    ['#e01010', 'красный'],
    ['#ff8c00', 'оранжевый'],
    ['#ffe000', 'жёлтый'],
    ['#1e8c2e', 'зелёный'],
    ['#5ac8fa', 'голубой'],
    ['#1030c0', 'синий'],
    ['#7b1fa2', 'фиолетовый'],
    ['#ff69b4', 'розовый'],
    ['#5d3a1a', 'коричневый'],
    ['#e8d5b7', 'бежевый'],
    ['#8b4513', 'коричневый'],
    ['#87ceeb', 'голубой'],
    ['#000080', 'синий'],
    ['#ffc0cb', 'розовый'],
  ])('calls %s %s', (hex, name) => {
    const part = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);
    expect(nameColour(part(1), part(3), part(5))).toBe(name);
  });
});

describe('colourShares', () => {
  it('counts pixels whatever the number of channels', () => {
    expect(colourShares(Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255), 4)).toEqual([
      { name: 'чёрный', share: 0.75 },
      { name: 'белый', share: 0.25 },
    ]);
  });
});

describe('describePicture', () => {
  it('describes only what was measured, in Russian', () => {
    const colours = [
      { name: 'синий' as const, share: 0.5 },
      { name: 'белый' as const, share: 0.4 },
      { name: 'красный' as const, share: 0.1 },
    ];
    expect(describePicture({ width: 9, height: 9, colours, brightness: 30, contrast: 50, sharpness: 10 }, true)).toBe(
      'Изображение: преобладают синий и белый цвета; тёмное, нерезкое. Есть текст.',
    );
  });
});

describe('readableText', () => {
  const line = (...words: [string, number][]): { words: { text: string; confidence: number }[] } => ({
    words: words.map(([text, confidence]) => ({ text, confidence })),
  });
  const blocks = (...lines: ReturnType<typeof line>[]): { paragraphs: { lines: typeof lines }[] }[] => [
    { paragraphs: [{ lines }] },
  ];

  it('keeps confident lines and words', () => {
    expect(readableText(blocks(line(['Главные', 95], ['новости', 92], ['~|', 10]), line(['дня', 90])))).toBe(
      'Главные новости\nдня',
    );
  });

  it('is empty if the engine is unsure or saw only marks', () => {
    expect(readableText(blocks(line(['лист', 30], ['ветка', 40])))).toBeNull();
    expect(readableText(blocks(line(['|', 95], ['—', 96])))).toBeNull();
    expect(readableText(blocks(line(['a', 95])))).toBeNull();
    expect(readableText([])).toBeNull();
  });
});
