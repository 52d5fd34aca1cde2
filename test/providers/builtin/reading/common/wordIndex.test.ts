import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { createWordIndex } from '../../../../../providers/builtin/reading/common/wordIndex.ts';

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

  it('does not retain a text from which it has looked up a word', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const placeOf = createWordIndex(Buffer.from(WORDS.join('\n')));
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 1_000; n += 1) {
      const text = Buffer.from(`word ${String(n).padStart(20, 'x')} ${'other '.repeat(10_000)}`).toString();
      placeOf(text.slice(5, 25));
    }
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
  });
});
