import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLocalBlobStore, type BlobStore } from '../../blobs/store.ts';

let folder: string;
let blobs: BlobStore;
let source: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-blobs-'));
  blobs = createLocalBlobStore(join(folder, 'store'));
  source = join(folder, 'source');
  await writeFile(source, 'содержимое');
});
afterEach(() => rm(folder, { recursive: true }));

async function contentOf(key: string): Promise<string | null> {
  const blob = await blobs.open(key);
  return blob && text(blob.stream);
}

describe('a blob', () => {
  it('is found under its key, whole, with its size', async () => {
    await blobs.putFile('media/p/m/1.jpg', source);
    const blob = await blobs.open('media/p/m/1.jpg');
    expect(blob?.size).toBe(20);
    expect(blob && (await text(blob.stream))).toBe('содержимое');
    expect(await readFile(blobs.localPath('media/p/m/1.jpg'), 'utf8')).toBe('содержимое');
    await expect(stat(source)).rejects.toThrow('ENOENT');
  });

  it('replaces the one before it, which a reader may finish', async () => {
    await blobs.putFile('a', source);
    const before = await blobs.open('a');
    await writeFile(source, 'new');
    await blobs.putFile('a', source);
    expect(before && (await text(before.stream))).toBe('содержимое');
    expect(await contentOf('a')).toBe('new');
  });

  it('that is not there is null', async () => {
    expect(await blobs.open('media/none')).toBeNull();
  });

  it('goes with its folder, and its neighbours stay', async () => {
    await blobs.putFile('media/p/m1/a', source);
    await writeFile(source, 'b');
    await blobs.putFile('media/p/m10/b', source);
    await blobs.removeFolder('media/p/m1');
    await blobs.removeFolder('media/p/none');
    expect(await blobs.open('media/p/m1/a')).toBeNull();
    expect(await contentOf('media/p/m10/b')).toBe('b');
  });

  it('is not there when its source is missing', async () => {
    await expect(blobs.putFile('media/a', join(folder, 'none'))).rejects.toThrow('ENOENT');
    expect(await blobs.open('media/a')).toBeNull();
    expect(await readdir(join(folder, 'store', 'media'))).toEqual([]);
  });
});

describe('a key', () => {
  it.each(['', '/', '/etc/passwd', '..', '../a', 'a/..', 'a/../b', 'a//b', 'a/', './a', '.hidden', 'a/.hidden', 'a\0b', 'a\\b', 'a b', 'ä', 'a\n'])(
    '%j is refused, so nothing outside the folder is ever touched', async (key) => {
      await mkdir(join(folder, 'store'), { recursive: true });
      await expect((async () => blobs.putFile(key, source))()).rejects.toThrow('not a blob key');
      await expect((async () => blobs.open(key))()).rejects.toThrow('not a blob key');
      expect(() => blobs.localPath(key)).toThrow('not a blob key');
      await expect((async () => blobs.removeFolder(key))()).rejects.toThrow('not a blob key');
    });
});
