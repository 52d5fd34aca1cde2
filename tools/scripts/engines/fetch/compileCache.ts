/**
 * Node's cache of compiled modules, with their types stripped. Node keys each entry by the file's path, the file's
 * content and the version of Node, and uses no entry that does not match.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseCacheDir } from './cache.ts';
import { EngineError } from './engineError.ts';
import type { Env } from './sources.ts';

/**
 * A checkout with its tests has some 8,000 modules of 6 kB; this is room for a few checkouts. Node itself deletes
 * nothing.
 */
const MAX_FILES = 40_000;

/**
 * Returns the setting with which a process and its children use the cache. Returns nothing when it is already set, or
 * when there is no folder for it: processes then compile at each start.
 */
export async function compileCache(env: Env, mostFiles = MAX_FILES): Promise<{ NODE_COMPILE_CACHE?: string }> {
  if (env['NODE_COMPILE_CACHE']) return {};
  try {
    const folder = join(await chooseCacheDir(env), 'compiled');
    if ((await countFiles(folder)) > mostFiles) await clear(folder);
    return { NODE_COMPILE_CACHE: folder };
  } catch (error) {
    if (error instanceof EngineError) return {};
    throw error;
  }
}

async function countFiles(folder: string): Promise<number> {
  return (await readdir(folder, { recursive: true }).catch(() => [])).length;
}

/**
 * Deletes the cache completely, because a file does not reveal its module or when it was last read. A process that is
 * writing meanwhile continues without it.
 */
async function clear(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}
