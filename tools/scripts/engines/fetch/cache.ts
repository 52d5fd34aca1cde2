/**
 * The cache folder of downloaded programs. An entry is a folder that appears atomically, by a rename, with a marker
 * file that holds the pinned hash and the sizes of the important files. So concurrent starts do no harm, and a damaged
 * or outdated entry is downloaded again.
 */
import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EngineError } from './engineError.ts';
import type { Env } from './sources.ts';

const MARK = '.complete.json';
const STAGING_PREFIX = '.staging-';
const STALE_STAGING_MS = 6 * 3600 * 1000;

interface Mark {
  sha256: string;
  sizes: Record<string, number>;
}

function candidates(env: Env): string[] {
  const list: string[] = [];
  if (env['ATTUNE_CACHE_DIR']) return [resolve(env['ATTUNE_CACHE_DIR'])];
  if (env['XDG_CACHE_HOME']) list.push(join(env['XDG_CACHE_HOME'], 'attune'));
  if (env['HOME']) list.push(join(env['HOME'], '.cache', 'attune'));
  list.push(resolve(env['ATTUNE_DATA_DIR'] || 'data', 'cache'));
  return list;
}

/**
 * Returns the first writable one of ATTUNE_CACHE_DIR, XDG_CACHE_HOME/attune, ~/.cache/attune and <data>/cache.
 * @throws {EngineError} when none is writable.
 */
export async function chooseCacheDir(env: Env): Promise<string> {
  const list = candidates(env);
  for (const folder of list) {
    try {
      await mkdir(folder, { recursive: true });
      await access(folder, constants.W_OK | constants.X_OK);
      return folder;
    } catch {
      // not writable: try the next one
    }
  }
  throw new EngineError(`no folder for downloaded programs can be written (${list.join(', ')}): set ATTUNE_CACHE_DIR`);
}

async function isComplete(entry: string, sha256: string): Promise<boolean> {
  try {
    const mark = JSON.parse(await readFile(join(entry, MARK), 'utf8')) as Mark;
    if (mark.sha256 !== sha256) return false;
    for (const [file, size] of Object.entries(mark.sizes)) {
      if ((await stat(join(entry, file))).size !== size) return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** Deletes the staging folders of starts that were killed. */
async function sweepStaging(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    if (!name.startsWith(STAGING_PREFIX)) continue;
    const path = join(cacheDir, name);
    const age =
      Date.now() -
      (await stat(path).then(
        (info) => info.mtimeMs,
        () => Date.now(),
      ));
    if (age > STALE_STAGING_MS) await rm(path, { recursive: true, force: true });
  }
}

async function writeMark(folder: string, sha256: string, files: string[]): Promise<void> {
  const sizes: Record<string, number> = {};
  for (const file of files) sizes[file] = (await stat(join(folder, file))).size;
  await writeFile(join(folder, MARK), JSON.stringify({ sha256, sizes } satisfies Mark));
}

async function publish(staging: string, entry: string, sha256: string): Promise<void> {
  try {
    await rename(staging, entry);
    return;
  } catch {
    if (await isComplete(entry, sha256)) return; // another start was first
  }
  const damaged = `${staging}-damaged`;
  await rename(entry, damaged);
  await rename(staging, entry);
  await rm(damaged, { recursive: true, force: true });
}

export interface CacheEntry {
  /** Folder name, with name, version and platform. */
  name: string;
  /** Pinned hash of the download. */
  sha256: string;
  /** Files, relative to the entry, whose presence and size are checked at each start. */
  files: string[];
  /** Fills an empty folder and checks the hash. @throws when it cannot */
  fill(folder: string): Promise<void>;
}

/** Returns the folder of a complete cache entry; null otherwise. */
async function findEntry(cacheDir: string, name: string, sha256: string): Promise<string | null> {
  const folder = join(cacheDir, name);
  return (await isComplete(folder, sha256)) ? folder : null;
}

/** Returns the folder of an entry, filling it first when it is not complete. */
export async function ensureEntry(cacheDir: string, entry: CacheEntry): Promise<string> {
  const present = await findEntry(cacheDir, entry.name, entry.sha256);
  if (present !== null) return present;
  await sweepStaging(cacheDir);
  const staging = join(cacheDir, `${STAGING_PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`);
  await mkdir(staging);
  try {
    await entry.fill(staging);
    await writeMark(staging, entry.sha256, entry.files);
    await publish(staging, join(cacheDir, entry.name), entry.sha256);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return join(cacheDir, entry.name);
}
