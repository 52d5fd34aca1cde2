import { describe, expect, it } from '@jest/globals';
import { joinWords, acceptedWord } from '../../../../providers/builtin/vision/ocrWords.ts';

const kept = (text: string, confidence = 92): string | null => acceptedWord({ text, confidence });

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
  ])('is kept: %s', (text, word) => {
    expect(kept(text)).toBe(word);
  });

  it.each(['=', '||', '®', '•', 'Е)', 'Ж', '~_', 'хстк', 'bcdfg', '©'])(
    'is dropped if it is not a word: %s',
    (text) => {
      expect(kept(text)).toBeNull();
    },
  );

  it.each([
    ['|Вагон', 'Вагон'],
    ['®Токоприёмник', 'Токоприёмник'],
    ['рельсы|', 'рельсы'],
  ])('loses strokes at its edges: %s', (text, word) => {
    expect(kept(text)).toBe(word);
  });

  it('needs more confidence if no dictionary has it', () => {
    expect([kept('трамвай', 65), kept('трамвой', 65), kept('трамвой', 82)]).toEqual(['трамвай', null, 'трамвой']);
    expect([kept('ok', 80), kept('зы', 80), kept('зы', 90)]).toEqual(['ok', null, 'зы']);
  });
});

describe('a line', () => {
  it('has no punctuation marks at its ends', () => {
    expect(joinWords(['—', 'Музей', '—', 'открыт', '+'])).toBe('Музей — открыт');
    expect(joinWords(['—', '&'])).toBe('');
  });
});
