/** Blobs in a local folder. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkKey } from './key.ts';
import type { BlobStore } from './types.ts';

export function createLocalBlobStore(dir: string): BlobStore {
  const pathOf = (key: string): string => join(dir, checkKey(key));
  return {
    async putFile(key, sourcePath) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true });
      await moveFile(sourcePath, path);
    },
    async open(key, start = 0) {
      const handle = await open(pathOf(key), 'r').catch(nullIfMissing);
      if (!handle) return null;
      const { size } = await handle.stat();
      return { stream: createReadStream('', { fd: handle, start, autoClose: true }), size: size - start };
    },
    // No check that they are there: a program that cannot open its file says so itself.
    withLocalFiles: async (keys, use) => use(keys.map(pathOf)),
    removeFolder: (folder) => rm(pathOf(folder), { recursive: true, force: true }),
  };
}

/** Across file systems a rename fails: then the copy is finished beside its place before it counts. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    const partial = `${to}.${randomUUID()}`;
    await copyFile(from, partial);
    await rename(partial, to);
    await unlink(from);
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
