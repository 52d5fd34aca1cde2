import { describe, expect, it } from '@jest/globals';
import { JOB_CHARACTERS, jobsOf, partsOf, type Part } from '../../../../providers/builtin/reading/threadJobs.ts';

/** Returns parts of successive texts, each given by its language and its length. */
function parts(...given: [Part['language'], number][]): Part[] {
  return given.map(([language, length], index) => ({
    text: 'x'.repeat(length),
    start: 0,
    index,
    language,
    isMain: true,
  }));
}

const indexes = (given: readonly Part[]) => jobsOf(given).map((job) => job.parts.map(({ index }) => index));

describe('jobs', () => {
  it('gather the short parts of one language', () => {
    expect(indexes(parts(['ru', 100], ['ru', 100], ['en', 100], ['ru', 100]))).toEqual([[0, 1, 3], [2]]);
  });

  it('stay within the limit of characters, unless a single part exceeds it', () => {
    const half = JOB_CHARACTERS / 2;
    expect(indexes(parts(['ru', half], ['ru', half], ['ru', 1]))).toEqual([[0, 1], [2]]);
    expect(indexes(parts(['ru', 1], ['ru', JOB_CHARACTERS + 1], ['ru', 1]))).toEqual([[0], [1], [2]]);
  });

  it('have the texts and the language of their parts', () => {
    expect(jobsOf(parts(['en', 1], ['en', 2]))).toMatchObject([{ texts: ['x', 'xx'], language: 'en' }]);
    expect(jobsOf([])).toEqual([]);
  });
});

describe('partsOf', () => {
  it('splits a long text between sentences, without a gap', () => {
    const text = 'Трамвай шёл по улице, и никто не спешил. '.repeat(500);
    const found = partsOf(text);
    expect(found.map((part) => part.text).join('')).toBe(text);
    expect(found.map((part) => part.start)).toEqual(found.map((part) => text.indexOf(part.text, part.start)));
    for (const part of found.slice(0, -1)) {
      expect(part.text).toMatch(/спешил\.\s*$/);
      expect(part.text.length).toBeLessThan(JOB_CHARACTERS + 100);
    }
  });
});
