import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stem } from '../../../../domain/dictionaries/stems.ts';
import { PhraseFinder } from '../../../../output/search/text/phraseFinder.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

const WORDS = ['стол', 'столы', 'стул', 'стулья', 'table', 'tables', 'x'];
const words = (maxLength: number) => fc.array(fc.constantFrom(...WORDS), { maxLength });
const stemsOf = (list: readonly string[]): string[] => list.map(stem);

const contains = (text: readonly string[], phrase: readonly string[]): boolean =>
  ` ${stemsOf(text).join(' ')} `.includes(` ${stemsOf(phrase).join(' ')} `);

describe('phrases', () => {
  it('are found where words with their stems follow each other', () => {
    fc.assert(
      fc.property(words(20), fc.array(words(4), { maxLength: 5 }), (text, phrases) => {
        const finder = new PhraseFinder(phrases.map(stemsOf));
        const known = phrases.filter(({ length }) => length > 0);
        expect(finder.hasAny(text)).toBe(known.some((phrase) => contains(text, phrase)));
        expect(finder.hasAll(text)).toBe(known.every((phrase) => contains(text, phrase)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('take no longer if they are many, or if a text nearly has them again and again', async () => {
    const many = Array.from({ length: 80 }, (_, n) => [`aaab${n}`]);
    const nested = Array.from({ length: 30 }, (_, n) => Array.from({ length: n + 1 }, () => 'x'));
    const long = [...Array.from({ length: 240 }, () => 'x'), 'y'];
    const text = Array.from({ length: 200_000 }, (_, n) => (n % 2 === 0 ? 'x' : `aaac${n % 1_000}`));
    const alike = Array.from({ length: 200_000 }, () => 'x');
    const found: boolean[] = [];
    const ms = await cpuMsOf(() => {
      found.push(new PhraseFinder(many).hasAny(text));
      found.push(new PhraseFinder([long]).hasAny(alike));
      found.push(new PhraseFinder([...nested, long]).hasAll(alike));
    });
    expect(found).toEqual([false, false, false]);
    expect(ms).toBeLessThan(500);
  });
});
