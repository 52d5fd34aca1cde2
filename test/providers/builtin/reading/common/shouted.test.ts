import { describe, expect, it } from '@jest/globals';
import { allCapsFilter } from '../../../../../providers/builtin/reading/common/shouted.ts';
import type { NameType, TaggedWord } from '../../../../../providers/builtin/reading/common/types.ts';

function wordsOf(text: string): TaggedWord[] {
  return [...text.matchAll(/[\p{L}\p{N}-]+|[^\s\p{L}\p{N}]/gu)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
    pos: 'X',
    features: {},
    sentence: 0,
  }));
}
const isKept = (text: string, type: NameType, from = 0, to = 1): boolean =>
  allCapsFilter(wordsOf(text))({ type, from, to });

describe('names in capitals', () => {
  it.each(['МЕХОВАЯ ФАБРИКА РАСПРОДАЁТ ШУБЫ', 'JOIN US FOR TEA AND JAM', 'ШУБЫ, ШАПКИ, ДУБЛЁНКИ, СКИДКИ'])(
    'are dropped in %j',
    (text) => {
      expect(isKept(text, 'organization')).toBe(false);
    },
  );

  it.each(['США, ООН, НАТО, ЕС', 'МИД РФ, МВД РФ', 'ЮНЕСКО, ВОЗ, МОТ и МВФ', 'АННА КАРЕНИНА', 'Он любит США'])(
    'are kept in %j',
    (text) => {
      expect(isKept(text, 'organization')).toBe(true);
    },
  );

  it('are kept in a sentence in capitals only if they are full names of people', () => {
    const text = 'АННА ИВАНОВА ОТКРЫВАЕТ НОВУЮ ВЫСТАВКУ';
    expect([isKept(text, 'person', 0, 2), isKept(text, 'person', 0, 1)]).toEqual([true, false]);
  });
});
