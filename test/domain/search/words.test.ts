import { describe, expect, it } from '@jest/globals';
import { inOtherLayout } from '../../../domain/search/keyboard.ts';
import { parseQuery } from '../../../domain/search/parseQuery.ts';
import { latinPrefix, soundKey, toCyrillic } from '../../../domain/search/transliteration.ts';
import { allowedTypos, countBits, letterMask, typosBetween } from '../../../domain/search/typos.ts';

describe('the other keyboard layout', () => {
  // proves: search/keyboard
  it.each([
    ['ghbdtn', 'привет'],
    ['ашдь', 'film'],
    ['[jkjlbkmybr', 'холодильник'],
    ['`krf', 'ёлка'],
    ['<jho'.toLowerCase(), 'борщ'],
  ])('reads %s as %s', (typed, meant) => expect(inOtherLayout(typed)).toBe(meant));

  it('is empty for text with letters of both layouts, or of neither', () => {
    expect([inOtherLayout('приvet'), inOtherLayout('123')]).toEqual([null, null]);
  });
});

describe('transliteration', () => {
  // proves: search/transliteration
  it.each([
    ['borsch', 'борщ'],
    ['tramvai', 'трамвай'],
    ['tramvay', 'трамвай'],
    ['kolyaska', 'коляска'],
    ['samsung', 'самсунг'],
    ['khoroshiy', 'хороший'],
  ])('finds that %s and %s sound alike', (latin, cyrillic) => expect(soundKey(latin)).toBe(soundKey(cyrillic)));

  it('distinguishes words of one alphabet', () => {
    expect(soundKey('миксер')).not.toBe(soundKey('микшер'));
    expect([toCyrillic('мир'), soundKey('a1')]).toEqual([null, null]);
  });

  it.each([
    ['mission', 'мисс', 'miss'],
    ['yandex', 'янде', 'yande'],
    ['yandex', 'янди', null],
    ['миссия', 'мисс', null],
  ])('finds the beginning of %s that sounds like %s', (latin, cyrillic, beginning) =>
    expect(latinPrefix(latin, cyrillic)).toBe(beginning),
  );
});

describe('typing errors', () => {
  it.each([
    ['трамвй', 'трамвай', 1],
    ['тармвай', 'трамвай', 1],
    ['трамввай', 'трамвай', 1],
    ['тромвай', 'трамвай', 1],
    ['kitten', 'sitting', 3],
    ['', 'abc', 3],
  ])('between %s and %s are %i', (a, b, typos) => expect(typosBetween(a, b, 3)).toBe(typos));

  it('are not counted beyond the requested maximum', () => expect(typosBetween('kitten', 'sitting', 1)).toBe(2));

  it('of a prefix are counted against the nearest prefix of the other word', () => {
    expect(typosBetween('трмв', 'трамвайный', 2, true)).toBe(1);
    expect(typosBetween('трмв', 'трамвайный', 2)).toBe(3);
  });

  // proves: search/typing-errors
  it('are allowed by the number of characters, not of bytes', () => {
    expect(['стол', 'столы', 'столешни', 'столешник'].map(allowedTypos)).toEqual([0, 1, 1, 2]);
  });

  it('change at most two bits of the letter mask each', () => {
    for (const typed of ['трамвй', 'тармвай', 'тромвай'])
      expect(countBits((letterMask(typed) ^ letterMask('трамвай')) >>> 0)).toBeLessThanOrEqual(2);
    expect(countBits(0xffffffff)).toBe(32);
  });
});

describe('a query', () => {
  const partsOf = (query: string) =>
    parseQuery(query).map(
      ({ text, isPhrase, isExcluded }) => `${isExcluded ? '-' : ''}${isPhrase ? `"${text}"` : text}`,
    );

  it.each([
    ['стол из дуба', ['стол', 'из', 'дуба']],
    ['стол -"из дуба" -белый', ['стол', '-"из дуба"', '-белый']],
    ['«два слова» “three more words”', ['"два слова"', '"three more words"']],
    ['foo-bar - x', ['foo-bar', 'x']],
    ['"не закрыта', ['"не', 'закрыта']],
    ['""', []],
    ['  !? ', []],
  ])('%s has the parts %j', (query, parts) => expect(partsOf(query)).toEqual(parts));

  it.each([' ', '.', '/-'])('has at most 48 words and phrases besides exclusions, joined by "%s"', (joint) => {
    const words = Array.from({ length: 100 }, (_, n) => `w${n}`);
    const parts = partsOf(`"two words" ${words.join(joint)} -not "more words"`);
    expect(parts.at(0)).toBe('"two words"');
    expect(parts.at(-1)).toBe('-not');
    expect(parts.slice(1, -1).join(' ')).toBe(words.slice(0, 47).join(joint));
  });
});
