/**
 * Where Node keeps what it has compiled of a process's modules, their types stripped. It keys each by the file's path,
 * its content and Node's own version, and takes nothing that does not fit.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseCacheDir } from './cache.ts';
import { EngineError } from './engineError.ts';
import type { Env } from './sources.ts';

/** A checkout with its tests has some 8,000 modules of 6 kB: room for a few of them. Node itself removes nothing. */
const MOST_FILES = 40_000;

/**
 * The setting that makes a process and its children use the cache. Nothing when it is set already, or when there is no
 * folder for it: processes then compile at each start.
 */
export async function compileCache(env: Env, mostFiles = MOST_FILES): Promise<{ NODE_COMPILE_CACHE?: string }> {
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

/** Whole, for a file does not say which module it is of, nor when it was read. A process that writes meanwhile does without. */
async function clear(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}
