import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { acceptChapters } from '../../../../domain/analysis/chapters.ts';
import { createReading, type TextReader } from '../../../../providers/builtin/reading/reading.ts';
import { divideRecording, titleParts } from '../../../../providers/builtin/summary/chapters.ts';
import { subjectChanges } from '../../../../providers/builtin/summary/textTiling.ts';
import { LECTURE, LECTURE_SEC, ONE_SUBJECT, PART_STARTS } from './lecture.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';
import { testSentenceEncoder, testTextReaders } from '../../../support/programs/engines.ts';

/** A block is two token sequences of 20 words: four sentences of about ten words, of seven seconds each. */
const BLOCK_SEC = 4 * 7;
const dividedAt = (segments: typeof LECTURE, durationSec: number) =>
  titleParts(divideRecording({ language: null, segments, durationSec }), []);

describe('a recording', () => {
  it('is divided at most one block of words away from each change of subject, and its parts are named after their subjects', () => {
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

  it('has composed letters in its parts, because a reader would end a word at a separate mark', () => {
    const partsIn = (form: 'NFC' | 'NFD') => {
      const segments = LECTURE.map((segment) => ({ ...segment, text: segment.text.normalize(form) }));
      return divideRecording({ language: null, segments, durationSec: LECTURE_SEC });
    };
    expect(partsIn('NFD')).toEqual(partsIn('NFC'));
  });

  it('is not divided if it is about one thing', () => {
    expect(dividedAt(ONE_SUBJECT, ONE_SUBJECT.length * 7)).toEqual([]);
  });

  it('is not divided if it has few words', () => {
    expect(dividedAt(LECTURE, LECTURE_SEC * 10)).toEqual([]);
  });
});

describe('the titles of parts that were read', () => {
  let reading: TextReader;
  beforeAll(async () => {
    reading = createReading({ ...(await testTextReaders()), encoder: await testSentenceEncoder() });
  });
  afterAll(() => reading.close());

  const titlesOf = async (...texts: string[]): Promise<string[]> => {
    const parts = texts.map((text, at) => ({ start: at * 60, text }));
    const context = { signal: new AbortController().signal, progress: () => undefined };
    return titleParts(parts, await reading.read(texts, context)).map(({ title }) => title);
  };

  it('are Russian noun phrases in the nominative, without a phrase within another one', async () => {
    const titles = await titlesOf(
      'Едем в депо за рулём трамвая. Мы тормозим двигателем, и торможением двигателем пользуются на спуске. Торможение двигателем бережёт колодки. Два вагона стоят, два едут.',
      'Прививку от гриппа делают осенью. Перед прививкой от гриппа измеряют температуру, свою и чужую. Прививка от гриппа снижает риск.',
    );
    expect(titles[0]).toMatch(/^Торможение двигателем, (?!торможение)/);
    expect(titles[1]).toMatch(/^Прививка от гриппа, (?!прививка)/);
  });

  it('are English nouns, not verbs and adjectives that the part repeats', async () => {
    const titles = await titlesOf(
      'Feed your sourdough starter daily, and feed it with wholemeal flour. If you feed a sourdough starter less, feed it twice. It tastes wet. Feed the wet one again.',
      'A puppy pulls because the world is exciting. Stop when your puppy pulls, and walk on. The lead goes tight when the puppy pulls. Hold the lead loosely.',
    );
    expect(titles[0]).toMatch(/^Wholemeal flour, sourdough starter$/);
    expect(titles[1]).toMatch(/^Puppy, lead$/);
  });
});

describe('the changes of subject', () => {
  it('are not found in an empty recording, a single piece or pieces without words', () => {
    expect(subjectChanges([])).toEqual([]);
    expect(subjectChanges([['слово']])).toEqual([]);
    expect(subjectChanges(Array.from({ length: 500 }, () => []))).toEqual([]);
  });

  it('are found quickly in two hours of speech', async () => {
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
