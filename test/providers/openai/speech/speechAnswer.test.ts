import { describe, expect, it } from '@jest/globals';
import { languageCode } from '../../../../providers/openai/speech/languageNames.ts';
import {
  billedSeconds,
  readTranscription,
  limitToSpeech,
  spreadText,
} from '../../../../providers/openai/speech/speechAnswer.ts';
import { createRecord, toTranscript } from '../../../../providers/openai/speech/speechRecord.ts';

const PIECE = { start: 100, end: 160 };

describe('a transcription', () => {
  it('has the time of the medium, stays within its piece, and is in the order of time', () => {
    const segments = [
      { start: 1, end: 2, text: ' Два. ' },
      { start: -1, end: 90, text: 'Раз.' },
    ];
    expect(
      readTranscription({ text: '', segments }, PIECE).segments.map(({ start, end, text }) => [start, end, text]),
    ).toEqual([
      [100, 160, 'Раз.'],
      [101, 102, 'Два.'],
    ]);
  });

  it('ignores segments without words or times', () => {
    const segments = [
      { start: 1, end: 2, text: ' ' },
      { start: null, end: 2, text: 'Раз.' },
      'text',
      { start: 3, end: 4, text: 'Два.' },
    ];
    expect(readTranscription({ text: 'Раз. Два.', segments }, PIECE).segments.map(({ text }) => text)).toEqual([
      'Два.',
    ]);
  });

  it('gets estimated times if it has none', () => {
    const heard = readTranscription({ text: 'Раз раз. Два два два два.', languages: [{ code: 'ru' }] }, PIECE);
    expect(heard).toMatchObject({ timed: false, language: 'ru' });
    expect(heard.segments.map(({ start, end, text }) => [start, end, text])).toEqual([
      [100, 120, 'Раз раз.'],
      [120, 160, 'Два два два два.'],
    ]);
  });

  it('is read up to four times the length that can be said in its piece, and later cut to that length', () => {
    const loop = Array.from({ length: 5_000 }, (_, at) => ({
      start: at / 100,
      end: at / 100,
      text: 'слово '.repeat(50),
    }));
    const lengthOf = (segments: { text: string }[]) => segments.map(({ text }) => text).join(' ').length;
    const timed = readTranscription({ text: '', segments: loop }, PIECE);
    expect(lengthOf(timed.segments)).toBeLessThanOrEqual(12_100);
    expect(timed).toMatchObject({ timed: true, isCut: true });
    const letters = readTranscription({ text: '', segments: loop.map((one) => ({ ...one, text: 'а' })) }, PIECE);
    expect(letters).toMatchObject({ segments: { length: 1_200 }, isCut: true });
    const words = readTranscription({ text: 'Слово за словом. '.repeat(400_000) }, PIECE);
    expect(lengthOf(words.segments)).toBeLessThanOrEqual(12_000);
    expect(words).toMatchObject({ timed: false, isCut: true });
    expect(words.segments.at(-1)?.end).toBe(PIECE.end);
    for (const { segments } of [timed, words]) {
      const said = limitToSpeech(segments, PIECE);
      expect(said.segments.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(3_000);
      expect(said.isCut).toBe(true);
    }
    expect(limitToSpeech(letters.segments, PIECE)).toMatchObject({ segments: { length: 300 }, isCut: true });
  });

  it('is whole if it is of a moment or of quick speech', () => {
    const moment = { start: 100, end: 100.5 };
    const text = 'Скороговорка. '.repeat(70).trim();
    expect(readTranscription({ text, segments: [{ start: 0, end: 0.5, text }] }, moment)).toMatchObject({
      segments: [{ text }],
      isCut: false,
    });
    const quick = 'б'.repeat(40 * 60);
    const { segments } = readTranscription({ text: quick }, PIECE);
    expect(limitToSpeech(segments, PIECE)).toMatchObject({ segments: [{ text: quick }], isCut: false });
  });

  it('has at most 100 characters of a speaker’s name', () => {
    const [segment] = readTranscription(
      { segments: [{ start: 0, end: 1, text: 'Раз.', speaker: 'A'.repeat(100_000) }] },
      PIECE,
    ).segments;
    expect(segment?.speaker).toHaveLength(100);
  });

  it('may be empty', () => {
    expect(readTranscription({ text: '', language: 'english', segments: [] }, PIECE).segments).toEqual([]);
    expect(spreadText('  ', PIECE)).toEqual([]);
  });

  it.each([[null], ['text'], [{}], [{ text: 5 }]])('cannot be made from %j', (body) => {
    expect(() => readTranscription(body, PIECE)).toThrow(expect.objectContaining({ code: 'provider_bad_answer' }));
  });
});

describe('billed seconds', () => {
  it.each([
    [12.5, 12.5],
    [-1, null],
    [1e308, null],
  ])('of %p are read as %p', (seconds, read) => {
    expect(billedSeconds({ usage: { type: 'duration', seconds } })).toBe(read);
  });
});

describe('a language', () => {
  it.each([
    ['russian', 'ru'],
    ['English', 'en'],
    ['ru', 'ru'],
    ['pt-BR', 'pt'],
    ['burmese', 'my'],
    ['haitian creole', 'ht'],
    ['mandarin', 'zh'],
    ['hebrew', 'he'],
    ['indonesian', 'id'],
    ['javanese', 'jv'],
    ['yiddish', 'yi'],
    ['maori', 'mi'],
    ['bengali', 'bn'],
    ['tagalog', 'tl'],
    ['iw', 'he'],
    ['jw', 'jv'],
    ['klingon', null],
    ['xx', null],
    ['zz-ZZ', null],
    ['', null],
    [7, null],
    [null, null],
  ])('named %j is %j', (name, code) => {
    expect(languageCode(name)).toBe(code);
  });

  it('of a recording is the one spoken longest', () => {
    const record = {
      ...createRecord(),
      languages: new Map([
        ['en', 10],
        ['ru', 500],
        ['de', 20],
      ]),
    };
    expect(toTranscript(record, 'm').value.language).toBe('ru');
  });
});
