/** Files of a few kilobytes that would fill the disk or the memory: the output of a decoder is limited. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MediaError } from '../../../activities/mediaErrors.ts';
import { watchMemory } from '../../workflows/hostile/watchMemory.ts';
import { packedSubtitles, repeatSubtitleChunk } from './bombs.ts';
import { openWorkshop, type Workshop } from './samples.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const LIMITS = { subtitleBytes: 256 * KIB };
let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop.close());

async function bytesIn(folder: string): Promise<number> {
  const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

describe('a subtitle bomb', () => {
  const isDefused = async (name: string) => {
    const { outDir, audio, subtitles, warnings } = await workshop.analyse(name, 'audio', { limits: LIMITS });
    expect({ audio, subtitles }).toEqual({ audio: 'audio.flac', subtitles: null });
    expect(warnings).toEqual(['subtitles_too_large']);
    expect(await bytesIn(outDir)).toBeLessThan(2 * LIMITS.subtitleBytes);
  };

  it('whose chunk table names the same chunk many times is not written out', async () => {
    await workshop.write('long.srt', `1\n00:00:00,000 --> 00:00:00,900\n${'word'.repeat(500)}\n`);
    await workshop.make('-f lavfi -i sine=d=1 -i long.srt -map 0 -map 1 -c:a aac -c:s mov_text long.mp4');
    const bomb = repeatSubtitleChunk(await readFile(workshop.path('long.mp4')), 10_000);
    expect(bomb.length).toBeLessThan(64 * KIB);
    await workshop.write('bomb.mp4', bomb);
    await isDefused('bomb.mp4');
  });

  it('compressed with zlib is not written out', async () => {
    const bomb = packedSubtitles(1000, 4 * KIB);
    expect(bomb.length).toBeLessThan(256 * KIB);
    await workshop.write('bomb.mkv', bomb);
    await isDefused('bomb.mkv');
  });
});

describe('a frame bomb', () => {
  it('whose frames have to be kept in memory takes little more than the memory limit', async () => {
    // 16 frames of 25 MB to which every later one may refer.
    await workshop.make(
      '-f lavfi -i color=c=navy:s=3840x2160:r=10:d=2.4 -vf noise=alls=2:allf=t,format=yuv444p -c:v libx264 -preset ultrafast -x264-params ref=16:bframes=0:keyint=100:scenecut=0 kept.mp4',
    );
    expect((await stat(workshop.path('kept.mp4'))).size).toBeLessThan(64 * KIB);
    const memory = watchMemory();
    await workshop.analyse('kept.mp4', 'video', { limits: { memory: 300 * MIB } }).catch((error: unknown) => {
      if (!(error instanceof MediaError)) throw error;
    });
    expect(memory.stop() / MIB).toBeLessThan(400);
  });
});
