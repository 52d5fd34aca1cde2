import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createOpenAiSpeech } from '../../../../providers/openai/index.ts';
import type { CallContext } from '../../../../providers/types.ts';
import { startOpenAiServer, type OpenAiServer, type Reply } from '../../../support/openai/openaiServer.ts';
import { ffmpegPath } from '../../../support/programs/ffmpeg.ts';
import { callContext } from '../support.ts';
import { makeAudio } from './audio.ts';

const HINT = 'О музее, Анна Бергер';
const SAID: Reply = { json: { language: 'russian', text: 'Да.', segments: [{ start: 0, end: 1, text: 'Да.' }] } };

let ffmpeg: string;
let dir: string;
let server: OpenAiServer;
beforeAll(async () => {
  ffmpeg = await ffmpegPath();
  dir = await mkdtemp(join(tmpdir(), 'attune-hints-'));
  await makeAudio(ffmpeg, join(dir, 'short.flac'), [['sound', 8]]);
});
afterAll(() => rm(dir, { recursive: true }));
beforeEach(async () => {
  server = await startOpenAiServer();
});
afterEach(async () => {
  expect(server.violations).toEqual([]);
  await server.close();
});

function speech(model: string) {
  const { baseUrl } = server;
  const capability = createOpenAiSpeech({
    baseUrl,
    apiKey: 'test-key',
    model,
    requestTimeoutMs: 60_000,
    ffmpegPath: ffmpeg,
    workDir: dir,
  });
  const input = { audioPath: join(dir, 'short.flac'), subtitlesPath: null, durationSec: 8, language: null, hint: HINT };
  return (context: CallContext = callContext()) => capability.run(input, context);
}

const sent = (name: string): unknown[] => server.requests.map(({ form }) => form?.get(name) ?? null);

describe('speech with the names of a recording as a hint', () => {
  it.each([
    ['whisper-1', HINT],
    ['gpt-4o-transcribe', HINT],
    ['gpt-4o-transcribe-diarize', null],
  ])('has the hint in its prompt if the model accepts one: %s', async (model, prompt) => {
    await speech(model)();
    expect(sent('prompt')).toEqual([prompt]);
    expect(sent('language')).toEqual([null]);
  });

  it('continues without the hint if the server refuses it, and soon stops sending it', async () => {
    const refusal: Reply = { status: 400, json: { error: { message: 'Unknown parameter: prompt' } } };
    server.script('/audio/transcriptions', ({ form }) => (form?.has('prompt') ? refusal : SAID));
    const transcribe = speech('whisper-1');
    // A check, which teaches nothing, and three items.
    for (const [requests, item] of [[2], [2, 'a'], [2, 'b'], [1, 'c']] as const) {
      const before = server.requests.length;
      const { value } = await transcribe({ ...callContext(), ...(item && { item }) });
      expect(value.text).toBe('Да.');
      expect(server.requests.length - before).toBe(requests);
    }
    expect(sent('response_format')).toEqual(Array(7).fill('verbose_json'));
  });
});
