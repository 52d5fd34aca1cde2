/** A file system that fills up during the work: either everything is extracted from a medium, or nothing. */
import { cp, mkdtemp, readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSmallDisk, whyNoSmallDisk, type SmallDisk } from '../../../tools/chaos/support/smallDisk.ts';
import { faultOf } from '../../../activities/analysisFaults.ts';
import type { MediumKind, PreparedMedium } from '../../../activities/media/medium/preparedMedium.ts';
import { createLocalBlobStore } from '../../../platform/blobs/local.ts';
import { openWorkshop, type Workshop } from './samples.ts';

const PAGE = 4096;
/** Free space to try, as shares of the whole output. */
const SHARES = [0, 0.1, 0.3, 0.5, 0.7, 0.85, 0.95];

// Without namespaces a test has no file system that it may fill.
((await whyNoSmallDisk()) === null ? describe : describe.skip)('a disk that runs full', () => {
  let disk: SmallDisk;
  let workshop: Workshop;

  beforeAll(async () => {
    [disk, workshop] = await Promise.all([createSmallDisk(16), openWorkshop()]);
    await workshop.write('words.srt', '1\n00:00:00,500 --> 00:00:02,500\nThe lighthouse keeper counts the ships.\n');
    await workshop.make('-f lavfi -i testsrc2=size=320x240 -frames:v 1 image.png');
    await workshop.make('-f lavfi -i sine=frequency=330:d=60 audio.mp3');
    await workshop.make(
      '-f lavfi -i testsrc2=size=320x240:rate=10:d=6 -f lavfi -i sine=frequency=330:d=6 -i words.srt -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -c:s mov_text video.mp4',
    );
  });

  afterAll(async () => {
    await workshop.close();
    await disk.remove();
  });

  /** Leaves `bytes` bytes free. */
  async function leave(bytes: number): Promise<void> {
    await disk.empty();
    await disk.fill();
    const ballast = join(disk.path, 'ballast');
    await truncate(ballast, (await stat(ballast)).size - bytes);
  }

  async function bytesIn(folder: string): Promise<number> {
    const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
    return sizes.reduce((sum, size) => sum + Math.ceil(size / PAGE) * PAGE, 0);
  }

  it.each<[MediumKind, string]>([
    ['image', 'image.png'],
    ['audio', 'audio.mp3'],
    ['video', 'video.mp4'],
  ])('never silently loses a part of a medium of the kind %s', async (kind, name) => {
    const { outDir: whole, ...expected } = await workshop.analyse(name, kind);
    const needed = await bytesIn(whole);
    const outcomes = new Set<string>();
    for (const share of SHARES) {
      const outDir = await mkdtemp(join(disk.path, 'out-'));
      await leave(Math.floor((needed * share) / PAGE) * PAGE);
      const analysed = await workshop.analyse(name, kind, { outDir }).catch((error: unknown) => faultOf(error));
      outcomes.add(judge(analysed, expected));
      if ('error' in analysed) expect(await readdir(outDir)).toEqual([]);
    }
    expect(outcomes).toContain('deferred');
    expect(outcomes).not.toContain('lost');
  });

  function judge(
    analysed: (PreparedMedium & { outDir: string }) | ReturnType<typeof faultOf>,
    expected: PreparedMedium,
  ): 'whole' | 'deferred' | 'lost' {
    if ('error' in analysed)
      return analysed.kind === 'temporary' && analysed.error.code === 'storage_full' ? 'deferred' : 'lost';
    const { outDir: _outDir, ...medium } = analysed;
    return JSON.stringify(medium) === JSON.stringify(expected) ? 'whole' : 'lost';
  }

  it('under a blob store is a temporary fault of the service, and leaves no partial blob', async () => {
    const folder = join(disk.path, 'blobs');
    const store = createLocalBlobStore(folder);
    const source = await workshop.write('source', Buffer.alloc(3 * PAGE, 1));
    await cp(source, `${source}-kept`);
    await leave(2 * PAGE);
    const error: unknown = await store.putFile('media/a/b', source).catch((fault: unknown) => fault);
    expect(faultOf(error)).toMatchObject({ kind: 'temporary', error: { code: 'storage_full' } });
    expect(await store.open('media/a/b')).toBeNull();
    expect(await bytesIn(join(folder, 'media/a'))).toBe(0);
  });
});
