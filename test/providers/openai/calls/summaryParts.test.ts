import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { materialOf, splitMaterial } from '../../../../providers/openai/calls/summaryParts.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

describe('material', () => {
  it('has headings for its contents', () => {
    const input = {
      language: null,
      topicsAllowed: [],
      type: 'video',
      title: 'Т',
      description: ' ',
      body: null,
      transcripts: ['Речь', ''],
      frames: [{ description: 'Кадр', ocrText: 'СТОП', tags: ['знак'] }],
    };
    expect(materialOf(input)).toBe(
      '# Type\nvideo\n\n# Title\nТ\n\n# Transcript 1\nРечь\n\n# Frames\n- Кадр | text in the picture: СТОП | tags: знак',
    );
  });

  it('is empty if nothing is known', () => {
    expect(
      materialOf({
        language: null,
        topicsAllowed: [],
        type: 'image',
        title: null,
        description: '',
        body: ' ',
        transcripts: [],
        frames: [],
      }),
    ).toBe('');
  });

  it('is cut at sentences and words', () => {
    expect(splitMaterial('Первое дело. Второе дело. Третье дело.', 20)).toEqual([
      'Первое дело.',
      'Второе дело.',
      'Третье дело.',
    ]);
    expect(splitMaterial('слово слово слово', 12)).toEqual(['слово слово', 'слово']);
  });

  it('loses only white space and splits no character', () => {
    const words = fc.array(fc.constantFrom('а', 'слово', '🙂🙂🙂🙂🙂🙂', '. ', '\n\n', ' ', 'ж'.repeat(30)), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 40 }), (list, most) => {
        const text = list.join('');
        const parts = splitMaterial(text, most);
        expect(parts.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
        expect(parts.every((part) => part.length <= most && part.isWellFormed())).toBe(true);
      }),
    );
  });

  it('is cut in time proportional to its length, with or without edges', async () => {
    const words = (length: number): string => 'слово '.repeat(length / 6);
    const cost = (text: string): Promise<number> => cpuMsOf(() => splitMaterial(text, 24_000));
    await cost(words(1_200_000));
    for (const make of [words, (length: number) => 'ж'.repeat(length)]) {
      const [part, whole] = [await cost(make(600_000)), await cost(make(9_600_000))];
      // Sixteen times the length; going back to the beginning for each part would cost 256 times as much.
      expect(whole).toBeLessThan(64 * Math.max(part, 1));
    }
  });
});
