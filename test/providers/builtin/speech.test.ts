import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSpeech } from '../../../providers/builtin/speech.ts';
import { createTextRunner } from '../../../providers/builtin/textRunner.ts';
import type { CallContext, ProviderResult, SpeechInput, Transcript } from '../../../providers/types.ts';

const context: CallContext = { signal: new AbortController().signal, progress: () => undefined };
const runner = createTextRunner();
const speech = createSpeech(runner);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-speech-'));
});
afterAll(async () => {
  await runner.close();
  await rm(folder, { recursive: true, force: true });
});

async function transcribe(vtt: string, input: Partial<SpeechInput> = {}): Promise<ProviderResult<Transcript>> {
  const subtitlesPath = join(folder, 'subtitles.vtt');
  await writeFile(subtitlesPath, vtt);
  return speech.run({ audioPath: null, subtitlesPath, durationSec: 60, language: null, ...input }, context);
}

describe('speech from subtitles', () => {
  it('describes its capabilities', () => {
    expect(speech.canTranscribe({ hasAudio: true, hasSubtitles: true })).toBe(true);
    expect(speech.canTranscribe({ hasAudio: true, hasSubtitles: false })).toBe(false);
    expect(speech.skipReason).toBe('no_speech_provider');
  });

  it('makes a transcript with measured times, the detected language and no invented usage', async () => {
    const result = await transcribe(
      'WEBVTT\n\n1\n00:01.000 --> 00:03.500\nСегодня мы готовим борщ.\n\n00:00:04.000 --> 00:00:06.000 align:start\n<v Анна>А я режу <i>свёклу</i> &amp; лук.\n',
    );
    expect(result.value).toEqual({
      language: 'ru',
      timestamps: 'model',
      text: 'Сегодня мы готовим борщ. А я режу свёклу & лук.',
      segments: [
        { start: 1, end: 3.5, text: 'Сегодня мы готовим борщ.', speaker: null },
        { start: 4, end: 6, text: 'А я режу свёклу & лук.', speaker: 'Анна' },
      ],
    });
    expect(result.provenance).toEqual({ provider: 'builtin', model: 'builtin-subtitles-3', requestId: null });
    expect(result.usage).toEqual({ inputTokens: null, outputTokens: null, audioSeconds: null, images: null });
  });

  it('states the language of the words, not the one that a recogniser would be told', async () => {
    const english = 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello there my friends';
    expect((await transcribe(english, { language: 'ru' })).value.language).toBe('en');
    const german = '\n\n00:01.000 --> 00:02.000\nIch weiß nicht, was soll es bedeuten';
    expect((await transcribe(`WEBVTT${german}`, { language: 'ru' })).value.language).toBeNull();
    expect((await transcribe(`WEBVTT\nLanguage: de${german}`, { language: 'ru' })).value.language).toBe('de');
    expect((await transcribe(`WEBVTT\nLanguage: en${german}`)).value.language).toBeNull();
    expect((await transcribe(english.replace('WEBVTT', 'WEBVTT\nLanguage: ru'))).value.language).toBe('en');
  });

  it('reports captions without speech instead of inventing some', async () => {
    const result = await transcribe('WEBVTT\n\n00:01.000 --> 00:02.000\n[музыка]\n\n00:03.000 --> 00:04.000\n♪♪\n');
    expect(result.value).toEqual({ language: null, timestamps: 'model', text: '', segments: [] });
    expect(result.warnings).toEqual(['dropped_cues:1', 'subtitles_empty']);
  });

  it('does not take captions without speech for silence', async () => {
    const music = 'WEBVTT\n\n00:01.000 --> 00:02.000\n[музыка]\n';
    const words = 'WEBVTT\n\n00:01.000 --> 00:02.000\nПривет\n';
    expect((await transcribe(music, { audioPath: '/nowhere.flac' })).value.isPartial).toBe(true);
    expect((await transcribe(words, { audioPath: '/nowhere.flac' })).value.isPartial).toBeUndefined();
  });

  it('reads a huge file only in part', async () => {
    const cue = (second: number): string =>
      `${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}.000 --> 59:59.999\n${`слово${second} `.repeat(300)}.\n\n`;
    const result = await transcribe(`WEBVTT\n\n${Array.from({ length: 1_200 }, (_, second) => cue(second)).join('')}`, {
      durationSec: 3_600,
    });
    expect(result.warnings).toContain('subtitles_truncated');
    expect(result.value.segments.length).toBeGreaterThan(900);
  });

  it('fails as documented without subtitles, without the file, and when aborted', async () => {
    const input: SpeechInput = { audioPath: '/a.flac', subtitlesPath: null, durationSec: 1, language: null };
    await expect(speech.run(input, context)).rejects.toMatchObject({ kind: 'permanent', code: 'no_speech_provider' });
    await expect(speech.run({ ...input, subtitlesPath: join(folder, 'none.vtt') }, context)).rejects.toMatchObject({
      kind: 'retryable',
      code: 'subtitles_unreadable',
    });
    const signal = AbortSignal.abort(new Error('stop'));
    await expect(speech.run(input, { ...context, signal })).rejects.toThrow('stop');
  });
});
