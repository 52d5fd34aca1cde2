import { describe, expect, it } from '@jest/globals';
import { acceptChapters } from '../../../../domain/analysis/chapters.ts';
import { divideRecording } from '../../../../providers/builtin/text/chapters.ts';
import { subjectChanges } from '../../../../providers/builtin/text/textTiling.ts';
import { LECTURE, LECTURE_SEC, ONE_SUBJECT, PART_STARTS } from './lecture.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

/** Two token sequences of 20 words, in sentences of about ten. */
const BLOCK_SEC = 4 * 7;
const dividedAt = (segments: typeof LECTURE, durationSec: number) =>
  divideRecording({ language: null, segments, durationSec });

describe('a recording', () => {
  it('is divided where its subject changes, within a block of words, and its parts are named after their subjects', () => {
    const chapters = acceptChapters(dividedAt(LECTURE, LECTURE_SEC), LECTURE_SEC);
    expect(chapters).toHaveLength(PART_STARTS.length);
    for (const [at, { start }] of chapters.entries())
      expect(Math.abs(start - (PART_STARTS[at] ?? Infinity))).toBeLessThanOrEqual(BLOCK_SEC);
    const titles = chapters.map(({ title }) => title.toLowerCase());
    expect(titles[0]).toMatch(/хлеб|мука|тесто|закваск/);
    expect(titles[1]).toMatch(/трамва|вагон|рельс/);
    expect(titles[2]).toMatch(/звезд|звёзд|астроном|галактик|спектр/);
    for (const { title } of chapters) expect(title).toMatch(/^\p{Lu}/u);
  });

  it('about one thing is not divided', () => {
    expect(dividedAt(ONE_SUBJECT, ONE_SUBJECT.length * 7)).toEqual([]);
  });

  it('with few words is not divided', () => {
    expect(dividedAt(LECTURE, LECTURE_SEC * 10)).toEqual([]);
  });
});

describe('the changes of subject', () => {
  it('are none in an empty recording, in one piece and in pieces without words', () => {
    expect(subjectChanges([])).toEqual([]);
    expect(subjectChanges([['слово']])).toEqual([]);
    expect(subjectChanges(Array.from({ length: 500 }, () => []))).toEqual([]);
  });

  it('are found in two hours of speech in no time', async () => {
    const pieces = Array.from({ length: 4_000 }, (_, at) =>
      Array.from({ length: 6 }, (__, word) => `${Math.floor(at / 400)}-${(at * 7 + word) % 60}`),
    );
    let changes: ReturnType<typeof subjectChanges> = [];
    expect(await cpuMsOf(() => (changes = subjectChanges(pieces).slice(0, 9)))).toBeLessThan(5_000);
    expect(changes.map(({ at }) => Math.round(at / 400)).toSorted((a, b) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9,
    ]);
  });
});
