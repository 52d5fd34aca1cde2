import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stem } from '../../../../domain/dictionaries/stems.ts';
import { isFunctionWord } from '../../../../domain/search/functionWords.ts';
import { fold } from '../../../../output/search/text/indexedWords.ts';
import { Marker, marksOfQuery } from '../../../../output/search/serve/highlights.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

/** Returns the text within the ranges, which count code points. */
function marked(text: string, query: string, prefixes: string[] = []): string[] {
  const characters = [...text];
  const marks = { ...marksOfQuery(query), prefixes };
  return new Marker(marks).rangesIn(text).map(([from, to]) => characters.slice(from, to).join(''));
}

describe('marked words', () => {
  // proves: search/highlights
  it('are those with the stems of the query, in any form', () => {
    expect(marked('Трамваи и ЁЛКА у трамвая', 'трамвай елка')).toEqual(['Трамваи', 'ЁЛКА']);
    expect(marked('Running shoes', 'run')).toEqual(['Running']);
    expect(marked('Алекса\u0301ндр Пу\u0301шкин', 'пушкин')).toEqual(['Пу\u0301шкин']);
    expect(marked('Старый вело\u00ADсипед', 'велосипед')).toEqual(['вело\u00ADсипед']);
  });

  // proves: search/highlights
  it('have their ranges in characters, not in code units', () => {
    expect(new Marker(marksOfQuery('трамвай')).rangesIn('🚋🚋 Трамвай')).toEqual([[3, 10]]);
  });

  it('cover only the typed letters of a word that is still being typed', () => {
    expect(marked('Трамваи Петербурга', '', ['трам'])).toEqual(['Трам']);
  });

  it.each([
    ['cafe\u0301teria', 'cafét', 'cafe\u0301t'],
    ['е\u0308лка', 'е', 'е\u0308'],
    ['е\u0308лка', 'елк', 'е\u0308лк'],
    ['чаи\u0306ник', 'чайн', 'чаи\u0306н'],
    ['İstanbul', 'i\u0307s', 'İs'],
    ['Ёлка', 'елка', 'Ёлка'],
  ])('in %s, when %s has been typed, are %s: whole letters with their accents', (text, typed, expected) => {
    expect(marked(text, '', [typed])).toEqual([expected]);
  });

  it('are found quickly in a word with thousands of soft hyphens', async () => {
    const text = `тр${'\u00ad'.repeat(20_000)}амвай`;
    const find = () => expect(marked(text, '', ['трам'])).toEqual([text.slice(0, -3)]);
    expect(await cpuMsOf(find)).toBeLessThan(1_000);
  });

  it('do not include connecting words, unless the query has no others', () => {
    expect(marked('Стол и стул', 'стол и стул')).toEqual(['Стол', 'стул']);
    expect(marked('Стол и стул', 'и')).toEqual(['и']);
  });

  it('do not include excluded words', () => {
    expect(marked('Стол и стул', 'стол -стул')).toEqual(['Стол']);
  });
});

describe('the words of any text', () => {
  const LETTERS = [
    'т',
    'р',
    'а',
    'Й',
    'ё',
    'Ё',
    'е',
    's',
    'K',
    'i',
    'İ',
    'е\u0308',
    'и\u0306',
    '\u0301',
    '7',
    'Σ',
    'ẞ',
  ];
  const letters = fc.array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 5 }).map((all) => all.join(''));
  const gap = fc.constantFrom(' ', ', ', '-', '🚋 ', ' … ');

  it('are marked exactly where a check of each single word marks them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(letters, gap), { maxLength: 12 }), fc.array(letters), (said, wanted) => {
        const stems = wanted.map((word) => stem(fold(word)));
        const isWanted = (word: string): boolean =>
          stems.includes(stem(word)) && (!isFunctionWord(word) || stems.every(isFunctionWord));
        const text = said.flat().join('');
        const expected = Array.from(text.matchAll(/[\p{L}\p{M}\p{N}]+/gu), ([word]) => word).filter((word) =>
          isWanted(fold(word)),
        );
        const characters = [...text];
        const ranges = new Marker({ stems, prefixes: [] }).rangesIn(text);
        expect(ranges.map(([from, to]) => characters.slice(from, to).join(''))).toEqual(expected);
      }),
      // Folding lengthens the letter İ and removes the accent.
      {
        numRuns: 1_000,
        examples: [
          [
            [
              ['İ', ' '],
              ['\u0301е', ' '],
            ],
            ['е'],
          ],
        ],
      },
    );
  });

  it('begin with the first letter of their stems, so a word that begins differently need not be stemmed', () => {
    const word = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'абвгдеийклмнопрстуфхчшщъыьэюя'), minLength: 1, maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(...'abcdefghilmnoprstuvwxyz'), minLength: 1, maxLength: 12 }),
      fc.constantFrom('dying', 'lying', 'skies', 'idly', 'yes', 'youth', 'ugly', 'early', 'news', 'exceed'),
    );
    fc.assert(
      fc.property(word, (one) => expect(stem(one).charAt(0)).toBe(one.charAt(0))),
      { numRuns: 5_000 },
    );
  });
});

describe('a fragment', () => {
  // proves: search/highlights
  it('is the text around its first marked word', () => {
    const text = `${'Слова о разном. '.repeat(40)}Трамвай пришёл. ${'И ещё слова. '.repeat(40)}`;
    const marker = new Marker(marksOfQuery('трамвай'));
    const fragment = marker.fragmentOf(text);
    expect(fragment).toContain('Трамвай пришёл');
    expect(fragment.length).toBeLessThan(260);
    expect(marker.fragmentOf('Короткий трамвай')).toBe('Короткий трамвай');
  });

  it('contains its word even in a text with line breaks instead of spaces', () => {
    const marker = new Marker({ stems: ['трамва'], prefixes: [] });
    const text = `Начало ${'строка\n'.repeat(200)}трамвай\n${'строка\n'.repeat(200)}`;
    const fragment = marker.fragmentOf(text);
    expect(fragment).toContain('трамвай');
    expect(fragment.length).toBeLessThan(260);
  });
});
