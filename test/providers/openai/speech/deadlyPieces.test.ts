/** Pieces of a recording that a server cannot read, or that bring it down for a while. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createOpenAiSpeech } from '../../../../providers/openai/index.ts';
import type { CallContext, SpeechInput, Transcript } from '../../../../providers/types.ts';
import { ffmpegPath } from '../../../support/programs/ffmpeg.ts';
import { readFlac } from '../../../support/openai/openaiChecks.ts';
import {
  startOpenAiServer,
  type OpenAiServer,
  type Received,
  type Reply,
} from '../../../support/openai/openaiServer.ts';
import { makeAudio, type Part } from './audio.ts';
import { measuredOf, once } from './once.ts';
import { failureOf, rememberingContext } from '../support.ts';

const PIECE_SEC = 80;
/** In the recording `both`, each half of one piece of this length has a loud part. */
const LONG_PIECE_SEC = 160;
const FILES = ['adjacent', 'apart', 'both', 'one', 'scattered', 'short'];

let ffmpeg: string;
let dir: string;
let server: OpenAiServer;
beforeAll(async () => {
  ffmpeg = await ffmpegPath();
  dir = await mkdtemp(join(tmpdir(), 'attune-speech-'));
  // The server fails for the loud parts.
  await makeAudio(ffmpeg, join(dir, 'one.flac'), [
    ['sound', 130],
    ['loud', 3],
    ['sound', 207],
  ]);
  await makeAudio(ffmpeg, join(dir, 'adjacent.flac'), [
    ['sound', 100],
    ['loud', 3],
    ['sound', 40],
    ['loud', 3],
    ['sound', 194],
  ]);
  await makeAudio(ffmpeg, join(dir, 'apart.flac'), [
    ['sound', 100],
    ['loud', 3],
    ['sound', 157],
    ['loud', 3],
    ['sound', 77],
  ]);
  await makeAudio(ffmpeg, join(dir, 'both.flac'), [
    ['sound', 130],
    ['loud', 3],
    ['sound', 67],
    ['loud', 3],
    ['sound', 137],
  ]);
  await makeAudio(
    ffmpeg,
    join(dir, 'scattered.flac'),
    [0, 1, 2, 3].flatMap((): Part[] => [
      ['sound', 100],
      ['loud', 3],
      ['sound', 37],
    ]),
  );
  await makeAudio(ffmpeg, join(dir, 'short.flac'), [
    ['sound', 55],
    ['loud', 3],
    ['sound', 12],
  ]);
});
afterAll(() => rm(dir, { recursive: true }));
beforeEach(async () => {
  server = await startOpenAiServer();
});
afterEach(async () => {
  expect(server.violations).toEqual([]);
  await server.close();
  expect(await readdir(dir)).toEqual(FILES.map((name) => `${name}.flac`));
});

const FAILURE: Reply = { status: 500, headers: { 'retry-after-ms': '1' }, raw: '' };
const CRASH: Reply = { isCrash: true };
const PATIENT = { acceptsGaps: true };
const LAST = { acceptsGaps: true, isLastTry: true, isLastAttempt: true };

/** Each piece of sound is decoded once: most attempts send the same pieces again. */
const loudness = new Map<string, Promise<boolean>>();

async function transcribe(name: string, context: CallContext) {
  const capability = createOpenAiSpeech({
    baseUrl: server.baseUrl,
    apiKey: 'test-key',
    model: 'whisper-1',
    ffmpegPath: ffmpeg,
    workDir: dir,
    requestTimeoutMs: 60_000,
    pieceSec: name === 'both' ? LONG_PIECE_SEC : PIECE_SEC,
    retryMs: 1,
  });
  const audioPath = join(dir, `${name}.flac`);
  const measured = await measuredOf(ffmpeg, audioPath);
  const input: SpeechInput = { audioPath, subtitlesPath: null, durationSec: 340, language: null, measured };
  return capability.run(input, context);
}

async function isLoud({ form }: Received): Promise<boolean> {
  const file = form?.get('file');
  if (!(file instanceof File)) return false;
  const flac = await file.bytes();
  return once(loudness, createHash('sha256').update(flac).digest('hex'), async () => {
    const sound = await decoded(flac);
    return new Int16Array(sound.buffer, sound.byteOffset, sound.byteLength >> 1).some((level) => level > 10_000);
  });
}

function decoded(flac: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      ffmpeg,
      ['-v', 'error', '-i', 'pipe:0', '-f', 's16le', 'pipe:1'],
      { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 },
      (error, stdout) => (error ? reject(error) : resolve(Buffer.from(stdout))),
    );
    child.stdin?.end(flac);
  });
}

/** Answers with one segment over the whole piece. */
async function transcript({ form }: Received): Promise<Reply> {
  const file = form?.get('file');
  const seconds = file instanceof File ? ((await readFlac(file))?.seconds ?? 0) : 0;
  return { json: { text: 'слова', segments: [{ start: 0, end: seconds, text: 'слова' }] } };
}

/** Fails for loud pieces. */
const cannotRead = async (request: Received): Promise<Reply> =>
  (await isLoud(request)) ? FAILURE : transcript(request);

/** Scripts a server that crashes at a loud piece, and after that refuses `refusals` connections. */
function crashing(refusals: number) {
  let left = 0;
  let crashes = 0;
  const refuse = (): Reply | undefined => (left-- > 0 ? CRASH : undefined);
  server.script('/models', refuse);
  server.script('/audio/transcriptions', async (request) => {
    const refused = refuse();
    if (refused) return refused;
    if (!(await isLoud(request))) return transcript(request);
    [left, crashes] = [refusals, crashes + 1];
    return CRASH;
  });
  return { crashes: () => crashes };
}

/** Where the loud parts of each recording begin. */
const MARKS: Readonly<Record<string, number[]>> = {
  adjacent: [100, 143],
  apart: [100, 260],
  both: [130, 200],
  one: [130],
  scattered: [100, 240, 380, 520],
  short: [55],
};

/** Returns how many seconds are missing, and requires that each gap has a loud part. */
function missing(name: string, { segments }: Transcript, durationSec: number): number {
  const gaps = [...segments, { start: durationSec, end: durationSec }].flatMap(({ start }, at) => {
    const from = segments[at - 1]?.end ?? 0;
    return start - from > 0.1 ? [{ from, to: start }] : [];
  });
  for (const { from, to } of gaps) expect(MARKS[name]?.some((mark) => from < mark + 3 && mark < to)).toBe(true);
  return gaps.reduce((sum, { from, to }) => sum + to - from, 0);
}

describe('a piece that the server can never read', () => {
  it.each([
    ['is', 'one', 30],
    ['and its neighbour are', 'adjacent', 60],
  ])('%s halved until only half a minute is missing, once the caller accepts gaps', async (_, name, most) => {
    server.script('/audio/transcriptions', cannotRead);
    const context = rememberingContext();
    expect(await failureOf(transcribe(name, context))).toMatchObject({ code: 'provider_unavailable' });
    const { value, warnings } = await transcribe(name, { ...context, ...PATIENT });
    expect(value.isPartial).toBe(true);
    expect(missing(name, value, 340)).toBeLessThanOrEqual(most);
    expect(warnings).toEqual([`failed_pieces:${most / 30}`]);
  });

  it('is halved if it is the whole recording', async () => {
    server.script('/audio/transcriptions', cannotRead);
    const { value } = await transcribe('short', { ...rememberingContext(), ...PATIENT });
    expect(missing('short', value, 70)).toBeLessThanOrEqual(30);
  });
});

describe('a piece that brings the server down', () => {
  it.each([
    ['alone', 'one', 30],
    ['with its neighbour', 'adjacent', 60],
  ])(
    'stops the attempt if the server stays down for longer than a retry takes, and is halved later, %s',
    async (_, name, most) => {
      const { crashes } = crashing(5);
      const context = rememberingContext();
      expect(await failureOf(transcribe(name, context))).toMatchObject({ kind: 'retryable' });
      expect(crashes()).toBe(1);
      const { value, warnings } = await transcribe(name, { ...context, ...PATIENT });
      expect(missing(name, value, 340)).toBeLessThanOrEqual(most);
      expect(warnings).toEqual([`failed_pieces:${most / 30}`]);
      expect(crashes()).toBeLessThanOrEqual((most / 30) * 5 + 1);
    },
  );

  it('is not sent whole again after its halves were transcribed', async () => {
    const { crashes } = crashing(2);
    const context = rememberingContext();
    await transcribe('one', { ...context, ...PATIENT });
    const before = crashes();
    const { usage } = await transcribe('one', { ...context, ...PATIENT });
    expect(usage.audioSeconds).toBe(0);
    // Only the shortest part is tried: once, and once more after the others.
    expect(crashes() - before).toBeLessThanOrEqual(2);
  });
});

describe('several parts that the server cannot read', () => {
  const recordings = [
    ['apart', 340, 2],
    ['both', 340, 2],
    ['scattered', 560, 4],
  ] as const;
  const servers = [
    ['fails', () => server.script('/audio/transcriptions', cannotRead)],
    ['crashes', () => crashing(2)],
  ] as const;

  it.each(servers.flatMap(([kind, start]) => recordings.map((recording) => [...recording, kind, start] as const)))(
    'cost only half a minute each: %s (%d s, %d parts), if the server %s',
    async (name, durationSec, marks, _, start) => {
      start();
      const context = rememberingContext();
      for (const _attempt of [1, 2, 3]) await failureOf(transcribe(name, context));
      const { value, warnings } = await transcribe(name, { ...context, ...PATIENT });
      expect(missing(name, value, durationSec)).toBeLessThanOrEqual(marks * 30);
      expect(warnings).toEqual([`failed_pieces:${marks}`]);
    },
  );

  it('do not hide that the server has gone down meanwhile', async () => {
    server.script('/audio/transcriptions', cannotRead);
    const context = rememberingContext();
    for (const _attempt of [1, 2, 3]) await failureOf(transcribe('apart', context));
    server.script('/audio/transcriptions', () => FAILURE);
    const before = server.requests.length;
    expect(await failureOf(transcribe('apart', { ...context, ...PATIENT }))).toMatchObject({
      code: 'provider_unavailable',
    });
    expect(server.requests.length - before).toBeLessThanOrEqual(12);
    const { value } = await transcribe('apart', { ...context, ...LAST });
    expect(value.segments.length).toBeGreaterThan(1);
  });
});

describe('a server that does not come back', () => {
  const goesAway = () => {
    server.script('/models', () => CRASH);
    server.script('/audio/transcriptions', (request, index) => (index === 0 ? transcript(request) : CRASH));
  };

  it('stops the attempt, so that the step is deferred', async () => {
    goesAway();
    const context = { ...rememberingContext(), ...PATIENT };
    expect(await failureOf(transcribe('one', context))).toMatchObject({
      kind: 'retryable',
      code: 'provider_unreachable',
    });
    expect(server.requests.filter(({ endpoint }) => endpoint === '/audio/transcriptions')).toHaveLength(3);
  });

  it('does not lose what was read before, in the last try', async () => {
    goesAway();
    const context = rememberingContext();
    await failureOf(transcribe('one', { ...context, ...PATIENT }));
    const { value, warnings } = await transcribe('one', { ...context, ...LAST });
    expect(value.segments).toHaveLength(1);
    expect(value.isPartial).toBe(true);
    expect(warnings).toHaveLength(1);
  });
});
