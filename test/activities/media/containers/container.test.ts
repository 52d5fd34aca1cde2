import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { Workshop } from '../samples.ts';
import { openVideoWorkshop, times } from './videoWorkshop.ts';

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openVideoWorkshop();
});
afterAll(() => workshop?.close());

describe('a video', () => {
  it('yields frames, sound and its dimensions, and leaves nothing else in the folder', async () => {
    const { outDir, ...found } = await workshop.analyse('a.mp4', 'video');
    expect(found).toMatchObject({
      width: 320,
      height: 180,
      truncated: false,
      audio: 'audio.flac',
      subtitles: null,
      chapters: null,
      warnings: [],
    });
    expect(found.durationSec).toBeCloseTo(6, 1);
    expect(times(found.frames)).toEqual([0, expect.closeTo(3, 1), expect.closeTo(5.9, 1)]);
    expect((await readdir(outDir)).sort()).toEqual(['audio.flac', ...found.frames.map(({ file }) => file)].sort());
    const picture = await sharp(join(outDir, found.frames[0]?.file ?? '')).metadata();
    expect(picture).toMatchObject({ format: 'jpeg', width: 320, height: 180 });
  });

  it('whose container states no duration has its duration measured', async () => {
    await workshop.make('-i a.mp4 -c:v libvpx -deadline realtime -c:a libvorbis -live 1 live.webm');
    const { durationSec, truncated, frames } = await workshop.analyse('live.webm', 'video');
    expect(durationSec).toBeCloseTo(6, 0);
    expect(truncated).toBe(false);
    expect(times(frames)[1]).toBeCloseTo(3, 0);
  });

  // proves: decisions-media/duration
  it('longer than the limit is read up to the limit and flagged', async () => {
    const { truncated, durationSec, frames } = await workshop.analyse('a.mp4', 'video', { limits: { durationSec: 3 } });
    expect({ truncated, durationSec }).toEqual({ truncated: true, durationSec: expect.closeTo(6, 1) });
    expect(Math.max(...times(frames))).toBeLessThan(3);
  });

  it('reports progress of each stage', async () => {
    const stages = new Set<string>();
    await workshop.analyse('a.mp4', 'video', { onProgress: ({ stage }) => stages.add(stage) });
    expect([...stages]).toEqual(['probe', 'decode', 'frames']);
  });
});

describe('a container with a wrong duration', () => {
  /** Changes the duration that the head of a Matroska file states, in milliseconds. */
  const stating = async (name: string, ms: number) => {
    const bytes = Buffer.from(await readFile(workshop.path('stated.mkv')));
    const durationId = Buffer.from([0x44, 0x89, 0x88]);
    bytes.writeDoubleBE(ms, bytes.indexOf(durationId) + durationId.length);
    await workshop.write(name, bytes);
    return await workshop.analyse(name, 'video');
  };

  it('has the length of what it contains', async () => {
    await workshop.make(
      '-f lavfi -i testsrc2=s=64x64:r=5:d=20 -f lavfi -i sine=d=20 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac stated.mkv',
    );
    for (const ms of [9e15, 180 * 86_400_000, 100]) {
      const { durationSec, truncated, frames } = await stating('wrong.mkv', ms);
      expect([ms, durationSec, truncated]).toEqual([ms, expect.closeTo(20, 0), false]);
      expect(frames.length).toBeGreaterThan(5);
    }
  });

  it('has the length of what it contains even if its parts were joined with their old times', async () => {
    const part = '-f lavfi -i testsrc2=s=64x64:r=5:d=10 -c:v libx264 -preset ultrafast -pix_fmt yuv420p';
    await workshop.make(`${part} first.ts`);
    await workshop.make(`${part} -output_ts_offset 50000 second.ts`);
    const parts = await Promise.all(['first.ts', 'second.ts'].map((name) => readFile(workshop.path(name))));
    await workshop.write('joined.ts', Buffer.concat(parts));
    const { durationSec, truncated, frames } = await workshop.analyse('joined.ts', 'video');
    expect([durationSec, truncated]).toEqual([expect.closeTo(20, 0), false]);
    expect(frames.length).toBeGreaterThan(5);
  });
});

describe('a bad or unusual medium', () => {
  const refused = async (name: string, code: string, limits = {}) => {
    const outDir = await workshop.outDir();
    await expect(workshop.analyse(name, 'video', { outDir, limits })).rejects.toMatchObject({
      name: 'MediaError',
      code,
      permanent: true,
    });
    expect(await readdir(outDir)).toEqual([]);
    expect(await workshop.processes()).toEqual([]);
  };

  it('that is cut before its index is refused', async () => {
    const whole = await readFile(workshop.path('a.mp4'));
    await workshop.write('cut.mp4', whole.subarray(0, whole.length / 2));
    await refused('cut.mp4', 'media_truncated');
  });

  it('that is cut after its index is read as far as possible and flagged', async () => {
    await workshop.make('-i a.mp4 -c copy -movflags +faststart front.mp4');
    const whole = await readFile(workshop.path('front.mp4'));
    await workshop.write('cut-front.mp4', whole.subarray(0, whole.length / 3));
    const { truncated, durationSec, frames } = await workshop.analyse('cut-front.mp4', 'video');
    expect(truncated).toBe(true);
    expect(durationSec).toBeLessThan(4);
    expect(frames.length).toBeGreaterThan(0);
  });

  it('with only a header and noise is refused', async () => {
    const whole = await readFile(workshop.path('a.mp4'));
    await workshop.write('noise.mp4', Buffer.concat([whole.subarray(0, 40), Buffer.alloc(50_000, 0xa5)]));
    await refused('noise.mp4', 'media_truncated');
  });

  // proves: decisions-media/decoder
  it('with more than 32 streams is refused', async () => {
    const make = (sounds: number, name: string) =>
      workshop.make(
        `-f lavfi -i sine=d=0.2 -f lavfi -i testsrc2=s=32x32:d=0.2 ${'-map 0 '.repeat(sounds)}-map 1 ${name}`,
      );
    await make(32, 'many.mkv');
    await refused('many.mkv', 'too_many_streams');
    await make(31, 'most.mkv');
    expect(await workshop.analyse('most.mkv', 'video')).toMatchObject({ width: 32, warnings: [] });
  });

  it('may have any number of fonts attached', async () => {
    await workshop.write('font.ttf', Buffer.alloc(1_000, 7));
    await workshop.make(
      `-i a.mp4 -c copy ${'-attach font.ttf '.repeat(40)}-metadata:s:t mimetype=application/x-truetype-font fonts.mkv`,
    );
    expect(await workshop.analyse('fonts.mkv', 'video')).toMatchObject({ width: 320, warnings: [] });
  });

  it('with a picture that is too large is refused before it is decoded', async () => {
    await refused('a.mp4', 'resolution_too_large', { videoPixels: 320 * 180 - 1 });
  });

  it('that changes its size midway keeps its times', async () => {
    await workshop.make(
      '-f lavfi -i testsrc2=s=320x180:r=10:d=4 -c:v libx264 -preset ultrafast -pix_fmt yuv420p small.ts',
    );
    await workshop.make(
      '-f lavfi -i mandelbrot=s=640x360:r=10 -t 4 -output_ts_offset 4 -c:v libx264 -preset ultrafast -pix_fmt yuv420p big.ts',
    );
    await workshop.write(
      'changing.ts',
      Buffer.concat([await readFile(workshop.path('small.ts')), await readFile(workshop.path('big.ts'))]),
    );
    const { frames } = await workshop.analyse('changing.ts', 'video');
    expect(Math.max(...times(frames))).toBeGreaterThan(6);
    expect(frames.length).toBeLessThan(12);
  });

  // proves: decisions-media/decoder
  it('that takes too long has its decoder ended at the limit', async () => {
    await workshop.make(
      '-f lavfi -i testsrc2=s=1920x1080:r=30:d=2 -c:v libx264 -preset ultrafast -pix_fmt yuv420p short.mkv',
    );
    await workshop.make('-stream_loop 100 -i short.mkv -c copy poison.mkv');
    await refused('poison.mkv', 'processing_timeout', { extractMs: 400, extractShare: 0 });
    await refused('poison.mkv', 'processing_timeout', { probeMs: 1 });
  });

  it('is not blamed when the decoder is missing', async () => {
    await expect(workshop.analyse('a.mp4', 'video', { ffmpegPath: '/nowhere/ffmpeg' })).rejects.toMatchObject({
      code: 'decoder_unavailable',
      permanent: false,
    });
  });
});
