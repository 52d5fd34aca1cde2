/**
 * Downloads that outlive their attempt. When a worker stops or dies while it decodes, the next attempt on this machine
 * uses the file instead of downloading it again.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediumWork } from '../../domain/jobs/workflowMessages.ts';
import { isOrphanedFolder } from '../../platform/disk/workDir.ts';

/** Name of the medium's file. Once it is complete, a file beside it contains the name under which it is kept. */
export const MEDIUM_FILE = 'medium';
const ID_FILE = 'medium.id';
/** Name of the folder of kept downloads inside the work folder. */
export const KEPT_DOWNLOADS = 'kept';
const ID = /^[0-9a-f-]{36}\.\d{1,19}$/;
/** Longer than the quick retries take; a deferred step starts from the beginning. */
const KEEP_MS = 60 * 60_000;
/** Maximum number of kept downloads; each may have 2 GiB. */
export const MAX_KEPT = 4;

/** The preparation that a download belongs to. A later revision of the step downloads the file again. */
type Preparation = Pick<MediumWork, 'mediumId' | 'revision'>;

function nameOf({ mediumId, revision }: Preparation): string {
  return `${mediumId}.${revision}`;
}

/** Marks the download in a folder as complete. */
export async function markWhole(folder: string, preparation: Preparation): Promise<void> {
  await writeFile(join(folder, ID_FILE), nameOf(preparation));
}

/** Moves a kept download into the folder. Returns false when there is none, or only one that is too old. */
export async function takeKept(workDir: string, preparation: Preparation, folder: string): Promise<boolean> {
  await evictOld(join(workDir, KEPT_DOWNLOADS));
  try {
    await rename(join(workDir, KEPT_DOWNLOADS, nameOf(preparation)), join(folder, MEDIUM_FILE));
    await markWhole(folder, preparation);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Keeps the complete download of a folder for a later attempt; does nothing when there is none. */
export async function keepDownload(workDir: string, folder: string): Promise<void> {
  const name = await readFile(join(folder, ID_FILE), 'utf8').catch(() => '');
  if (!ID.test(name)) return;
  await mkdir(join(workDir, KEPT_DOWNLOADS), { recursive: true });
  await rename(join(folder, MEDIUM_FILE), join(workDir, KEPT_DOWNLOADS, name)).catch(() => undefined);
  await evictOld(join(workDir, KEPT_DOWNLOADS));
}

/**
 * Adopts the downloads of killed processes. Must run before `sweepWorkDir`, which deletes everything else that they
 * left.
 */
export async function adoptDownloads(workDir: string): Promise<void> {
  const names = await readdir(workDir).catch(() => []);
  for (const name of names.filter(isOrphanedFolder)) await keepDownload(workDir, join(workDir, name));
  await evictOld(join(workDir, KEPT_DOWNLOADS));
}

async function evictOld(kept: string): Promise<void> {
  const names = await readdir(kept).catch(() => []);
  const files = await Promise.all(
    names.map(async (name) => ({
      path: join(kept, name),
      ctimeMs: (await stat(join(kept, name)).catch(() => null))?.ctimeMs ?? 0,
    })),
  );
  const newestFirst = files.toSorted((a, b) => b.ctimeMs - a.ctimeMs);
  const old = newestFirst.filter(({ ctimeMs }, at) => at >= MAX_KEPT || Date.now() - ctimeMs > KEEP_MS);
  await Promise.all(old.map(({ path }) => rm(path, { force: true })));
}
