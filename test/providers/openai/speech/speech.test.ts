import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createVoiceDetector } from '../../../../providers/builtin/voice.ts';
import { measureAudio } from '../../../../providers/sound/soundFile.ts';
import type { VoiceDetector } from '../../../../providers/types.ts';
import { testVoiceModel } from '../../../support/programs/engines.ts';
import { readFlac, readVoiceSamples } from '../../../support/openai/openaiChecks.ts';
import type { Received, Reply } from '../../../support/openai/openaiServer.ts';
import { makeAudio } from './audio.ts';
import { callContext, rememberingContext } from '../support.ts';
import { stageSpeech, TALK_PIECE_SEC } from './speechStage.ts';

const stage = stageSpeech('short', 'silent', 'long', 'talk', 'medium');
const talk = () => stage.speech('gpt-4o-transcribe-diarize', { pieceSec: TALK_PIECE_SEC });

const field = (request: Received, name: string): unknown => request.form?.get(name) ?? null;
const formats = (): unknown[] => stage.server.requests.map((request) => field(request, 'response_format'));
const rejection: Reply = {
  status: 400,
  json: {
    error: { message: "response_format 'verbose_json' is not compatible with this model", param: 'response_format' },
  },
};
const reject =
  (...refused: string[]) =>
  (request: Received): Reply | undefined =>
    refused.includes(String(field(request, 'response_format'))) ? rejection : undefined;
const sayings = (...texts: string[]): Reply => ({
  json: {
    language: 'russian',
    text: texts.join(' '),
    segments: texts.map((text, index) => ({ start: index, end: index + 1, text })),
  },
});
describe('speech with timed answers', () => {
  it('transcribes a short recording', async () => {
    const { value, usage, warnings } = await stage.speech().run(stage.input('short'), callContext());
    expect(value).toMatchObject({ language: 'ru', timestamps: 'model', text: 'Сегодня мы говорим о погоде.' });
    expect(value.segments).toEqual([{ start: 2, end: 6, text: 'Сегодня мы говорим о погоде.', speaker: null }]);
    expect(usage).toMatchObject({ audioSeconds: 8, inputTokens: null });
    expect(warnings).toEqual([]);
    expect(field(stage.server.requests[0] as Received, 'timestamp_granularities[]')).toBe('segment');
  });

  it('splits a long recording at its pauses and restores the times', async () => {
    const { value, usage } = await stage.speech().run(stage.input('long'), callContext());
    expect((await stage.lengths()).map(Math.round)).toEqual([541, 119]);
    expect(value.segments.map(({ start }) => Math.round(start))).toEqual([135, 571]);
    expect(usage.audioSeconds).toBeCloseTo(660, 0);
    expect(value.timestamps).toBe('model');
  });

  it('writes nothing in the folder of the audio', async () => {
    // A new file changes the times of its folder. The folder's mode would not stop root from creating one.
    const times = async () => {
      const { mtimeNs, ctimeNs } = await stat(stage.dir, { bigint: true });
      return { mtimeNs, ctimeNs };
    };
    const before = await times();
    expect((await stage.speech().run(stage.input('short'), callContext())).value.text).not.toBe('');
    expect(await times()).toEqual(before);
  });

  it('tells the server the language, and states the one that the server found', async () => {
    const { value } = await stage.speech().run(stage.input('short', 'en'), callContext());
    expect(value.language).toBe('ru');
    expect(field(stage.server.requests[0] as Received, 'language')).toBe('en');
  });

  it('does not upload silence', async () => {
    const { value, usage, warnings, provenance } = await stage.speech().run(stage.input('silent'), callContext());
    expect(stage.server.requests).toHaveLength(0);
    expect(value).toMatchObject({ text: '', segments: [], language: null });
    expect(usage.audioSeconds).toBe(0);
    expect(warnings).toEqual(['silent_pieces:1']);
    expect(provenance.requestId).toBeNull();
  });

  it('drops what the model hallucinated', async () => {
    stage.server.script('/audio/transcriptions', () => sayings('Добрый день.', 'Субтитры сделал DimaTorzok'));
    const { value, warnings } = await stage.speech().run(stage.input('short'), callContext());
    expect(value.text).toBe('Добрый день.');
    expect(warnings).toEqual(['dropped_segments:1']);
  });

  it('drops the repetitions of a hallucinated loop and keeps the speech after them', async () => {
    const loop = Array.from({ length: 100 }, () => 'Мы едем, едем, едем в далёкие края.');
    stage.server.script('/audio/transcriptions', () => sayings(...loop, 'Добрый день.'));
    const { value, warnings } = await stage.speech().run(stage.input('short'), callContext());
    expect(value.text).toBe(`${loop[0]} ${loop[1]} Добрый день.`);
    expect(warnings).toEqual(['dropped_segments:98']);
  });

  it('is cut to what can be said in its time', async () => {
    const words = Array.from({ length: 200 }, (_, at) => `Сейчас проедем мимо дома ${at}.`);
    stage.server.script('/audio/transcriptions', () => sayings(...words));
    const { value, warnings } = await stage.speech().run(stage.input('short'), callContext());
    expect(value.segments.map(({ text }) => text).join('').length).toBeGreaterThan(900);
    expect(value.segments.map(({ text }) => text).join('').length).toBeLessThanOrEqual(1_000);
    expect(warnings).toEqual(['cut_pieces:1']);
  });
});

describe('speech with other formats', () => {
  it('falls back to json, in pieces of a minute with estimated times, and remembers the format', async () => {
    stage.server.script('/audio/transcriptions', reject('verbose_json'));
    const capability = stage.speech();
    const { value } = await capability.run(stage.input('medium'), callContext());
    expect(value.timestamps).toBe('estimated');
    // Once for the whole recording, once for the first minute; from then on the format is known.
    expect(formats()).toEqual(['verbose_json', 'verbose_json', 'json', 'json', 'json']);
    expect((await stage.lengths()).map(Math.round)).toEqual([150, 51, 51, 60, 40]);
    const before = stage.server.requests.length;
    await capability.run(stage.input('short'), callContext());
    expect(formats().slice(before)).toEqual(['json']);
  });

  it('covers the whole recording in text-only pieces', async () => {
    const { value } = await stage.speech('gpt-4o-transcribe').run(stage.input('medium'), callContext());
    const sizes = await stage.lengths();
    expect(formats().every((format) => format === 'json')).toBe(true);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeCloseTo(150, 0);
    expect(value.segments[0]?.start).toBe(0);
    expect(value.segments.at(-1)?.end).toBeCloseTo(150, 0);
  });

  it('sends exactly the part of the recording that a piece stands for', async () => {
    await stage.speech('gpt-4o-transcribe').run(stage.input('medium'), callContext());
    const file = stage.server.requests[1]?.form?.get('file');
    const received = await mkdtemp(join(tmpdir(), 'attune-received-'));
    await writeFile(join(received, 'piece.flac'), file instanceof File ? await file.bytes() : '');
    const { silences, durationSec } = await measureAudio(stage.ffmpeg, join(received, 'piece.flac'), callContext());
    await rm(received, { recursive: true });
    // From 51 s to 110.5 s: the second half of one pause, and the first half second of the next.
    expect(durationSec).toBeCloseTo(59.5, 1);
    expect(silences.map(({ start, end }) => [start, end].map((time) => Math.round(time * 10) / 10))).toEqual([
      [0, 1],
      [59, 59.5],
    ]);
  });

  it('notices a server that accepts verbose_json but sends no segments', async () => {
    stage.server.script('/audio/transcriptions', () => ({ json: { text: 'Только текст. Без времени.' } }));
    const { value } = await stage.speech().run(stage.input('medium'), callContext());
    expect(value.timestamps).toBe('estimated');
    expect((await stage.lengths()).map(Math.round)).toEqual([150, 51, 60, 40]);
  });

  it('uses times that a server sends although it was not asked for them', async () => {
    stage.server.script('/audio/transcriptions', () => sayings('Раз.', 'Два.'));
    const { value } = await stage.speech('gpt-4o-transcribe').run(stage.input('short'), callContext());
    expect(value.timestamps).toBe('model');
    expect(value.segments.map(({ start }) => start)).toEqual([0, 1]);
  });

  it('keeps the speakers of one piece, and separates those of pieces in whose overlap nobody speaks', async () => {
    const capability = talk();
    expect(
      (await capability.run(stage.input('short'), callContext())).value.segments.map(({ speaker }) => speaker),
    ).toEqual(['A']);
    expect(
      (await capability.run(stage.input('talk'), callContext())).value.segments.map(({ speaker }) => speaker),
    ).toEqual(['A', '2:A']);
    expect(field(stage.server.requests[0] as Received, 'chunking_strategy')).toBe('auto');
    // The end of the first piece is repeated in the second one.
    expect((await stage.lengths()).map(Math.round)).toEqual([8, 181, 149]);
  });

  it('recognises speakers of a piece by the overlap', async () => {
    const answer = (...segments: [string, number, number][]): Reply => ({
      json: {
        text: 'слова',
        segments: segments.map(([speaker, start, end]) => ({ speaker, start, end, text: 'слова' })),
      },
    });
    stage.server.script('/audio/transcriptions', (_, index) =>
      index === 0
        ? answer(['A', 0, 100], ['B', 100, 160], ['A', 160, 180])
        : answer(['B', 9, 29], ['A', 40, 80], ['B', 80, 140]),
    );
    const { value } = await talk().run(stage.input('talk'), callContext());
    expect(value.segments.map(({ speaker, start, end }) => [speaker, start, end])).toEqual([
      ['A', 0, 100],
      ['B', 100, 160],
      ['A', 160, 180],
      ['2:A', 191, 231],
      ['A', 231, 291],
    ]);
  });
});

describe('speech with voice samples of known speakers', () => {
  const answer = (...segments: [string, number, number][]): Reply => ({
    json: {
      text: 'слова',
      segments: segments.map(([speaker, start, end]) => ({ speaker, start, end, text: 'слова' })),
    },
  });
  const first = answer(['A', 0, 60], ['B', 60, 160], ['A', 160, 180]);
  const speakersOf = async (context = callContext()) => {
    const { value } = await talk().run(stage.input('talk'), context);
    return value.segments.map(({ speaker }) => speaker);
  };

  it('recognises a speaker who was silent at the end of the previous piece', async () => {
    // The second answer finds nobody in the 30 s of overlap with which its piece begins.
    stage.server.script('/audio/transcriptions', (_, index) =>
      index === 0 ? first : answer(['known_1', 40, 60], ['A', 60, 70], ['known_2', 70, 90]),
    );
    const context = rememberingContext();
    const named = ['A', 'B', 'A', 'B', '2:A', 'A'];
    expect(await speakersOf(context)).toEqual(named);
    const [before, request] = stage.server.requests;
    expect(before?.form?.has('known_speaker_names[]')).toBe(false);
    expect(request?.form?.getAll('known_speaker_names[]')).toEqual(['known_1', 'known_2']);
    expect(await readVoiceSamples(request?.form ?? null)).toMatchObject([{ seconds: 8 }, { seconds: 8 }]);
    // Saved answers name the same speakers.
    expect(await speakersOf(context)).toEqual(named);
    expect(stage.server.requests).toHaveLength(2);
  });

  it('trusts the server more than the overlap', async () => {
    stage.server.script('/audio/transcriptions', (_, index) =>
      index === 0 ? first : answer(['A', 10, 29], ['A', 40, 60], ['known_2', 60, 90]),
    );
    // The new label would be A by the overlap, if the server had not found A itself.
    expect(await speakersOf()).toEqual(['A', 'B', 'A', '2:A', 'A']);
  });

  it('continues without the samples if the server refuses them, and soon stops sending them', async () => {
    const refusal: Reply = { status: 400, json: { error: { message: 'Unknown parameter: known_speaker_names' } } };
    stage.server.script('/audio/transcriptions', async ({ form }) => {
      if (form?.has('known_speaker_names[]')) return refusal;
      const file = form?.get('file');
      const sent = file instanceof File ? await readFlac(file) : null;
      return (sent?.seconds ?? 0) > 160 ? first : answer(['A', 10, 29], ['A', 40, 60]);
    });
    const capability = talk();
    // A check, which teaches nothing, and three items.
    for (const [requests, item] of [[3], [3, 'a'], [3, 'b'], [2, 'c']] as const) {
      const before = stage.server.requests.length;
      const { value } = await capability.run(stage.input('talk'), { ...callContext(), ...(item && { item }) });
      expect(value.segments.map(({ speaker }) => speaker)).toEqual(['A', 'B', 'A', 'A']);
      expect(stage.server.requests.length - before).toBe(requests);
    }
  });
});

describe('speech with a voice detector', () => {
  const ANNOUNCEMENT = join(import.meta.dirname, '../../../../tools/samples/announcement.mp3');
  let detector: ReturnType<typeof createVoiceDetector>;
  beforeAll(async () => {
    detector = createVoiceDetector(await testVoiceModel());
    await chmod(stage.dir, 0o755);
    // A tone, 27 s of speech from second 40 on, noise, and the speech again from second 127.
    await makeAudio(stage.ffmpeg, join(stage.dir, 'mixed.flac'), [
      ['sound', 40],
      [ANNOUNCEMENT, 27],
      ['noise', 60],
      [ANNOUNCEMENT, 27],
      ['silence', 20],
    ]);
    await chmod(stage.dir, 0o555);
  });
  afterAll(() => detector.close());

  const speechWith = (voiceDetector: VoiceDetector) => stage.speech('whisper-1', { voiceDetector });

  it('sends only speech, and keeps the times', async () => {
    stage.server.script('/audio/transcriptions', () => ({
      json: { text: 'Внимание.', language: 'ru', segments: [{ start: 1, end: 4, text: 'Внимание.' }] },
    }));
    const { value, warnings, usage } = await speechWith(detector).run(stage.input('mixed'), callContext());
    expect((await stage.lengths()).map(Math.round)).toEqual([28, 28]);
    const [first = 0, second = 0] = value.segments.map(({ start }) => start);
    expect(first).toBeCloseTo(40.5, 0);
    expect(second - first).toBeCloseTo(87, 1);
    expect(usage.audioSeconds).toBeLessThan(57);
    expect(warnings).toEqual([expect.stringMatching(/^voiceless_seconds:11\d$/)]);
  });

  it('sends nothing of a recording without voices', async () => {
    const { value, warnings } = await speechWith(detector).run(stage.input('short'), callContext());
    expect(stage.server.requests).toHaveLength(0);
    expect(value.segments).toEqual([]);
    expect(warnings).toEqual(['voiceless_seconds:8']);
  });

  it('continues without it if it fails, and says so', async () => {
    const broken = createVoiceDetector('/nowhere');
    const { value, warnings } = await speechWith(broken).run(stage.input('short'), callContext());
    expect(value.text).not.toBe('');
    expect(warnings).toEqual(['voice_detection_failed']);
    await broken.close();
  });
});
