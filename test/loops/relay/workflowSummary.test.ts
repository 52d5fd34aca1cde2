import { describe, expect, it } from '@jest/globals';
import { summaryOf } from '../../../loops/relay/workflowSummary.ts';

const encoded = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

describe('summaryOf', () => {
  it.each(['', 'analysis of lesson-42', 'щ'.repeat(150), 'a'.repeat(300), '"'.repeat(150)])(
    'does not change texts that fit: %#',
    (text) => {
      expect(summaryOf(text)).toBe(text);
    },
  );

  it.each<[string, string, number]>([
    ['a'.repeat(301), 'a', 297],
    ['щ'.repeat(151), 'щ', 148],
    ['語'.repeat(191), '語', 99],
    ['😀'.repeat(191), '😀', 74],
    ['"'.repeat(191), '"', 148],
    ['\n'.repeat(191), '\n', 148],
    ['\u0001'.repeat(191), '\u0001', 49],
  ])('cuts after a whole character, by the bytes of its encoding: %#', (text, character, kept) => {
    expect(summaryOf(text)).toBe(`${character.repeat(kept)}…`);
    expect(encoded(summaryOf(text))).toBeLessThanOrEqual(300);
  });
});
