import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VoiceDetectorError } from '../../../providers/errors.ts';
import { createVoiceDetector } from '../../../providers/builtin/voice.ts';
import type { CallContext } from '../../../providers/types.ts';
import { testVoiceModel } from '../../support/programs/engines.ts';
import { ffmpegPath } from '../../support/programs/ffmpeg.ts';

const run = promisify(execFile);
const context: CallContext = { signal: new AbortController().signal, progress: () => undefined };
/** Synthesised speech; 27 s. */
const ANNOUNCEMENT = join(import.meta.dirname, '../../../tools/samples/announcement.mp3');

let dir: string;
let detector: ReturnType<typeof createVoiceDetector>;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'attune-voices-'));
  detector = createVoiceDetector(await testVoiceModel());
});
afterAll(async () => {
  await detector.close();
  await rm(dir, { recursive: true });
});

async function pcm(name: string, ...input: string[]): Promise<string> {
  const path = join(dir, `${name}.pcm`);
  const output = ['-ac', '1', '-ar', '16000', '-c:a', 'pcm_s16le', '-f', 's16le', '-y', path];
  await run(await ffmpegPath(), ['-nostdin', '-v', 'error', ...input, ...output]);
  return path;
}

async function* list(...paths: string[]): AsyncGenerator<string> {
  yield* paths;
}

describe('voices', () => {
  it('are found in speech, at their times', async () => {
    const silence = await pcm('silence', '-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono:d=8.192');
    const speech = await pcm('speech', '-i', ANNOUNCEMENT);
    const spans = await detector.findVoices(list(silence, speech, silence), context);
    expect(spans.length).toBeGreaterThan(3);
    expect(spans[0]?.start).toBeGreaterThan(8.1);
    expect(spans[0]?.start).toBeLessThan(8.6);
    expect(spans.at(-1)?.end).toBeLessThan(8.192 + 28);
    const spoken = spans.reduce((sum, { start, end }) => sum + end - start, 0);
    expect(spoken).toBeGreaterThan(20);
  });

  it.each([
    ['a tone', 'sine=frequency=300:sample_rate=16000:duration=12'],
    ['noise', 'anoisesrc=color=pink:sample_rate=16000:duration=12:seed=1'],
    ['chords', 'aevalsrc=0.2*(sin(2*PI*220*t)+sin(2*PI*277*t)+sin(2*PI*330*t))*(1-mod(t\\,0.5)):s=16000:d=12'],
  ])('are not found in %s', async (name, source) => {
    const path = await pcm(name.replace(' ', '-'), '-f', 'lavfi', '-i', source);
    expect(await detector.findVoices(list(path), context)).toEqual([]);
  });

  it('cannot be found without the file', async () => {
    const broken = createVoiceDetector('/nowhere');
    const path = await pcm('second', '-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono:d=1');
    await expect(broken.findVoices(list(path), context)).rejects.toBeInstanceOf(VoiceDetectorError);
    await broken.close();
  });

  it('are no longer searched when the caller cancels', async () => {
    const controller = new AbortController();
    const path = await pcm('long', '-f', 'lavfi', '-i', 'anoisesrc=sample_rate=16000:duration=200:seed=2');
    const job = detector.findVoices(list(path, path, path), { ...context, signal: controller.signal });
    setTimeout(() => controller.abort(new Error('cancelled')), 30);
    await expect(job).rejects.toThrow('cancelled');
  });
});
