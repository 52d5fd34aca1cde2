import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { openWorkshop, slidePgm, type Workshop } from '../samples.ts';
import { times } from './videoWorkshop.ts';

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop?.close());

describe('a video', () => {
  // proves: decisions-media/frames
  it('is scaled down to 1024 pixels with its pixel aspect ratio applied', async () => {
    await workshop.make(
      '-f lavfi -i testsrc2=s=1440x1080:r=5:d=1 -vf setsar=4/3 -c:v libx264 -preset ultrafast wide.mp4',
    );
    const { outDir, frames, width, height } = await workshop.analyse('wide.mp4', 'video');
    expect(await sharp(join(outDir, frames[0]?.file ?? '')).metadata()).toMatchObject({ width: 1024, height: 576 });
    expect({ width, height }).toEqual({ width: 1920, height: 1080 });
  });

  it('that changes its size and shape keeps the shape of each picture, inside the size of the first', async () => {
    const scenes = [
      ['lying.ts', '640x360', 'red'],
      ['larger.ts', '1280x720', 'green'],
      ['smaller.ts', '320x180', 'yellow'],
      ['standing.ts', '360x640', 'blue'],
    ];
    for (const [name, size, colour] of scenes)
      await workshop.make(
        `-f lavfi -i color=${colour}:s=${size}:r=10:d=4 -vf drawbox=w=iw/2:h=ih:color=white:t=fill -c:v libx264 -preset ultrafast ${name}`,
      );
    const parts = await Promise.all(scenes.map(([name = '']) => readFile(workshop.path(name))));
    await workshop.write('changing.ts', Buffer.concat(parts));

    const { frames, outDir } = await workshop.analyse('changing.ts', 'video');
    const shown = await Promise.all(
      frames.map(async ({ file }) => {
        const picture = sharp(join(outDir, file));
        const { width, height } = await picture.metadata();
        const pixels = await picture.raw().toBuffer();
        const isDark = (x: number) =>
          pixels
            .subarray((180 * 640 + x) * 3)
            .subarray(0, 3)
            .every((value) => value < 30);
        return [width, height, isDark(2), isDark(200), isDark(250)];
      }),
    );
    const [filled, narrow] = [
      [640, 360, false, false, false],
      [640, 360, true, true, false],
    ];
    const at = shown.findIndex((frame) => frame[2] === true);
    expect(at).toBeGreaterThan(2);
    expect(shown).toEqual(shown.map((_, index) => (index < at ? filled : narrow)));
  });

  it('from a phone is rotated upright', async () => {
    await workshop.make(
      '-f lavfi -i color=red:s=320x180:r=5:d=2 -vf drawbox=w=20:h=180:color=blue:t=fill -c:v libx264 -preset ultrafast -pix_fmt yuv420p lying.mp4',
    );
    await workshop.make('-display_rotation 90 -i lying.mp4 -c copy standing.mp4');
    const { outDir, width, height, frames } = await workshop.analyse('standing.mp4', 'video');
    expect([width, height]).toEqual([180, 320]);
    const { data, info } = await sharp(join(outDir, frames[0]?.file ?? ''))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([180, 320]);
    // rotated counter-clockwise, the left edge is at the bottom
    expect(data[(info.height - 5) * info.width * 3 + 2]).toBeGreaterThan(150);
    expect(data[5 * info.width * 3 + 2]).toBeLessThan(100);
  });

  it('with wide pixels is rotated upright without a margin', async () => {
    await workshop.make(
      '-f lavfi -i color=red:s=240x180:r=5:d=2 -vf setsar=4/3 -c:v libx264 -preset ultrafast -pix_fmt yuv420p wide.mp4',
    );
    await workshop.make('-display_rotation 90 -i wide.mp4 -c copy high.mp4');
    const { outDir, frames } = await workshop.analyse('high.mp4', 'video');
    const { channels } = await sharp(join(outDir, frames[0]?.file ?? '')).stats();
    expect(channels[0]?.min).toBeGreaterThan(150);
  });

  it('of 40 minutes keeps at most 60 frames, 40 s apart, up to the end', async () => {
    await workshop.make('-f lavfi -i testsrc2=s=64x48:r=1:d=2400 -c:v libx264 -preset ultrafast -g 60 long.mp4');
    const { durationSec, frames, outDir } = await workshop.analyse('long.mp4', 'video');
    expect(durationSec).toBeCloseTo(2400, 0);
    expect(frames.length).toBeGreaterThan(20);
    expect(frames.length).toBeLessThanOrEqual(60);
    const gaps = times(frames)
      .slice(1)
      .map((ts, at) => ts - (frames[at]?.ts ?? 0));
    expect(gaps.filter((gap) => gap < 39.9).length).toBeLessThanOrEqual(4); // beside the middle and the last frame
    expect(times(frames)).toEqual(expect.arrayContaining([0, 1200, 2395]));
    expect((await readdir(outDir)).length).toBe(frames.length);
  });
});

describe('slides', () => {
  it('that differ only in text are kept apart, repeats are marked, and subtitles are extracted', async () => {
    const lines = ['Results of the quarter', 'Revenue grew by 10 percent', 'Costs stayed as they were'];
    await workshop.write('1.pgm', slidePgm(lines));
    await workshop.write('2.pgm', slidePgm(lines.with(1, 'Revenue grew by 20 percent')));
    await workshop.write(
      'sub.srt',
      '1\n00:00:01,000 --> 00:00:03,000\nПервый слайд\n\n2\n00:00:07,000 --> 00:00:09,000\nВторой слайд\n',
    );
    const inputs = ['1', '2', '1'].map((name) => `-loop 1 -framerate 5 -t 6 -i ${name}.pgm`).join(' ');
    await workshop.make(
      `${inputs} -i sub.srt -filter_complex [0][1][2]concat=n=3,format=yuv420p[v] -map [v] -map 3 -c:v libx264 -preset ultrafast -c:s mov_text slides.mp4`,
    );

    const { frames, subtitles, outDir } = await workshop.analyse('slides.mp4', 'video');
    const shown = frames.map(({ ts, duplicateOfTs }) => [
      ts < 6 ? 1 : ts < 12 ? 2 : 1,
      duplicateOfTs === null ? null : duplicateOfTs < 6 ? 1 : 2,
    ]);
    expect(shown.filter(([, original]) => original === null)).toEqual([
      [1, null],
      [2, null],
    ]);
    expect(shown.filter(([, original]) => original !== null).every(([slide, original]) => slide === original)).toBe(
      true,
    );
    expect(shown.at(-1)).toEqual([1, 1]);
    expect(await readFile(join(outDir, subtitles ?? ''), 'utf8')).toMatch(
      /WEBVTT[\s\S]*00:07\.000 --> 00:09\.000\nВторой слайд/,
    );
  });

  it('that are black are flagged', async () => {
    await workshop.make('-f lavfi -i color=black:s=64x64:r=5:d=3 -c:v libx264 -preset ultrafast black.mp4');
    const { frames } = await workshop.analyse('black.mp4', 'video');
    expect(frames.map(({ flat, duplicateOfTs }) => [flat, duplicateOfTs])).toEqual([
      [true, null],
      [true, 0],
      [true, 0],
    ]);
  });
});
