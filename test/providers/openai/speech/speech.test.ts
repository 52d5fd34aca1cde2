import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createVoiceDetector } from '../../../../providers/builtin/voice.ts';
import { createOpenAiSpeech } from '../../../../providers/openai/index.ts';
import { measureAudio } from '../../../../providers/sound/soundFile.ts';
import type { SpeechInput, VoiceDetector } from '../../../../providers/types.ts';
import { testVoiceModel } from '../../../support/programs/engines.ts';
import { ffmpegPath } from '../../../support/programs/ffmpeg.ts';
import { readFlac, readVoiceSamples } from '../../../support/openai/openaiChecks.ts';
import { startOpenAiServer, type OpenAiServer } from '../../../support/openai/openaiServer.ts';
import type { Received, Reply } from '../../../support/openai/openaiServer.ts';
import { makeAudio } from './audio.ts';
import { callContext, failureOf, rememberingContext } from '../support.ts';

let ffmpeg: string;
let dir: string;
let workDir: string;
let server: OpenAiServer;
beforeAll(async () => {
  ffmpeg = await ffmpegPath();
  dir = await mkdtemp(join(tmpdir(), 'attune-speech-'));
  workDir = await mkdtemp(join(tmpdir(), 'attune-work-'));
  await makeAudio(ffmpeg, join(dir, 'short.flac'), [['sound', 8]]);
  await makeAudio(ffmpeg, join(dir, 'silent.flac'), [['silence', 12]]);
  // Two pieces of at most ten minutes, and three of at most one minute.
  await makeAudio(ffmpeg, join(dir, 'long.flac'), [
    ['sound', 540],
    ['silence', 2],
    ['sound', 118],
  ]);
  await makeAudio(ffmpeg, join(dir, 'medium.flac'), [
    ['sound', 50],
    ['silence', 2],
    ['sound', 58],
    ['silence', 3],
    ['sound', 37],
  ]);
  await chmod(dir, 0o555); // like the blob store of an installation's worker
});
afterAll(async () => {
  await chmod(dir, 0o755);
  await rm(dir, { recursive: true });
  await rm(workDir, { recursive: true });
});
beforeEach(async () => {
  server = await startOpenAiServer();
});
afterEach(async () => {
  expect(server.violations).toEqual([]);
  await server.close();
  expect(await readdir(workDir)).toEqual([]);
});

const speech = (model = 'whisper-1') =>
  createOpenAiSpeech({
    baseUrl: server.baseUrl,
    apiKey: 'test-key',
    model,
    ffmpegPath: ffmpeg,
    workDir,
    requestTimeoutMs: 60_000,
  });
const input = (name: string, language: string | null = null): SpeechInput => ({
  audioPath: join(dir, `${name}.flac`),
  subtitlesPath: null,
  durationSec: 8,
  language,
});
const field = (request: Received, name: string): unknown => request.form?.get(name) ?? null;
const formats = (): unknown[] => server.requests.map((request) => field(request, 'response_format'));
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
async function lengths(): Promise<number[]> {
  const files = server.requests.map((request) => request.form?.get('file'));
  return Promise.all(files.map(async (file) => (file instanceof File ? ((await readFlac(file))?.seconds ?? 0) : 0)));
}

describe('speech with timed answers', () => {
  it('transcribes a short recording', async () => {
    const { value, usage, warnings } = await speech().run(input('short'), callContext());
    expect(value).toMatchObject({ language: 'ru', timestamps: 'model', text: 'Сегодня мы говорим о погоде.' });
    expect(value.segments).toEqual([{ start: 2, end: 6, text: 'Сегодня мы говорим о погоде.', speaker: null }]);
    expect(usage).toMatchObject({ audioSeconds: 8, inputTokens: null });
    expect(warnings).toEqual([]);
    expect(field(server.requests[0] as Received, 'timestamp_granularities[]')).toBe('segment');
  });

  it('splits a long recording in its pauses and restores the times', async () => {
    const { value, usage } = await speech().run(input('long'), callContext());
    expect((await lengths()).map(Math.round)).toEqual([541, 119]);
    expect(value.segments.map(({ start }) => Math.round(start))).toEqual([135, 571]);
    expect(usage.audioSeconds).toBeCloseTo(660, 0);
    expect(value.timestamps).toBe('model');
  });

  it('writes nothing in the folder of the audio', async () => {
    // Its times change with every file created in a folder, also for root, whom the mode does not stop.
    const times = async () => {
      const { mtimeNs, ctimeNs } = await stat(dir, { bigint: true });
      return { mtimeNs, ctimeNs };
    };
    const before = await times();
    expect((await speech().run(input('short'), callContext())).value.text).not.toBe('');
    expect(await times()).toEqual(before);
  });

  it('tells the server the language, and states the one that the server found', async () => {
    const { value } = await speech().run(input('short', 'en'), callContext());
    expect(value.language).toBe('ru');
    expect(field(server.requests[0] as Received, 'language')).toBe('en');
  });

  it('does not upload silence', async () => {
    const { value, usage, warnings, provenance } = await speech().run(input('silent'), callContext());
    expect(server.requests).toHaveLength(0);
    expect(value).toMatchObject({ text: '', segments: [], language: null });
    expect(usage.audioSeconds).toBe(0);
    expect(warnings).toEqual(['silent_pieces:1']);
    expect(provenance.requestId).toBeNull();
  });

  it('drops what the model invented', async () => {
    server.script('/audio/transcriptions', () => sayings('Добрый день.', 'Субтитры сделал DimaTorzok'));
    const { value, warnings } = await speech().run(input('short'), callContext());
    expect(value.text).toBe('Добрый день.');
    expect(warnings).toEqual(['dropped_segments:1']);
  });

  it('is not cut to make room for an invented loop', async () => {
    const loop = Array.from({ length: 100 }, () => 'Мы едем, едем, едем в далёкие края.');
    server.script('/audio/transcriptions', () => sayings(...loop, 'Добрый день.'));
    const { value, warnings } = await speech().run(input('short'), callContext());
    expect(value.text).toBe(`${loop[0]} ${loop[1]} Добрый день.`);
    expect(warnings).toEqual(['dropped_segments:98']);
  });

  it('has no more than can be said in its time', async () => {
    const words = Array.from({ length: 200 }, (_, at) => `Сейчас проедем мимо дома ${at}.`);
    server.script('/audio/transcriptions', () => sayings(...words));
    const { value, warnings } = await speech().run(input('short'), callContext());
    expect(value.segments.map(({ text }) => text).join('').length).toBeGreaterThan(900);
    expect(value.segments.map(({ text }) => text).join('').length).toBeLessThanOrEqual(1_000);
    expect(warnings).toEqual(['cut_pieces:1']);
  });
});

describe('speech with other formats', () => {
  it('falls back to json, in pieces of a minute with estimated times, and remembers', async () => {
    server.script('/audio/transcriptions', reject('verbose_json'));
    const capability = speech();
    const { value } = await capability.run(input('medium'), callContext());
    expect(value.timestamps).toBe('estimated');
    // Once for the whole recording, once for the first minute; from then on the format is known.
    expect(formats()).toEqual(['verbose_json', 'verbose_json', 'json', 'json', 'json']);
    expect((await lengths()).map(Math.round)).toEqual([150, 51, 51, 60, 40]);
    const before = server.requests.length;
    await capability.run(input('short'), callContext());
    expect(formats().slice(before)).toEqual(['json']);
  });

  it('covers the whole recording in text-only pieces', async () => {
    const { value } = await speech('gpt-4o-transcribe').run(input('medium'), callContext());
    const sizes = await lengths();
    expect(formats().every((format) => format === 'json')).toBe(true);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeCloseTo(150, 0);
    expect(value.segments[0]?.start).toBe(0);
    expect(value.segments.at(-1)?.end).toBeCloseTo(150, 0);
  });

  it('sends exactly the part of the recording that a piece stands for', async () => {
    await speech('gpt-4o-transcribe').run(input('medium'), callContext());
    const file = server.requests[1]?.form?.get('file');
    const received = await mkdtemp(join(tmpdir(), 'attune-received-'));
    await writeFile(join(received, 'piece.flac'), file instanceof File ? await file.bytes() : '');
    const { silences, durationSec } = await measureAudio(ffmpeg, join(received, 'piece.flac'), callContext());
    await rm(received, { recursive: true });
    // From 51 s to 110.5 s: the second half of one pause, and the first half second of the next.
    expect(durationSec).toBeCloseTo(59.5, 1);
    expect(silences.map(({ start, end }) => [start, end].map((time) => Math.round(time * 10) / 10))).toEqual([
      [0, 1],
      [59, 59.5],
    ]);
  });

  it('notices a server that accepts verbose_json but sends no segments', async () => {
    server.script('/audio/transcriptions', () => ({ json: { text: 'Только текст. Без времени.' } }));
    const { value } = await speech().run(input('medium'), callContext());
    expect(value.timestamps).toBe('estimated');
    expect((await lengths()).map(Math.round)).toEqual([150, 51, 60, 40]);
  });

  it('uses times that a server sends without a request', async () => {
    server.script('/audio/transcriptions', () => sayings('Раз.', 'Два.'));
    const { value } = await speech('gpt-4o-transcribe').run(input('short'), callContext());
    expect(value.timestamps).toBe('model');
    expect(value.segments.map(({ start }) => start)).toEqual([0, 1]);
  });

  it('keeps the speakers of one piece, and separates those of several pieces without overlap', async () => {
    const capability = speech('gpt-4o-transcribe-diarize');
    expect((await capability.run(input('short'), callContext())).value.segments.map(({ speaker }) => speaker)).toEqual([
      'A',
    ]);
    expect((await capability.run(input('long'), callContext())).value.segments.map(({ speaker }) => speaker)).toEqual([
      'A',
      '2:A',
    ]);
    expect(field(server.requests[0] as Received, 'chunking_strategy')).toBe('auto');
    // The end of the first piece is repeated in the second one.
    expect((await lengths()).map(Math.round)).toEqual([8, 541, 149]);
  });

  it('recognises speakers of a piece by the overlap', async () => {
    const answer = (...segments: [string, number, number][]): Reply => ({
      json: {
        text: 'слова',
        segments: segments.map(([speaker, start, end]) => ({ speaker, start, end, text: 'слова' })),
      },
    });
    server.script('/audio/transcriptions', (_, index) =>
      index === 0
        ? answer(['A', 0, 300], ['B', 300, 520], ['A', 520, 540])
        : answer(['B', 9, 29], ['A', 40, 80], ['B', 80, 140]),
    );
    const { value } = await speech('gpt-4o-transcribe-diarize').run(input('long'), callContext());
    expect(value.segments.map(({ speaker, start, end }) => [speaker, start, end])).toEqual([
      ['A', 0, 300],
      ['B', 300, 520],
      ['A', 520, 540],
      ['2:A', 551, 591],
      ['A', 591, 651],
    ]);
  });
});

describe('speech of a server that is shown the voices of known speakers', () => {
  const answer = (...segments: [string, number, number][]): Reply => ({
    json: {
      text: 'слова',
      segments: segments.map(([speaker, start, end]) => ({ speaker, start, end, text: 'слова' })),
    },
  });
  const first = answer(['A', 0, 200], ['B', 200, 520], ['A', 520, 540]);
  const speakersOf = async (context = callContext()) => {
    const { value } = await speech('gpt-4o-transcribe-diarize').run(input('long'), context);
    return value.segments.map(({ speaker }) => speaker);
  };

  it('recognises one who was silent at the end of the last piece', async () => {
    // 30 s of overlap; nobody speaks there.
    server.script('/audio/transcriptions', (_, index) =>
      index === 0 ? first : answer(['known_1', 40, 60], ['A', 60, 70], ['known_2', 70, 90]),
    );
    const context = rememberingContext();
    const named = ['A', 'B', 'A', 'B', '2:A', 'A'];
    expect(await speakersOf(context)).toEqual(named);
    const [before, request] = server.requests;
    expect(before?.form?.has('known_speaker_names[]')).toBe(false);
    expect(request?.form?.getAll('known_speaker_names[]')).toEqual(['known_1', 'known_2']);
    expect(await readVoiceSamples(request?.form ?? null)).toMatchObject([{ seconds: 8 }, { seconds: 8 }]);
    // Saved answers name the same speakers.
    expect(await speakersOf(context)).toEqual(named);
    expect(server.requests).toHaveLength(2);
  });

  it('believes the server more than the overlap', async () => {
    server.script('/audio/transcriptions', (_, index) =>
      index === 0 ? first : answer(['A', 10, 29], ['A', 40, 60], ['known_2', 60, 90]),
    );
    // The new label would be A by the overlap, if the server had not found A itself.
    expect(await speakersOf()).toEqual(['A', 'B', 'A', '2:A', 'A']);
  });

  it('goes on without them if the server refuses them, and soon does not send them any more', async () => {
    const refusal: Reply = { status: 400, json: { error: { message: 'Unknown parameter: known_speaker_names' } } };
    server.script('/audio/transcriptions', async ({ form }) => {
      if (form?.has('known_speaker_names[]')) return refusal;
      const file = form?.get('file');
      const sent = file instanceof File ? await readFlac(file) : null;
      return (sent?.seconds ?? 0) > 200 ? first : answer(['A', 10, 29], ['A', 40, 60]);
    });
    const capability = speech('gpt-4o-transcribe-diarize');
    // A check, which teaches nothing, and three items.
    for (const [requests, item] of [[3], [3, 'a'], [3, 'b'], [2, 'c']] as const) {
      const before = server.requests.length;
      const { value } = await capability.run(input('long'), { ...callContext(), ...(item && { item }) });
      expect(value.segments.map(({ speaker }) => speaker)).toEqual(['A', 'B', 'A', 'A']);
      expect(server.requests.length - before).toBe(requests);
    }
  });
});

describe('speech with a voice detector', () => {
  const ANNOUNCEMENT = join(import.meta.dirname, '../../../../tools/samples/announcement.mp3');
  let detector: ReturnType<typeof createVoiceDetector>;
  beforeAll(async () => {
    detector = createVoiceDetector(await testVoiceModel());
    await chmod(dir, 0o755);
    // A tone, 27 s of speech from second 40 on, noise, and the speech again from second 127.
    await makeAudio(ffmpeg, join(dir, 'mixed.flac'), [
      ['sound', 40],
      [ANNOUNCEMENT, 27],
      ['noise', 60],
      [ANNOUNCEMENT, 27],
      ['silence', 20],
    ]);
    await chmod(dir, 0o555);
  });
  afterAll(() => detector.close());

  const heard = (voiceDetector: VoiceDetector) =>
    createOpenAiSpeech({
      baseUrl: server.baseUrl,
      apiKey: 'test-key',
      model: 'whisper-1',
      ffmpegPath: ffmpeg,
      workDir,
      requestTimeoutMs: 60_000,
      voiceDetector,
    });

  it('sends only speech, and keeps the times', async () => {
    server.script('/audio/transcriptions', () => ({
      json: { text: 'Внимание.', language: 'ru', segments: [{ start: 1, end: 4, text: 'Внимание.' }] },
    }));
    const { value, warnings, usage } = await heard(detector).run(input('mixed'), callContext());
    expect((await lengths()).map(Math.round)).toEqual([28, 28]);
    const [first = 0, second = 0] = value.segments.map(({ start }) => start);
    expect(first).toBeCloseTo(40.5, 0);
    expect(second - first).toBeCloseTo(87, 1);
    expect(usage.audioSeconds).toBeLessThan(57);
    expect(warnings).toEqual([expect.stringMatching(/^voiceless_seconds:11\d$/)]);
  });

  it('sends nothing of a recording without voices', async () => {
    const { value, warnings } = await heard(detector).run(input('short'), callContext());
    expect(server.requests).toHaveLength(0);
    expect(value.segments).toEqual([]);
    expect(warnings).toEqual(['voiceless_seconds:8']);
  });

  it('continues without it if it fails, and says so', async () => {
    const broken = createVoiceDetector('/nowhere');
    const { value, warnings } = await heard(broken).run(input('short'), callContext());
    expect(value.text).not.toBe('');
    expect(warnings).toEqual(['voice_detection_failed']);
    await broken.close();
  });
});

describe('speech that fails', () => {
  const failing = (bad: number, reply: Reply) => (_: Received, index: number) => (index === bad ? reply : undefined);

  it.each<[string, Reply]>([
    ['refused', { status: 400, json: { error: { code: 'content_filter' } } }],
    ['rejected', { status: 422, raw: '' }],
  ])('is partial when one piece is %s', async (_, reply) => {
    server.script('/audio/transcriptions', failing(1, reply));
    const { value, warnings } = await speech('gpt-4o-transcribe').run(input('medium'), callContext());
    expect(value.segments.map(({ start }) => start)).toEqual([0, 110.5]);
    expect(value.isPartial).toBe(true);
    expect(warnings).toEqual(['failed_pieces:1']);
  });

  describe('for a while between two good pieces', () => {
    const away: Reply = { status: 503, headers: { 'retry-after-ms': '1' }, raw: '' };
    beforeEach(() => server.script('/audio/transcriptions', (_, index) => ([1, 2].includes(index) ? away : undefined)));

    it('is tried again for the missing piece alone', async () => {
      const context = rememberingContext();
      const begin = () => speech('gpt-4o-transcribe').run(input('medium'), context);
      expect(await failureOf(begin())).toMatchObject({ kind: 'retryable', code: 'provider_unavailable' });
      expect(server.requests).toHaveLength(4);
      const { value, warnings } = await begin();
      expect(server.requests).toHaveLength(5);
      expect(value.segments.map(({ start }) => start)).toEqual([0, 51, 110.5]);
      expect(value.isPartial).toBeUndefined();
      expect(warnings).toEqual([]);
    });

    it('is heard after the others for a caller that accepts gaps', async () => {
      const context = { ...callContext(), acceptsGaps: true };
      const { value, warnings } = await speech('gpt-4o-transcribe').run(input('medium'), context);
      expect(value.segments.map(({ start }) => start)).toEqual([0, 51, 110.5]);
      expect(value.isPartial).toBeUndefined();
      expect(warnings).toEqual([]);
    });
  });

  describe('without any progress until the last try', () => {
    const stopping: [string, Reply][] = [
      ['a server that is down', { status: 500, headers: { 'retry-after-ms': '1' }, raw: '' }],
      ['an empty account', { status: 429, json: { error: { code: 'insufficient_quota' } } }],
    ];

    it.each(stopping)('returns what was read before, in spite of %s', async (_, reply) => {
      server.script('/audio/transcriptions', (_request, index) => (index === 0 ? undefined : reply));
      const context = rememberingContext();
      const begin = (isLastTry: boolean) =>
        speech('gpt-4o-transcribe').run(input('medium'), {
          ...context,
          acceptsGaps: true,
          isLastTry,
          isLastAttempt: true,
        });
      // Something was read, so the try is not in vain.
      await failureOf(begin(true));
      await failureOf(begin(false));
      const { value, warnings } = await begin(true);
      expect(value.segments.map(({ start }) => start)).toEqual([0]);
      expect(value.isPartial).toBe(true);
      expect(warnings).toEqual(['failed_pieces:2']);
    });

    const busyFor = (seconds: string): Reply => ({ status: 429, headers: { 'retry-after': seconds }, raw: '' });
    it.each<[string, Reply, boolean]>([
      ['waits for a server that is busy for a moment', busyFor('30'), false],
      ['does not wait for one that is busy for minutes', busyFor('90'), true],
      ['does not wait for an account that is empty', { status: 402, raw: '' }, true],
    ])('%s, while quick attempts are left', async (_, reply, isStored) => {
      server.script('/audio/transcriptions', (_request, index) => (index === 0 ? undefined : reply));
      const context = { ...rememberingContext(), acceptsGaps: true };
      const begin = (isLastTry: boolean) => speech('gpt-4o-transcribe').run(input('medium'), { ...context, isLastTry });
      await failureOf(begin(false));
      if (isStored) expect((await begin(true)).value.isPartial).toBe(true);
      else expect(await failureOf(begin(true))).toMatchObject({ code: 'provider_rate_limited' });
    });

    it('fails if nothing was read', async () => {
      server.script('/audio/transcriptions', () => stopping[0]?.[1]);
      const context = { ...callContext(), acceptsGaps: true, isLastTry: true, isLastAttempt: true };
      expect(await failureOf(speech('gpt-4o-transcribe').run(input('medium'), context))).toMatchObject({
        code: 'provider_unavailable',
      });
    });
  });

  it('survives one hiccup without repeating finished pieces', async () => {
    server.script('/audio/transcriptions', failing(1, { status: 503, headers: { 'retry-after-ms': '1' }, raw: '' }));
    const { value, warnings } = await speech('gpt-4o-transcribe').run(input('medium'), callContext());
    expect(value.segments).toHaveLength(3);
    expect(warnings).toEqual([]);
    expect(server.requests).toHaveLength(4);
  });

  it('fails if every piece does', async () => {
    server.script('/audio/transcriptions', () => ({ status: 400, json: { error: { code: 'content_filter' } } }));
    expect(await failureOf(speech('gpt-4o-transcribe').run(input('medium'), callContext()))).toMatchObject({
      kind: 'refused',
    });
  });

  it('fails retryably in an outage after a good piece', async () => {
    server.script('/audio/transcriptions', (_, index) =>
      index === 0 ? undefined : { status: 500, headers: { 'retry-after-ms': '1' }, raw: '' },
    );
    expect(await failureOf(speech('gpt-4o-transcribe').run(input('medium'), callContext()))).toMatchObject({
      kind: 'retryable',
      code: 'provider_unavailable',
    });
  });

  it('sends and pays for no piece twice, however often it is started again', async () => {
    const outage: Reply = { status: 500, headers: { 'retry-after-ms': '1' }, raw: '' };
    server.script('/audio/transcriptions', (_, index) => (index === 0 ? undefined : outage));
    const context = rememberingContext();
    const begin = () => speech('gpt-4o-transcribe').run(input('medium'), context); // a new process each time
    expect(await failureOf(begin())).toMatchObject({ kind: 'retryable' });
    expect(context.bills.map(({ audioSeconds }) => Math.round(audioSeconds ?? 0))).toEqual([51]);
    server.script('/audio/transcriptions', () => undefined);
    const sent = server.requests.length;
    const { value, usage, warnings } = await begin();
    expect(server.requests.length - sent).toBe(2);
    expect(value.segments.map(({ start }) => start)).toEqual([0, 51, 110.5]);
    expect(warnings).toEqual([]);
    expect(context.bills.map(({ audioSeconds }) => Math.round((audioSeconds ?? 0) * 10) / 10)).toEqual([
      51, 59.5, 39.5,
    ]);
    expect(usage.audioSeconds).toBeCloseTo(99, 1);
    expect(await begin()).toMatchObject({ value, usage: { audioSeconds: 0 } });
    expect(context.bills).toHaveLength(3);
  });

  it('does not reuse the pieces of another model or language', async () => {
    const context = rememberingContext();
    await speech().run(input('short'), context);
    await speech('whisper-2').run(input('short'), context);
    await speech().run(input('short', 'en'), context);
    expect(server.requests).toHaveLength(3);
    expect(context.kept.size).toBe(3);
  });

  it('counts the usage of an answer that cannot be used', async () => {
    server.script('/audio/transcriptions', () => ({ json: { ok: true } }));
    const context = rememberingContext();
    await failureOf(speech().run(input('short'), context));
    expect(context.bills).toMatchObject([{ audioSeconds: 8 }, { audioSeconds: 8 }]);
    expect(context.kept.size).toBe(0);
  });

  it('leaves a long wait to the caller', async () => {
    server.script('/audio/transcriptions', () => ({ status: 429, headers: { 'retry-after': '60' }, raw: '' }));
    expect(await failureOf(speech().run(input('short'), callContext()))).toMatchObject({
      kind: 'retryable',
      retryAfterMs: 60_000,
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, Reply, string]>([
    ['quota', { status: 429, json: { error: { code: 'insufficient_quota' } } }, 'quota'],
    ['a wrong key', { status: 401, json: {} }, 'permanent'],
  ])('stops at once for %s', async (_, reply, kind) => {
    server.script('/audio/transcriptions', () => reply);
    expect(await failureOf(speech('gpt-4o-transcribe').run(input('medium'), callContext()))).toMatchObject({ kind });
    expect(server.requests).toHaveLength(1);
  });

  it('cannot be made from an answer that is not a transcription', async () => {
    server.script('/audio/transcriptions', () => ({ json: { ok: true } }));
    expect(await failureOf(speech().run(input('short'), callContext()))).toMatchObject({
      kind: 'retryable',
      code: 'provider_bad_answer',
    });
  });

  it('cannot be made from a medium without sound', async () => {
    const capability = speech();
    expect(capability.canTranscribe({ hasAudio: false, hasSubtitles: true })).toBe(false);
    expect(capability.canTranscribe({ hasAudio: true, hasSubtitles: false })).toBe(true);
    expect(await failureOf(capability.run({ ...input('short'), audioPath: null }, callContext()))).toMatchObject({
      kind: 'permanent',
      code: 'no_audio',
    });
  });

  it('says if the file is not audio or the program is missing', async () => {
    const broken = { ...input('short'), audioPath: join(import.meta.dirname, 'audio.ts') };
    expect(await failureOf(speech().run(broken, callContext()))).toMatchObject({
      kind: 'permanent',
      code: 'audio_unreadable',
    });
    const missing = createOpenAiSpeech({
      baseUrl: server.baseUrl,
      apiKey: 'k',
      model: 'm',
      ffmpegPath: join(dir, 'nothing'),
      workDir,
      requestTimeoutMs: 1_000,
    });
    expect(await failureOf(missing.run(input('short'), callContext()))).toMatchObject({
      kind: 'permanent',
      code: 'ffmpeg_missing',
    });
  });

  it('is tried again if the program could not be tried, for want of memory or time', async () => {
    const killed = join(dir, 'killed-ffmpeg');
    await writeFile(killed, '#!/bin/sh\nkill -KILL $$; exit 1\n', { mode: 0o755 });
    const capability = createOpenAiSpeech({
      baseUrl: server.baseUrl,
      apiKey: 'k',
      model: 'm',
      ffmpegPath: killed,
      workDir,
      requestTimeoutMs: 1_000,
    });
    expect(await failureOf(capability.run(input('short'), callContext()))).toMatchObject({
      kind: 'retryable',
      code: 'audio_interrupted',
    });
  });

  it('closes the connection and removes its files when the caller cancels', async () => {
    server.script('/audio/transcriptions', () => ({ stall: 'headers' }));
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const call = speech().run(input('short'), callContext(controller.signal));
    void server.nextRequest().then(() => controller.abort(reason));
    await expect(call).rejects.toBe(reason);
    await server.nextHangUp();
  });
});
