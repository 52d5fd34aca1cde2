/** Stores blobs in a local folder. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { checkKey } from './checkKey.ts';
import type { BlobStore } from './types.ts';

export function createLocalBlobStore(dir: string): BlobStore {
  const pathOf = (key: string): string => join(dir, checkKey(key));
  return {
    async putFile(key, sourcePath) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true });
      await moveFile(sourcePath, path);
      await syncFolders(dir, dirname(path));
    },
    async open(key, start = 0, length) {
      const handle = await open(pathOf(key), 'r').catch(nullIfMissing);
      if (!handle) return null;
      const { size } = await handle.stat();
      const end = Math.min(size, start + (length ?? size));
      if (end > start)
        return {
          stream: createReadStream('', { fd: handle, start, end: end - 1, autoClose: true }),
          size: end - start,
        };
      await handle.close();
      return start === 0 && length === undefined ? { stream: Readable.from([]), size: 0 } : null;
    },
    // No existence check: a program that cannot open its file reports that itself.
    withLocalFiles: async (keys, use) => use(keys.map(pathOf)),
    removeFolder: (folder) => rm(pathOf(folder), { recursive: true, force: true }),
  };
}

/**
 * Moves a file. A rename across file systems fails; the file is then copied beside its destination, and renamed when
 * the copy is complete.
 */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await sync(from);
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyWhole(from, to);
    await unlink(from);
  }
}

async function copyWhole(from: string, to: string): Promise<void> {
  const partial = `${to}.${randomUUID()}`;
  try {
    await copyFile(from, partial);
    await sync(partial);
    await rename(partial, to);
  } catch (error) {
    // Half a file must not be left behind, for example on a full disk.
    await rm(partial, { force: true });
    throw error;
  }
}

/**
 * Syncs a folder and those above it up to `top`: a name survives a power cut once its folder is synced, and that
 * folder's name once its parent is.
 */
async function syncFolders(top: string, folder: string): Promise<void> {
  await sync(folder);
  if (relative(top, folder) !== '') await syncFolders(top, dirname(folder));
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
