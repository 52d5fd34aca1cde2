/**
 * Files that the analysis leaves (audio, frames, subtitles), by key. A key is a relative path of
 * plain names; a file appears under its key whole or not at all.
 */
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';

export interface BlobStore {
  /** Moves or copies a finished file into the store; replaces what was there. */
  putFile(key: string, sourcePath: string): Promise<void>;
  /** Null when there is no such blob. The caller consumes or destroys the stream. */
  open(key: string): Promise<{ stream: Readable; size: number } | null>;
  /** A local file with the blob's bytes, for programs that want a path. Read only. */
  localPath(key: string): string;
  /** Removes every blob whose key begins with the folder. */
  removeFolder(folder: string): Promise<void>;
}

const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Blobs in a local folder. */
export function createLocalBlobStore(dir: string): BlobStore {
  const pathOf = (key: string): string => {
    if (!KEY.test(key)) throw new Error('not a blob key');
    return join(dir, key);
  };
  return {
    async putFile(key, sourcePath) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true });
      await moveFile(sourcePath, path);
    },
    async open(key) {
      const handle = await open(pathOf(key), 'r').catch(nullIfMissing);
      if (!handle) return null;
      const { size } = await handle.stat();
      return { stream: createReadStream('', { fd: handle, autoClose: true }), size };
    },
    localPath: pathOf,
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
