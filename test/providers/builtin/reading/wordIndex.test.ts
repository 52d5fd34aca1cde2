import { describe, expect, it } from '@jest/globals';
import { createWordIndex } from '../../../../providers/builtin/reading/wordIndex.ts';

const WORDS = ['дом', 'лес', 'house', 'ёж', 'x'.repeat(100)];

describe('createWordIndex', () => {
  it('answers a repeated question as it did the first time', () => {
    const placeOf = createWordIndex(Buffer.from(WORDS.join('\n')));
    const asked = [...WORDS, 'до', 'домик', '', 'y'.repeat(100)];
    const first = asked.map(placeOf);
    expect(first).toEqual([0, 1, 2, 3, 4, undefined, undefined, undefined, undefined]);
    expect(asked.map(placeOf)).toEqual(first);
  });

  it('finds every word of a list that is longer than what it remembers', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `word${index}`);
    const placeOf = createWordIndex(Buffer.from(`${many.join('\n')}\n`));
    for (let time = 0; time < 2; time += 1) expect(many.every((word, index) => placeOf(word) === index)).toBe(true);
  });
});
