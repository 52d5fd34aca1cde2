import { describe, expect, it } from '@jest/globals';
import { bounded } from '../../../../providers/openai/calls/answerLimits.ts';

describe('a text of an answer', () => {
  it.each([
    ['letters', 'a'],
    ['characters of two units', '😀'],
  ])('is cut only if it has more characters than its limit: %s', (_, character) => {
    expect(bounded(character.repeat(1_000), 100)).toBe(`${character.repeat(99)}…`);
    expect(bounded(character.repeat(101), 100)).toBe(`${character.repeat(99)}…`);
    expect(bounded(character.repeat(100), 100)).toBe(character.repeat(100));
  });
});
