import { describe, expect, it } from '@jest/globals';
import { inOneScript, needsLatinReading, withLatinReading } from '../../../../providers/builtin/vision/ocrScript.ts';
import type { OcrBlock } from '../../../../providers/builtin/vision/ocrText.ts';

/** Returns adjacent words, each 10 pixels wide. */
const line = (...words: [string, number][]): OcrBlock[] => [
  {
    paragraphs: [
      {
        lines: [
          {
            words: words.map(([text, confidence], at) => ({
              text,
              confidence,
              bbox: { x0: at * 10, y0: 0, x1: at * 10 + 9, y1: 9 },
            })),
          },
        ],
      },
    ],
  },
];
const textOf = (blocks: OcrBlock[]): string =>
  blocks.flatMap((block) => block.paragraphs[0]?.lines[0]?.words.map(({ text }) => text) ?? []).join(' ');

describe('the alphabet of a word in a picture', () => {
  it('is Latin if Cyrillic makes no word and the English reading is as certain', () => {
    const read = line(['ТВАМ', 92], ['ОЕРОТ', 89], ['ДЕПО', 96], ['СТО', 90]);
    const latin = line(['TRAM', 96], ['DEPOT', 96], ['OEMNO', 16], ['CTO', 95]);
    expect(needsLatinReading(read)).toBe(true);
    expect(textOf(withLatinReading(read, latin))).toBe('TRAM DEPOT ДЕПО СТО');
  });

  it('stays Cyrillic if the English reading is less certain, or there is none', () => {
    const read = line(['ТВАМ', 92], ['ОЕРОТ', 89]);
    expect(textOf(withLatinReading(read, line(['TRAM', 40])))).toBe('ТВАМ ОЕРОТ');
  });

  it('is Latin among Latin words, if the English reading is a word and as certain', () => {
    const rest: [string, number][] = [
      ['to', 96],
      ['bake', 96],
      ['bread', 96],
      ['at', 96],
      ['home', 96],
    ];
    const read = line(['Ном', 93], ...rest);
    expect(needsLatinReading(read)).toBe(true);
    expect(textOf(withLatinReading(read, line(['How', 95], ...rest)))).toBe('How to bake bread at home');
    expect(textOf(withLatinReading(read, line(['Hom', 95], ...rest)))).toBe('Ном to bake bread at home');
  });

  it('stays Cyrillic in Russian words among some Latin ones, without a second reading', () => {
    expect(needsLatinReading(line(['Чехол', 95], ['Samsung', 96], ['Galaxy', 96], ['Ultra', 96]))).toBe(false);
  });

  it('stays Cyrillic in plain Russian, without a second reading', () => {
    expect(needsLatinReading(line(['СТО', 90], ['Музей', 95], ['открыт', 95]))).toBe(false);
  });

  it('is the same for all letters of a word', () => {
    expect(textOf(inOneScript(line(['МУЗEЙ', 90], ['HОTЕL', 90], ['iPhone', 90], ['A4', 90])))).toBe(
      'МУЗЕЙ HOTEL iPhone A4',
    );
  });

  it('is that of its line if both alphabets make a word', () => {
    expect(textOf(inOneScript(line(['вход', 95], ['CO', 90], ['двора', 95])))).toBe('вход СО двора');
    expect(textOf(inOneScript(line(['top', 95], ['CO', 90], ['level', 95])))).toBe('top CO level');
    expect(textOf(inOneScript(line(['витамин', 95], ['B', 90])))).toBe('витамин B');
    expect(textOf(inOneScript(line(['Nike', 95], ['Air', 95], ['Мах', 90])))).toBe('Nike Air Max');
    expect(textOf(inOneScript(line(['Nike', 95], ['для', 95], ['Тома', 90])))).toBe('Nike для Тома');
    expect(textOf(inOneScript(line(['Samsung', 95], ['Galaxy', 95], ['чехол', 90])))).toBe('Samsung Galaxy чехол');
  });
});
