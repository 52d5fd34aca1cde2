import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CODECS } from '../../../../activities/media/containers/ffmpegInput.ts';
import { openWorkshop, type Workshop } from '../samples.ts';

const run = promisify(execFile);
let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop?.close());

describe('a stream that cannot be read', () => {
  const SOUNDS = '-f lavfi -i testsrc2=s=64x64:r=5:d=2 -f lavfi -i sine=r=48000:d=2';

  it('does not hide another one', async () => {
    await workshop.make(
      `${SOUNDS} -map 0 -map 1 -map 1 -c:v libx264 -c:a:0 truehd -strict -2 -ac:a:0 2 -c:a:1 ac3 -disposition:a:0 default film.mkv`,
    );
    expect(await workshop.analyse('film.mkv', 'video')).toMatchObject({ audio: 'audio.flac', warnings: [] });
  });

  it('costs a video only its sound, and a recording everything', async () => {
    await workshop.make(`${SOUNDS} -c:v libx264 -pix_fmt yuv420p -c:a nellymoser -ar 22050 -ac 1 old.flv`);
    const { audio, warnings, frames } = await workshop.analyse('old.flv', 'video');
    expect([audio, warnings]).toEqual([null, ['audio_unreadable']]);
    expect(frames.length).toBeGreaterThan(1);
    const unsupported = { code: 'unsupported_media', detail: 'nellymoser', permanent: true };
    await expect(workshop.analyse('old.flv', 'audio')).rejects.toMatchObject(unsupported);
  });
});

it('ffmpeg has a listed decoder for each listed codec', async () => {
  const { stdout } = await run(workshop.ffmpeg, ['-hide_banner', '-codecs']);
  const decoders = new Map(
    stdout.split('\n').flatMap((line) => {
      const name = /^ D.{5} (\S+)/.exec(line)?.[1];
      const own = /\(decoders: ([^)]+)\)/.exec(line)?.[1] ?? name;
      return name === undefined ? [] : [[name, new Set(own?.split(' '))] as const];
    }),
  );
  for (const [codec, listed] of Object.values(CODECS).flatMap((codecs) => Object.entries(codecs)))
    expect([codec, listed.some((decoder) => decoders.get(codec)?.has(decoder))]).toEqual([codec, true]);
});
