/** A fake server of speech recognition, and recordings in a folder in which nobody can write. */
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { createOpenAiSpeech, type OpenAiSpeechOptions } from '../../../../providers/openai/index.ts';
import type { SpeechInput, SpeechCapability } from '../../../../providers/types.ts';
import { readFlac } from '../../../support/openai/openaiChecks.ts';
import { startOpenAiServer, type OpenAiServer } from '../../../support/openai/openaiServer.ts';
import { ffmpegPath } from '../../../support/programs/ffmpeg.ts';
import { makeAudio } from './audio.ts';

/**
 * Speakers are told apart in pieces of at most this many seconds; pieces of ten minutes take longer to make and to
 * read.
 */
export const TALK_PIECE_SEC = 240;

/**
 * `long` is cut into two pieces of at most ten minutes, `talk` into two of at most `TALK_PIECE_SEC`, and `medium` into
 * three of at most one minute.
 */
const RECORDINGS = {
  short: [['sound', 8]],
  silent: [['silence', 12]],
  long: [
    ['sound', 540],
    ['silence', 2],
    ['sound', 118],
  ],
  talk: [
    ['sound', 180],
    ['silence', 2],
    ['sound', 118],
  ],
  medium: [
    ['sound', 50],
    ['silence', 2],
    ['sound', 58],
    ['silence', 3],
    ['sound', 37],
  ],
} satisfies Record<string, Parameters<typeof makeAudio>[2]>;

export interface SpeechStage {
  ffmpeg: string;
  /** The folder of the recordings. */
  dir: string;
  workDir: string;
  /** A new one in each test. */
  server: OpenAiServer;
  speech(model?: string, options?: Partial<OpenAiSpeechOptions>): SpeechCapability;
  input(name: string, language?: string | null): SpeechInput;
  /** Returns the seconds of sound in each request. */
  lengths(): Promise<number[]>;
}

export function stageSpeech(...names: (keyof typeof RECORDINGS)[]): SpeechStage {
  const stage = {
    speech: (model = 'whisper-1', options = {}) =>
      createOpenAiSpeech({
        baseUrl: stage.server.baseUrl,
        apiKey: 'test-key',
        model,
        ffmpegPath: stage.ffmpeg,
        workDir: stage.workDir,
        requestTimeoutMs: 60_000,
        ...options,
      }),
    input: (name, language = null) => ({
      audioPath: join(stage.dir, `${name}.flac`),
      subtitlesPath: null,
      durationSec: 8,
      language,
    }),
    lengths: () =>
      Promise.all(
        stage.server.requests.map(async ({ form }) => {
          const file = form?.get('file');
          return file instanceof File ? ((await readFlac(file))?.seconds ?? 0) : 0;
        }),
      ),
  } as SpeechStage;

  beforeAll(async () => {
    stage.ffmpeg = await ffmpegPath();
    stage.dir = await mkdtemp(join(tmpdir(), 'attune-speech-'));
    stage.workDir = await mkdtemp(join(tmpdir(), 'attune-work-'));
    for (const name of names) await makeAudio(stage.ffmpeg, join(stage.dir, `${name}.flac`), RECORDINGS[name]);
    await chmod(stage.dir, 0o555); // like the blob store of an installation's worker
  });
  afterAll(async () => {
    await chmod(stage.dir, 0o755);
    await rm(stage.dir, { recursive: true });
    await rm(stage.workDir, { recursive: true });
  });
  beforeEach(async () => {
    stage.server = await startOpenAiServer();
  });
  afterEach(async () => {
    expect(stage.server.violations).toEqual([]);
    await stage.server.close();
    expect(await readdir(stage.workDir)).toEqual([]);
  });
  return stage;
}
