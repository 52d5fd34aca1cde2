import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createOpenAiSpeech, type OpenAiSpeechOptions } from '../../../../providers/openai/index.ts';
import type { SpeechInput } from '../../../../providers/types.ts';
import { ffmpegPath } from '../../../support/programs/ffmpeg.ts';
import { readFlac } from '../../../support/openai/openaiChecks.ts';
import {
  startOpenAiServer,
  type OpenAiServer,
  type Received,
  type Reply,
} from '../../../support/openai/openaiServer.ts';
import { makeAudio } from './audio.ts';
import { measuredOf } from './once.ts';
import { callContext, contextOf, failureOf, rememberingContext } from '../support.ts';

let ffmpeg: string;
let dir: string;
let workDir: string;
let server: OpenAiServer;
let long: SpeechInput;
let medium: SpeechInput;
beforeAll(async () => {
  ffmpeg = await ffmpegPath();
  dir = await mkdtemp(join(tmpdir(), 'attune-speech-'));
  workDir = await mkdtemp(join(tmpdir(), 'attune-work-'));
  // Two pieces of at most ten minutes.
  await makeAudio(ffmpeg, join(dir, 'long.flac'), [
    ['sound', 540],
    ['silence', 2],
    ['sound', 118],
  ]);
  await makeAudio(ffmpeg, join(dir, 'medium.flac'), [['sound', 150]]);
  [long, medium] = [await inputOf('long'), await inputOf('medium')];
});
afterAll(async () => {
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

const speech = (model = 'whisper-1', limits: Partial<OpenAiSpeechOptions> = {}) =>
  createOpenAiSpeech({
    baseUrl: server.baseUrl,
    apiKey: 'test-key',
    model,
    ffmpegPath: ffmpeg,
    workDir,
    requestTimeoutMs: 60_000,
    ...limits,
  });
async function inputOf(name: string): Promise<SpeechInput> {
  const audioPath = join(dir, `${name}.flac`);
  const measured = await measuredOf(ffmpeg, audioPath);
  return { audioPath, subtitlesPath: null, durationSec: 8, language: null, measured };
}
const secondsOf = async ({ form }: Received): Promise<number> => {
  const file = form?.get('file');
  return file instanceof File ? ((await readFlac(file))?.seconds ?? 0) : 0;
};
const lengths = (): Promise<number[]> => Promise.all(server.requests.map(secondsOf));

describe('speech recognition by a server that reads only short pieces', () => {
  /** Answers pieces of at most that many seconds. */
  const upTo =
    (seconds: number, reply: Reply) =>
    async (request: Received): Promise<Reply | undefined> =>
      (await secondsOf(request)) > seconds ? reply : undefined;
  const TOO_LARGE: Reply = { status: 413, raw: '<html><h1>413 Request Entity Too Large</h1></html>' };

  it('halves pieces that are too large, in pauses, and sends the others of the recording in that length', async () => {
    server.script('/audio/transcriptions', upTo(100, TOO_LARGE));
    const context = rememberingContext();
    const { value, warnings } = await speech().run(long, context);
    const sent = await lengths();
    expect(Math.round(sent[0] ?? 0)).toBe(541);
    // One refusal for each halving, and none after that.
    expect(sent.filter((length) => length > 100).map(Math.round)).toHaveLength(3);
    expect(sent.filter((length) => length <= 100).reduce((sum, length) => sum + length, 0)).toBeCloseTo(660, 0);
    expect(Math.min(...sent)).toBeGreaterThan(30);
    expect(value.isPartial).toBeUndefined();
    expect(value.segments.map(({ start }) => start)).toEqual(
      value.segments.map(({ start }) => start).toSorted((a, b) => a - b),
    );
    expect(warnings).toEqual([]);
    expect(await speech().run(long, context)).toMatchObject({ value, usage: { audioSeconds: 0 } });
  });

  it('remembers the length after a second item', async () => {
    server.script('/audio/transcriptions', upTo(100, TOO_LARGE));
    const capability = speech();
    const refusalsFor = async (item: string): Promise<number> => {
      const before = server.requests.length;
      await capability.run(medium, contextOf(item));
      return (await lengths()).slice(before).filter((length) => length > 100).length;
    };
    expect([await refusalsFor('a'), await refusalsFor('b'), await refusalsFor('c')]).toEqual([1, 1, 0]);
  });

  it.each<[string, Reply, number]>([
    ['does not answer in time', { stall: 'headers' }, 1_500],
    ['has a gateway that does not wait', { status: 504, raw: '' }, 60_000],
  ])('halves the pieces of a server that %s', async (_, reply, requestTimeoutMs) => {
    server.script('/audio/transcriptions', upTo(100, reply));
    const { value, warnings } = await speech('whisper-1', { requestTimeoutMs }).run(medium, callContext());
    expect((await lengths()).map(Math.round)).toEqual([150, 61, 90]);
    expect(value.isPartial).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it('goes on with short pieces in the next attempt', async () => {
    const away: Reply = { status: 503, headers: { 'retry-after-ms': '1' }, raw: '' };
    const slow = upTo(100, TOO_LARGE);
    server.script(
      '/audio/transcriptions',
      async (request, index) => (await slow(request)) ?? (index > 1 ? away : undefined),
    );
    const context = rememberingContext();
    await failureOf(speech().run(medium, context));
    const before = server.requests.length;
    server.script('/audio/transcriptions', slow);
    const { value } = await speech().run(medium, context);
    expect((await lengths()).slice(before).map(Math.round)).toEqual([90]);
    expect(value.segments).toHaveLength(2);
  });

  it('finds the saved pieces of several speakers, whatever length was learned after them', async () => {
    const away: Reply = { status: 503, headers: { 'retry-after-ms': '1' }, raw: '' };
    const transcript: Reply = {
      json: { text: 'слова', segments: [{ speaker: 'A', start: 0, end: 80, text: 'слова' }] },
    };
    server.script('/audio/transcriptions', (_, index) => [transcript, transcript, TOO_LARGE][index] ?? away);
    const context = rememberingContext();
    const begin = () => speech('gpt-4o-transcribe-diarize', { pieceSec: 72 }).run(medium, context);
    await failureOf(begin());
    const before = await lengths();
    server.script('/audio/transcriptions', () => transcript);
    const { value } = await begin();
    // Only the halves of the third piece and the last piece are left, each with the end of the one before.
    const sent = (await lengths()).slice(before.length);
    expect(sent).toHaveLength(3);
    expect(Math.max(...sent)).toBeLessThan(40);
    expect(new Set(value.segments.map(({ speaker }) => speaker))).toEqual(new Set(['A']));
  });

  it('knows speakers by the same names if an earlier piece is transcribed later', async () => {
    const away: Reply = { status: 503, headers: { 'retry-after-ms': '1' }, raw: '' };
    const said = (speaker: string): Reply => ({
      json: { text: 'слова', segments: [{ speaker, start: 20, end: 40, text: 'слова' }] },
    });
    const replies = [away, away, said('A'), said('known_1'), said('known_1'), said('A')];
    server.script('/audio/transcriptions', (_, index) => replies[index]);
    const context = { ...rememberingContext(), item: 'item' };
    const begin = () => speech('gpt-4o-transcribe-diarize', { pieceSec: 72 }).run(medium, context);
    expect(await failureOf(begin())).toMatchObject({ code: 'provider_unavailable' });
    const { value } = await begin();
    expect(server.requests).toHaveLength(6);
    expect(value.segments.map(({ speaker }) => speaker)).toEqual(['A', '2:A', '2:A', '2:A']);
  });

  it('knows speakers by the same names if an earlier piece is transcribed in halves', async () => {
    const said = (speaker: string, start = 20): Reply => ({
      json: { text: 'слова', segments: [{ speaker, start, end: start + 15, text: 'слова' }] },
    });
    const fails: Reply = { status: 500, headers: { 'retry-after-ms': '1' }, raw: '' };
    const busy: Reply = { status: 429, headers: { 'retry-after': '120' }, raw: '' };
    const first = [said('A'), fails, fails, said('A', 70), said('known_2')];
    const replies = [...first, fails, fails, said('B'), busy, said('A')];
    server.script('/audio/transcriptions', (_, index) => replies[index]);
    const context = { ...rememberingContext(), item: 'item' };
    const begin = (acceptsGaps: boolean) =>
      speech('gpt-4o-transcribe-diarize', { pieceSec: 72 }).run(medium, { ...context, acceptsGaps });
    expect(await failureOf(begin(false))).toMatchObject({ code: 'provider_unavailable' });
    expect(await failureOf(begin(true))).toMatchObject({ code: 'provider_rate_limited' });
    const { value } = await begin(true);
    expect(server.requests).toHaveLength(replies.length);
    expect(value.segments.map(({ speaker }) => speaker)).toEqual(['A', '2.1:B', '2.2:A', '3:A', '3:A']);
  });

  it('says so if even half a minute is too large, and does not try the rest', async () => {
    server.script('/audio/transcriptions', () => TOO_LARGE);
    expect(await failureOf(speech().run(long, callContext()))).toMatchObject({
      kind: 'permanent',
      code: 'provider_input_too_large',
    });
    expect(Math.min(...(await lengths()))).toBeLessThanOrEqual(30);
    expect(server.requests.length).toBeLessThan(10);
  });

  it('sends no pieces longer than it is told', async () => {
    const { value } = await speech('gpt-4o-transcribe-diarize', { pieceSec: 40 }).run(medium, callContext());
    expect(Math.max(...(await lengths()))).toBeLessThanOrEqual(40);
    expect(value.segments.length).toBeGreaterThan(3);
  });
});
