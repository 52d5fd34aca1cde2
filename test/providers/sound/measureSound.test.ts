/** Tests how much of a recording counts as heard if only its subtitles are read. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../config.ts';
import { createProviders } from '../../../providers/setup/createProviders.ts';
import type { SpeechCapability } from '../../../providers/types.ts';
import { ffmpegPath } from '../../support/programs/ffmpeg.ts';
import { makeAudio } from '../openai/speech/audio.ts';
import { callContext } from '../openai/support.ts';

let dir: string;
let workDir: string;
let speech: SpeechCapability | undefined;
let close: () => Promise<void>;

beforeAll(async () => {
  const ffmpeg = await ffmpegPath();
  dir = await mkdtemp(join(tmpdir(), 'attune-sound-'));
  workDir = await mkdtemp(join(tmpdir(), 'attune-work-'));
  const env = { DATABASE_URL: 'postgres://x@localhost/x', SECRET_KEY: 'x'.repeat(32), REQUIRE_HTTPS: 'false' };
  // Without a detector every loud second counts as speech.
  const made = await createProviders({ ...loadConfig(env), ffmpegPath: ffmpeg, workDir, voiceModelDir: null });
  speech = made.providers.speech;
  close = made.close;
  await makeAudio(ffmpeg, join(dir, 'loud.flac'), [['sound', 90]]);
  await makeAudio(ffmpeg, join(dir, 'still.flac'), [
    ['sound', 4],
    ['silence', 86],
  ]);
  await writeFile(join(dir, 'damaged.flac'), 'no sound');
  await writeFile(join(dir, 'a.vtt'), 'WEBVTT\n\n00:01.000 --> 00:03.000\nДобрый вечер!\n');
});
afterAll(async () => {
  await close();
  expect(await readdir(workDir)).toEqual([]);
  await rm(dir, { recursive: true });
  await rm(workDir, { recursive: true });
});

describe('a single caption', () => {
  it.each([
    ['leaves the rest of a loud recording unheard', 'loud', true],
    ['covers everything said in an otherwise silent recording', 'still', undefined],
    ['does not make an unreadable recording count as heard', 'damaged', true],
  ])('%s', async (_what, name, isPartial) => {
    const input = { subtitlesPath: join(dir, 'a.vtt'), durationSec: 90, language: null };
    const result = await speech?.run({ ...input, audioPath: join(dir, `${name}.flac`) }, callContext());
    expect(result?.value).toMatchObject({ text: 'Добрый вечер!', language: 'ru' });
    expect(result?.value.isPartial).toBe(isPartial);
  });
});
