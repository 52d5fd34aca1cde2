import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BREAK, phraseOf, Sequences } from '../../../../output/search/index/sequences.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

function rowOf(terms: readonly number[]): Sequences {
  const rows = new Sequences();
  // Neighbours of the row, in which nothing may be found.
  rows.push([1, 2, 300, 1]);
  rows.push(terms);
  rows.push([1, 2, 300, 1]);
  return rows;
}

const hasPhrase = (terms: readonly number[], phrase: readonly number[]): boolean =>
  rowOf(terms).hasPhrase(1, phraseOf(phrase));

const contains = (terms: readonly number[], phrase: readonly number[]): boolean =>
  `,${terms.join(',')},`.includes(`,${phrase.join(',')},`);

/** The encoded forms of 129, 257 and 16,385 end like those of 1, 2 and 1; 0 separates fields. */
const term = fc.constantFrom(1, 2, 129, 257, 16_385);
const repeated = fc
  .record({ part: fc.array(term, { minLength: 1, maxLength: 4 }), times: fc.integer({ min: 1, max: 60 }) })
  .map(({ part, times }) => Array.from({ length: times }, () => part).flat());
const text = fc
  .array(fc.oneof(repeated, fc.array(term, { maxLength: 6 })), { maxLength: 6 })
  .map((parts) => parts.flatMap((part, at) => (at === 0 ? part : [BREAK, ...part])));

describe('a phrase in the terms of a row', () => {
  it('is found exactly where its terms follow each other, however the row and the phrase repeat themselves', () => {
    fc.assert(
      fc.property(text, fc.oneof(repeated, fc.array(term, { minLength: 1, maxLength: 5 })), (terms, phrase) => {
        expect(hasPhrase(terms, phrase)).toBe(contains(terms, phrase));
      }),
      { numRuns: 500 },
    );
  });

  it('is looked for quickly even in a row that nearly contains it thousands of times', async () => {
    const phrase = Array.from({ length: 249 }, () => 1);
    const near = [...phrase.slice(1), 2];
    const terms = Array.from({ length: 4_000 }, () => near).flat();
    const rows = rowOf(terms);
    let found: boolean | undefined;
    const ms = await cpuMsOf(() => (found = rows.hasPhrase(1, phraseOf(phrase))));
    expect(found).toBe(false);
    expect(ms).toBeLessThan(100);
    expect(hasPhrase([...terms, 1, ...phrase], phrase)).toBe(true);
    // 129 ends like 1, so the bytes of the phrase are there, but not its terms.
    const alike = Array.from({ length: 100 }, () => [129, ...phrase.slice(1)]).flat();
    expect(hasPhrase(alike, phrase)).toBe(false);
    expect(hasPhrase([...alike, 1], phrase)).toBe(true);
  });
});
