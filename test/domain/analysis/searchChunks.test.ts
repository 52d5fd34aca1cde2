import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  chunkFrames,
  chunkText,
  chunkTextInSlices,
  chunkTranscript,
  estimateTokens,
  isExtractive,
  type Chunk,
} from '../../../domain/analysis/searchChunks.ts';
import type { TranscriptSegment } from '../../../domain/analysis/results.ts';
import { withWholeWords } from '../../../domain/items/wholeWords.ts';
import { cpuMsOf } from '../../support/cpuTime.ts';

const CHUNK_TOKENS = 400;
/** The tokens of a single piece may be rounded up, and each join adds a space. */
const SLACK = 60;

const word = fc.string({ unit: fc.constantFrom(...'абвгдеabcxyz0'), minLength: 1, maxLength: 14 });
const sentence = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 40 }), fc.constantFrom('.', '!', '?', '…', ''))
  .map(([words, end]) => words.join(' ') + end);
const prose = fc.array(sentence, { maxLength: 120 }).map((sentences) => sentences.join(' '));
/** Arbitrary text: no spaces, only spaces, emoji, line ends. */
const wild = fc
  .array(
    fc.string({ unit: fc.constantFrom('a', 'я', ' ', '\n', '\t', '.', '\u{1F600}', '語', '\u00a0'), maxLength: 900 }),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));

const letters = (text: string): string => text.replaceAll(/\s+/gu, '');

/** Returns the overlap: the longest end of a chunk with which the next one begins. */
function overlapOf(before: string, after: string): number {
  for (let length = Math.min(before.length, after.length); length > 0; length -= 1)
    if (before.endsWith(after.slice(0, length))) return length;
  return 0;
}

/** Reports whether the chunks contain every character of the text in order. */
function coversInOrder(text: string, chunks: readonly Chunk[]): boolean {
  const whole = letters(text);
  let covered = 0;
  let from = 0;
  for (const chunk of chunks) {
    const piece = letters(chunk.text);
    const at = whole.indexOf(piece, from);
    if (at < 0 || at > covered) return false;
    from = at;
    covered = Math.max(covered, at + piece.length);
  }
  return covered === whole.length;
}

describe('chunkText', () => {
  it('loses no text and keeps its order', () => {
    fc.assert(
      fc.property(fc.oneof(prose, wild), (text) => {
        expect(coversInOrder(text, chunkText(text))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  // proves: decisions-media/chunks
  it('makes no empty chunk, none much longer than 400 tokens, and no half characters', () => {
    fc.assert(
      fc.property(fc.oneof(prose, wild), (text) => {
        for (const chunk of chunkText(text)) {
          expect(chunk.text.trim()).not.toBe('');
          expect(estimateTokens(chunk.text)).toBeLessThanOrEqual(CHUNK_TOKENS + SLACK);
          expect(chunk.text.isWellFormed()).toBe(true);
          expect([chunk.mediumId, chunk.startSec, chunk.endSec]).toEqual([null, null, null]);
        }
      }),
      { numRuns: 200 },
    );
  });

  // proves: decisions-media/chunks
  it('overlaps by 8 to 30 % on average in ordinary prose', () => {
    for (const length of [30, 60, 90, 140, 200]) {
      const text = Array.from(
        { length: 200 },
        (_, index) => `Предложение номер ${index} ${'слово '.repeat(length / 6).trim()}.`,
      ).join(' ');
      const chunks = chunkText(text);
      const overlaps = chunks
        .slice(1)
        .map((chunk, index) => overlapOf(chunks[index]?.text ?? '', chunk.text) / chunk.text.length);
      const mean = overlaps.slice(0, -1).reduce((sum, overlap) => sum + overlap, 0) / (overlaps.length - 1);
      expect(mean).toBeGreaterThan(0.08);
      expect(mean).toBeLessThan(0.3);
    }
  });

  it('fills its chunks, except the last', () => {
    const text = Array.from({ length: 300 }, (_, index) => `Фраза ${index} о разном и прочем.`).join(' ');
    for (const chunk of chunkText(text).slice(0, -1))
      expect(estimateTokens(chunk.text)).toBeGreaterThan(CHUNK_TOKENS * 0.85);
  });

  it.each([
    ['prose', 'Обычное предложение о погоде, и ещё одно. '.repeat(25_000)],
    ['one sentence without an end', 'слово '.repeat(170_000)],
    ['no spaces at all', 'x'.repeat(1_000_000)],
    ['full stops alone', '.'.repeat(1_000_000)],
    ['spaces alone', ' '.repeat(1_000_000)],
    ['line ends', 'a\n'.repeat(500_000)],
    ['emoji', '\u{1F600}'.repeat(500_000)],
  ])('handles a million characters of %s', async (_, text) => {
    let chunks: ReturnType<typeof chunkText> = [];
    expect(await cpuMsOf(() => (chunks = chunkText(text.slice(0, 1_000_000))))).toBeLessThan(30_000);
    expect(chunks.reduce((sum, chunk) => sum + letters(chunk.text).length, 0)).toBeGreaterThanOrEqual(
      letters(text.slice(0, 1_000_000)).length,
    );
  });

  it('returns nothing for an empty text', () => {
    expect([chunkText(''), chunkText(' \n\t ')]).toEqual([[], []]);
  });
});

describe('chunkTextInSlices', () => {
  it.each([
    ['prose', 'Сегодня мы говорим о погоде. Завтра о другом. '],
    ['one sentence without an end', 'слово '],
    ['no spaces at all', 'а'],
    ['line ends', 'слово\n'],
  ])('pauses many times in a million characters of %s', (_, part) => {
    const text = part.repeat(1_000_000 / part.length);
    const work = chunkTextInSlices(text);
    let pauses = 0;
    for (;;) {
      const { done, value } = work.next();
      if (done) {
        expect(value).toEqual(chunkText(text));
        break;
      }
      pauses += 1;
    }
    // At most 16 K characters at a time.
    expect(pauses).toBeGreaterThanOrEqual(60);
  });

  it('does not pause in a short text', () => {
    expect(chunkTextInSlices('Коротко. И ясно.').next()).toMatchObject({
      done: true,
      value: [{ text: 'Коротко. И ясно.' }],
    });
  });

  it('splits no sentence and no character at a pause', () => {
    const sentences = Array.from({ length: 3_000 }, (_, index) => `Это предложение ${index} о погоде.`);
    const known = new Set(sentences);
    for (const { text } of chunkText(sentences.join(' '))) {
      for (const one of text.split(/(?<=\.) /)) expect(known).toContain(one);
    }
    expect(chunkText(`a${'\u{1F600}'.repeat(50_000)}`).every(({ text }) => text.isWellFormed())).toBe(true);
  });
});

describe('chunkTranscript', () => {
  const segments = fc
    .array(fc.record({ text: fc.oneof(sentence, wild), seconds: fc.integer({ min: 0, max: 30 }) }), { maxLength: 60 })
    .map((parts) => {
      let start = 0;
      return parts.map(({ text, seconds }): TranscriptSegment => {
        const segment = { start, end: start + seconds, text, speaker: null };
        start = segment.end;
        return segment;
      });
    });

  // proves: decisions-media/chunks
  it('has 400 tokens in a chunk, and 15 % of them in the next one too', () => {
    const twentyTokens = Array.from({ length: 60 }, (_, start): TranscriptSegment => ({
      start,
      end: start + 1,
      text: 'я'.repeat(40),
      speaker: null,
    }));
    const spans = chunkTranscript('m', twentyTokens).map(({ startSec, endSec }) => [startSec, endSec]);
    expect(spans.slice(0, 3)).toEqual([
      [0, 20],
      [17, 37],
      [34, 54],
    ]);
  });

  it('keeps everything that was said, with times that increase', () => {
    fc.assert(
      fc.property(segments, (spoken) => {
        const chunks = chunkTranscript('m', spoken);
        expect(coversInOrder(spoken.map(({ text }) => text).join(' '), chunks)).toBe(true);
        let last = 0;
        for (const { startSec, endSec, mediumId, text } of chunks) {
          expect(mediumId).toBe('m');
          expect(startSec).toBeGreaterThanOrEqual(last);
          expect(endSec).toBeGreaterThanOrEqual(startSec ?? 0);
          expect(estimateTokens(text)).toBeLessThanOrEqual(CHUNK_TOKENS + SLACK);
          last = startSec ?? 0;
        }
      }),
      { numRuns: 200 },
    );
  });

  // proves: decisions-media/chunks
  it('begins a chunk at the start of its first segment and ends it at the end of its last', () => {
    const spoken = Array.from({ length: 100 }, (_, index) => ({
      start: index * 2,
      end: index * 2 + 1.5,
      text: `Реплика ${index} в разговоре.`,
      speaker: null,
    }));
    for (const chunk of chunkTranscript('m', spoken)) {
      const said = [...chunk.text.matchAll(/Реплика (\d+)/g)].map((match) => Number(match[1]));
      expect([chunk.startSec, chunk.endSec]).toEqual([(said[0] ?? 0) * 2, (said.at(-1) ?? 0) * 2 + 1.5]);
    }
  });

  it('splits a segment that is longer than a chunk, and gives its parts the times of the whole', () => {
    const chunks = chunkTranscript('m', [{ start: 3, end: 63, text: 'слово '.repeat(2_000).trim(), speaker: null }]);
    expect(chunks.length).toBeGreaterThan(10);
    for (const chunk of chunks) expect([chunk.startSec, chunk.endSec]).toEqual([3, 63]);
  });
});

describe('estimateTokens', () => {
  it('counts four Latin letters or two others as one token', () => {
    expect(['', 'a', 'abcd', 'abcde', 'да', 'данн', 'дa'].map(estimateTokens)).toEqual([0, 1, 1, 2, 1, 2, 1]);
  });
});

describe('chunkFrames', () => {
  const captions = Array.from({ length: 30 }, (_, at) => ({
    ts: at * 40,
    text: `Кадр ${at}: человек стоит у станка и показывает новую деталь рядом.`,
  }));

  it('gives each frame of a video its own second and text', () => {
    const chunks = chunkFrames('m', false, captions);
    expect(chunks.map(({ mediumId, startSec, endSec, text }) => ({ mediumId, startSec, endSec, text }))).toEqual(
      captions.map(({ ts, text }, at) => ({
        mediumId: 'm',
        startSec: ts,
        endSec: captions[at + 1]?.ts ?? ts,
        text,
      })),
    );
  });

  it('makes vectors of as many frames as fit, overlapping like other chunks', () => {
    const texts = chunkFrames('m', false, captions).flatMap(({ vectorText }) => vectorText ?? []);
    expect(texts.length).toBeLessThan(4);
    for (const text of texts) expect(estimateTokens(text)).toBeLessThanOrEqual(CHUNK_TOKENS + SLACK);
    expect(texts.map((text) => ({ text }))).toEqual(
      chunkTranscript(
        'm',
        captions.map(({ ts, text }) => ({ start: ts, end: ts, text, speaker: null })),
      ).map(({ text }) => ({ text })),
    );
  });

  it('marks frames that share a vector, and none that have their own', () => {
    expect(chunkFrames('m', false, captions).every(({ isShared }) => isShared)).toBe(true);
    const long = [0, 20].map((ts) => ({ ts, text: 'слово '.repeat(130) }));
    expect(chunkFrames('m', false, long).map(({ text, vectorText }) => text === vectorText)).toEqual([true, true]);
    expect(chunkFrames('m', false, long).some(({ isShared }) => isShared)).toBe(false);
  });

  it('cuts a long text on a frame, and gives its parts the times of the frame', () => {
    const chunks = chunkFrames('m', false, [
      { ts: 5, text: 'слово '.repeat(390) },
      { ts: 20, text: 'Конец' },
    ]);
    expect(chunks.map(({ startSec, endSec }) => [startSec, endSec])).toEqual([
      [5, 20],
      [5, 20],
      [5, 20],
      [20, 20],
    ]);
    for (const { text } of chunks) expect(estimateTokens(text)).toBeLessThanOrEqual(CHUNK_TOKENS);
  });

  it('gives a still picture its medium and no time', () => {
    expect(chunkFrames('m', true, [{ ts: 0, text: 'Депо' }])).toEqual([
      { mediumId: 'm', startSec: null, endSec: null, text: 'Депо', vectorText: 'Депо' },
    ]);
    expect(chunkFrames('m', true, [])).toEqual([]);
  });
});

describe('an extract', () => {
  const source = 'Трамвай пошёл в 1899 году. Его водил г. Петров! А потом линию закрыли.\nТеперь там парк.';

  it.each([
    [source, true],
    ['Трамвай пошёл в 1899 году. Теперь там парк.', true],
    ['Теперь там парк. Трамвай пошёл в 1899 году.', true],
    ['', true],
    ['Трамвай пошёл в 1900 году. Теперь там парк.', false],
    ['Рассказ о трамвае, которого больше нет.', false],
  ])('is distinguished from original words: %j', (text, isTaken) => {
    expect(isExtractive(text, source)).toBe(isTaken);
  });

  it('may write the letters and hyphens of the text in another way, once both are written alike', () => {
    const written = 'Ста\u0301рый трамвай\u2011музей закрыт.'.normalize('NFD');
    const [summary, text] = ['Старый трамвай-музей закрыт.', `${written} Теперь там парк.`];
    expect(isExtractive(summary, text)).toBe(false);
    expect(isExtractive(withWholeWords(summary), withWholeWords(text))).toBe(true);
  });
});
