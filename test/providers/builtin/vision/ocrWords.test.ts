import { describe, expect, it } from '@jest/globals';
import { joinWords, acceptedWord } from '../../../../providers/builtin/vision/ocrWords.ts';

const accepted = (text: string, confidence = 92): string | null => acceptedWord({ text, confidence });

describe('a word read in a picture', () => {
  it.each([
    ['ДЕПО.', 'ДЕПО.'],
    ['«Депо»', '«Депо»'],
    ['10-18.', '10-18.'],
    ['600', '600'],
    ['№112', '№112'],
    ['СССР', 'СССР'],
    ['Attune', 'Attune'],
    ['и', 'и'],
    ['6А', '6А'],
    ['—', '—'],
    ['(короткий', '(короткий'],
  ])('is accepted: %s', (text, word) => {
    expect(accepted(text)).toBe(word);
  });

  it.each(['=', '||', '®', '•', 'Е)', 'Ж', '~_', 'хстк', 'bcdfg', '©'])(
    'is dropped if it is not a word: %s',
    (text) => {
      expect(accepted(text)).toBeNull();
    },
  );

  it.each([
    ['|Вагон', 'Вагон'],
    ['®Токоприёмник', 'Токоприёмник'],
    ['рельсы|', 'рельсы'],
  ])('loses strokes at its edges: %s', (text, word) => {
    expect(accepted(text)).toBe(word);
  });

  it('needs more confidence if no dictionary has it', () => {
    expect([accepted('трамвай', 65), accepted('трамвой', 65), accepted('трамвой', 82)]).toEqual([
      'трамвай',
      null,
      'трамвой',
    ]);
    expect([accepted('ok', 80), accepted('зы', 80), accepted('зы', 90)]).toEqual(['ok', null, 'зы']);
  });
});

describe('a line', () => {
  it('has no punctuation marks at its ends', () => {
    expect(joinWords(['—', 'Музей', '—', 'открыт', '+'])).toBe('Музей — открыт');
    expect(joinWords(['—', '&'])).toBe('');
  });
});
