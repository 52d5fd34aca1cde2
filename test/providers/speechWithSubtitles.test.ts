import { describe, expect, it } from '@jest/globals';
import { speechWithSubtitles, subtitlesOnly } from '../../providers/speechWithSubtitles.ts';
import { ProviderError } from '../../providers/errors.ts';
import type { Measured, SpeechCapability, SpeechInput, TranscriptSegment } from '../../providers/types.ts';
import { fakeResult } from '../support/items/fakeProviders.ts';
import { callContext } from './openai/support.ts';

const speaks = (text: string, segments: TranscriptSegment[] = []): SpeechCapability => ({
  model: text,
  skipReason: 'no_audio',
  canTranscribe: () => true,
  run: () => Promise.resolve(fakeResult({ language: null, timestamps: 'model', text, segments })),
});
const cue = (start: number, end: number): TranscriptSegment => ({ start, end, text: 'x', speaker: null });
/** Ten minutes: speech for the first five, then silence. */
const LEVELS = Array.from({ length: 600 }, (_, second) => (second < 300 ? -20 : -80));
const VOICES = [{ start: 0, end: 300 }];
/** A lecture of an hour, with a pause after each minute of speech. */
const LECTURE = Array.from({ length: 60 }, (_, minute) => ({ start: minute * 60, end: minute * 60 + 55 }));
const cuesUntil = (end: number): TranscriptSegment[] =>
  Array.from({ length: end / 10 }, (_, index) => cue(index * 10, index * 10 + 8));
const INPUT = { audioPath: '/a.flac', subtitlesPath: '/a.vtt', durationSec: 600, language: null };

const sound = (levels: number[], voices: Measured['voices']): Measured => ({
  durationSec: levels.length,
  silences: [],
  levels,
  voices,
});
const byVoice = (voices: Measured['voices']): Measured => sound(LEVELS, voices);

async function heard(
  segments: TranscriptSegment[],
  measured: Measured = byVoice(null),
  input: Partial<SpeechInput> = {},
): Promise<string> {
  const measure = () => Promise.resolve(measured);
  const speech = speechWithSubtitles(speaks('recognised'), speaks('authored', segments), measure);
  return (await speech.run({ ...INPUT, ...input }, callContext())).value.text;
}

describe('authored subtitles', () => {
  it('are used if they cover the speech, however much is silent', async () => {
    expect(await heard(Array.from({ length: 30 }, (_, index) => cue(index * 10, index * 10 + 3)))).toBe('authored');
  });

  it.each([
    ['of a few words alone', [cue(10, 12), cue(200, 202)]],
    ['in the silence', [cue(400, 590)]],
    ['that are empty', []],
    ['that are one title for everything', [{ ...cue(0, 600), text: 'Субтитры: Анна' }]],
  ])('give way to the recogniser: %s', async (_what, segments) => {
    expect(await heard(segments)).toBe('recognised');
    expect(await heard(segments, byVoice(VOICES))).toBe('recognised');
  });

  it.each([
    ['of a whole lecture', 3_600, 'authored'],
    ['that leave out two minutes', 3_480, 'authored'],
    ['that end after a third of a lecture', 1_200, 'recognised'],
    ['that leave out its last ten minutes', 3_000, 'recognised'],
  ])('have to cover what is said: %s', async (_what, end, expected) => {
    expect(await heard(cuesUntil(end), byVoice(LECTURE))).toBe(expected);
  });

  it('give way to the recogniser if they leave out much of a short clip', async () => {
    expect(await heard(cuesUntil(180), byVoice(VOICES))).toBe('recognised');
    expect(await heard(cuesUntil(270), byVoice(VOICES))).toBe('authored');
  });

  it('need not cover music', async () => {
    const song = Array.from({ length: 600 }, () => -20);
    expect(await heard(cuesUntil(60), sound(song, [{ start: 0, end: 60 }]))).toBe('authored');
  });

  it('count for as long as their words take to say: a cue may be a paragraph', async () => {
    const paragraph = { ...cue(0, 300), text: 'слово '.repeat(600) };
    expect(await heard([paragraph], byVoice(VOICES))).toBe('authored');
  });

  it('have to go on while there is sound, without a detector of voices', async () => {
    const levels = Array.from({ length: 3_600 }, () => -20);
    expect(await heard(cuesUntil(1_200), sound(levels, null))).toBe('recognised');
    expect(await heard(cuesUntil(3_000), sound(levels, null))).toBe('authored');
  });

  it('give way to the recogniser if they cannot be read', async () => {
    const broken = {
      ...speaks(''),
      run: () => Promise.reject(new ProviderError('retryable', 'subtitles_unreadable', '')),
    };
    const speech = speechWithSubtitles(speaks('recognised'), broken, () => Promise.resolve(byVoice(VOICES)));
    expect((await speech.run(INPUT, callContext())).value.text).toBe('recognised');
  });

  it('are all that a medium without sound has', async () => {
    expect(await heard([], byVoice(null), { audioPath: null })).toBe('authored');
  });
});

it('a recogniser receives the measurements that were made of the sound', async () => {
  const given: SpeechInput[] = [];
  const recogniser: SpeechCapability = {
    ...speaks('recognised'),
    run(input, context) {
      given.push(input);
      return speaks('recognised').run(input, context);
    },
  };
  const measured = byVoice(VOICES);
  const speech = speechWithSubtitles(recogniser, speaks('authored', [cue(0, 2)]), () => Promise.resolve(measured));
  await speech.run(INPUT, callContext());
  expect(given).toEqual([{ ...INPUT, measured }]);
});

describe('subtitles without a recogniser', () => {
  const isPartial = async (
    segments: TranscriptSegment[],
    measure: () => Promise<Measured>,
    audioPath: string | null,
  ) => {
    const speech = subtitlesOnly(speaks('authored', segments), measure);
    return (await speech.run({ ...INPUT, audioPath }, callContext())).value.isPartial ?? false;
  };
  const measured = () => Promise.resolve(byVoice(VOICES));
  const fails = (kind: 'permanent' | 'retryable') => () =>
    Promise.reject(new ProviderError(kind, 'audio_unreadable', 'no'));

  it('are all of the speech only if they cover it', async () => {
    expect(await isPartial(cuesUntil(270), measured, '/a.flac')).toBe(false);
    expect(await isPartial([cue(10, 12)], measured, '/a.flac')).toBe(true);
    expect(await isPartial([cue(10, 12)], measured, null)).toBe(false);
  });

  it('are a part of it if the sound cannot be measured', async () => {
    expect(await isPartial(cuesUntil(270), fails('permanent'), '/a.flac')).toBe(true);
    await expect(isPartial(cuesUntil(270), fails('retryable'), '/a.flac')).rejects.toMatchObject({ kind: 'retryable' });
  });
});
