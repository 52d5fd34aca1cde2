import { describe, expect, it } from '@jest/globals';
import { cutText, wholeCharactersEnd } from '../../domain/cutText.ts';

describe('a text that is cut', () => {
  it.each([
    ['abc', 2, 'ab'],
    ['abc', 3, 'abc'],
    ['', 0, ''],
    ['a😀b', 1, 'a'],
    ['a😀b', 2, 'a'],
    ['a😀b', 3, 'a😀'],
    ['😀', 1, ''],
    ['\ud83dabc', 2, '\ufffda'],
    ['ab\ud83d', 3, 'ab\ufffd'],
  ])('%j to %i units is %j', (text, mostUnits, cut) => {
    expect(cutText(text, mostUnits)).toBe(cut);
  });

  it('ends before a character that would be split', () => {
    expect([0, 1, 2, 3, 4].map((place) => wholeCharactersEnd('a😀b', place))).toEqual([0, 1, 1, 3, 4]);
  });
});
