import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CODECS, inputArgs } from '../../../../activities/media/containers/ffmpegInput.ts';
import { DEFAULT_LIMITS } from '../../../../activities/media/medium/mediaLimits.ts';
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

/** Returns whether ffmpeg decodes all of a file with the options of a stranger's file. */
async function decodes(file: string, demuxer: string, limits = DEFAULT_LIMITS): Promise<boolean> {
  const args = ['-nostdin', '-xerror', ...inputArgs(workshop.path(file), demuxer, limits), '-f', 'null', '-'];
  return run(workshop.ffmpeg, args).then(
    () => true,
    () => false,
  );
}

// A list of files is refused by its type before ffmpeg reads it; these options would hold even if it were not.
describe('the options of a stranger’s file', () => {
  it('let it reach no server', async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      await workshop.write('list.m3u8', `#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:${port}/a.ts\n#EXT-X-ENDLIST\n`);
      expect(await decodes('list.m3u8', 'hls')).toBe(false);
      expect(requests).toBe(0);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('let it open no file of another format', async () => {
    await workshop.make('-f lavfi -i sine=d=1 tone.wav');
    await workshop.write('list.txt', "ffconcat version 1.0\nfile 'tone.wav'\n");
    expect(await decodes('tone.wav', 'wav')).toBe(true);
    expect(await decodes('list.txt', 'concat')).toBe(false);
  });

  it('let it use no codec that is not listed', async () => {
    await workshop.make('-f lavfi -i sine=r=22050:d=1 -c:a nellymoser -ac 1 nelly.flv');
    await workshop.make('-f lavfi -i sine=r=22050:d=1 -c:a libmp3lame -ac 1 mp3.flv');
    expect(await decodes('mp3.flv', 'flv')).toBe(true);
    expect(await decodes('nelly.flv', 'flv')).toBe(false);
  });

  it('bound the pixels of a picture, and every allocation', async () => {
    await workshop.make('-f lavfi -i testsrc2=s=320x180:r=5:d=1 -c:v libx264 -pix_fmt yuv420p small.mp4');
    expect(await decodes('small.mp4', 'mov', { ...DEFAULT_LIMITS, videoPixels: 320 * 192 })).toBe(true);
    expect(await decodes('small.mp4', 'mov', { ...DEFAULT_LIMITS, videoPixels: 320 * 180 - 1 })).toBe(false);
    expect(await decodes('small.mp4', 'mov', { ...DEFAULT_LIMITS, maxAlloc: 10_000 })).toBe(false);
  });

  it('name the number of threads', () => {
    const args = inputArgs('/a.mp4', 'mov', DEFAULT_LIMITS);
    expect(args.slice(args.indexOf('-threads'), args.indexOf('-i'))).toContain('2');
    expect(args.indexOf('-threads')).toBeGreaterThan(-1);
  });
});
